#!/usr/bin/env python3
"""Referee goofspiel between two to eight programs, in the convention of docs/referee.md.

    python3 goofspiel.py -p1 "python3 same.py" -p2 "python3 high.py" -p3 "python3 same.py" -s 7

Everybody has the cards 1 to 13. The prizes 1 to 13 come in an order that the seed shuffles. At each
prize all bid a card. The highest card that nobody else bids takes it. A player reads a line a
round: the prize, and what all bid at the last one, in the order of the seats, 0 for nobody's card.
It answers a card that it still has.
"""

import random
import select
import shlex
import subprocess
import sys
from collections import Counter

CARDS = range(1, 14)
SECONDS = 2.0


class Player:
    """A program that plays, until it breaks the rules."""

    def __init__(self, number, command):
        self.number, self.score, self.hand, self.is_out = number, 0, set(CARDS), False
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, text=True)

    def tell(self, line):
        """Write a line to the program, if it still plays."""
        try:
            print(line, file=self.process.stdin, flush=True)
        except OSError:
            self.forfeit("it has ended")

    def bid(self):
        """Return the card that the program bids, 0 if it plays no more."""
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            return self.forfeit(f"it says nothing for {SECONDS:g} s")
        answer = self.process.stdout.readline().strip()
        if not answer.isdecimal() or int(answer) not in self.hand:
            return self.forfeit(f"it says {answer!r}, which is not a card in its hand")
        self.hand.remove(int(answer))
        return int(answer)

    def forfeit(self, reason):
        """Say that the player is out of the game. The others play on."""
        print("ERR", self.number, reason)
        self.is_out = True
        return 0


def play(players, dice):
    """Play a game."""
    bids = [0] * len(players)
    for prize in dice.sample(CARDS, len(CARDS)):
        line = " ".join(map(str, [prize, *bids]))
        for player in players:  # all of them before the first answer, for they think at once
            if not player.is_out:
                player.tell(line)
        bids = [0 if player.is_out else player.bid() for player in players]
        times = Counter(bids)
        best = max((bid for bid in bids if bid and times[bid] == 1), default=None)
        if best is not None:
            players[bids.index(best)].score += prize


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
    numbers = [number for number in range(1, 9) if f"-p{number}" in options]
    players = [Player(number, options[f"-p{number}"]) for number in numbers]
    try:
        play(players, random.Random(int(options["-s"])))
        print(*(player.score for player in players))
    finally:
        for player in players:
            player.process.kill()


main()
