#!/usr/bin/env python3
"""Referee the dice game Pig between two programs, in the convention of docs/referee.md.

    python3 pig.py -p1 "python3 careful.py" -p2 "python3 bold.py" -s 7

The player on turn reads a line with three numbers: its own score, the other's, and the points of
this turn. It answers ``ROLL`` or ``HOLD``. A one ends the turn without points; the first player
with 100 points wins.
"""

import argparse
import random
import select
import shlex
import subprocess

GOAL = 100
SECONDS = 2.0


class Forfeit(Exception):
    """A player that broke the rules."""


class Player:
    """A program that plays."""

    def __init__(self, number, command):
        self.number, self.score = number, 0
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, text=True)

    def rolls(self, other, turn):
        """Ask whether it rolls again."""
        try:
            print(self.score, other.score, turn, file=self.process.stdin, flush=True)
        except OSError:
            raise Forfeit(f"{self.number} it has ended") from None
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            raise Forfeit(f"{self.number} it says nothing for {SECONDS:g} s")
        answer = self.process.stdout.readline().strip()
        if answer not in ("ROLL", "HOLD"):
            raise Forfeit(f"{self.number} it says {answer!r}, not ROLL or HOLD")
        return answer == "ROLL"


def play_turn(player, other, dice):
    """Return the points of one turn."""
    turn = 0
    while player.score + turn < GOAL and player.rolls(other, turn):
        die = dice.randint(1, 6)
        if die == 1:
            return 0
        turn += die
    return turn


def play(first, second, dice):
    """Play a game."""
    player, other = first, second
    while other.score < GOAL:
        player.score += play_turn(player, other, dice)
        player, other = other, player


def main():
    parser = argparse.ArgumentParser()
    for option in ("-p1", "-p2", "-s"):
        parser.add_argument(option, required=True)
    arguments = parser.parse_args()
    first, second = Player(1, arguments.p1), Player(2, arguments.p2)
    try:
        play(first, second, random.Random(int(arguments.s)))
        print(first.score, second.score)
    except Forfeit as forfeit:
        print("ERR", forfeit)
    finally:
        for player in (first, second):
            player.process.kill()


main()
