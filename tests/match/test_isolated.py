"""Isolated players, by stand-ins: their clocks and their thoughts; and players that fork."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Mapping
from typing import Any

import pytest

from arena.errors import VoidGame, Withdrawn
from arena.game import Game, Position, Side
from arena.match import play_game
from arena.match.record import GameRecord
from arena.match.seats import NO_THOUGHTS
from arena.player import PlayerInfo
from arena.player.clocks import Clock
from arena.records.prints import Printed
from arena.records.thoughts import Thought
from arena.rng import Stream
from tests.match.games import TICTACTOE, play
from tests.simple import lowest


class Proxy:
    """Plays the lowest move, charges its clock a second for each, and thinks of the ply."""

    remembers, shares_core = "", False

    def __init__(self, clock: Clock | None = None, thinks: bool = False) -> None:
        self.clock = clock
        self.thoughts: Mapping[int, Thought] = {} if thinks else NO_THOUGHTS

    def __call__(self, *how: bool, **named: bool) -> Any:
        return self

    def close(self) -> None:
        pass

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        pass

    def choose(self, position: Position) -> int:
        if self.clock is not None:
            self.clock.charge(1.0 + position.ply)
        if isinstance(self.thoughts, dict):
            self.thoughts[position.ply] = Thought(position.ply)
        return position.legal_moves()[0]


def isolated(name: str, **options: Any) -> tuple[PlayerInfo, Proxy]:
    proxy = Proxy(**options)
    return PlayerInfo(name, lowest, stateless=False, remote=proxy), proxy


def played(a: PlayerInfo, b: PlayerInfo, opening: Position | None = None) -> GameRecord:
    return play_game(TICTACTOE, (a, b), "g", (Stream(), Stream()), opening)


def test_each_clock_knows_the_opponents() -> None:
    clocks = Clock(None), Clock(None)
    (a, _), (b, _) = (isolated(name, clock=own) for name, own in zip("ab", clocks, strict=True))
    record = played(a, b)
    assert (clocks[0].opponent, clocks[1].opponent) == (clocks[1], clocks[0])
    assert record.move_times == ((1.0, 3.0, 5.0, 7.0), (2.0, 4.0, 6.0))


@pytest.mark.parametrize("side", Side)
def test_a_clock_without_another_measures_its_own_side(side: Side) -> None:
    clock = Clock(None)
    own, _ = isolated("own", clock=clock)
    other = PlayerInfo("other", lowest)
    record = played(*((own, other) if side == Side.FIRST else (other, own)))
    assert clock.opponent is None
    assert record.move_times[side] == tuple(clock.move_times)
    assert record.move_times[1 - side] == ()


def test_thoughts_are_those_of_both_sides_by_ply_from_the_opening_on() -> None:
    (a, _), (b, _) = isolated("a", thinks=True), isolated("b", thinks=True)
    record = played(a, b)
    assert record.notes.thoughts == tuple((ply, Thought(ply)) for ply in range(7))
    (a, _), (b, _) = isolated("a", thinks=True), isolated("b", thinks=True)
    opening = TICTACTOE.start().play(4).play(8)
    record = played(a, b, opening)
    assert record.notes.thoughts == tuple((n, Thought(n + 2)) for n in range(len(record.moves)))


@pytest.mark.parametrize("error", [VoidGame("busy"), Withdrawn("good", "crash", "gone")])
def test_a_stateless_player_in_this_process_is_charged_with_verdicts_of_its_own(
    error: Exception,
) -> None:
    def choose(position: Position, rng: random.Random) -> int:
        raise error

    record = play(choose)
    assert record.forfeit is not None
    assert record.forfeit[:2] == (Side.FIRST, "exception")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_copy_of_the_process_that_a_player_makes_ends_with_its_game() -> None:
    children: list[int] = []
    parent = os.getpid()

    def forking(position: Position, rng: random.Random) -> int:
        if not children:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of threads, from 3.12 on
                children.append(os.fork())
        return lowest(position, rng)

    record = play(forking)
    if os.getpid() != parent:
        os._exit(9)  # so that no second run of the tests begins
    assert record.outcome.winner is Side.FIRST
    [child] = children
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_record_has_what_each_side_printed_at_which_ply() -> None:
    def talking(name: str) -> Any:
        def choose(position: Position, rng: random.Random) -> int:
            if position.ply in (0, 3):
                print(name, position.ply)
            return lowest(position, rng)

        return choose

    record = play(talking("a"), talking("b"))
    assert record.notes.printed == (
        Printed(Side.FIRST, 0, "a 0\n", 1, False),
        Printed(Side.SECOND, 3, "b 3\n", 1, False),
    )
    assert play(lowest).notes.printed == ()


def test_what_a_player_prints_of_its_opponents_move_is_its_own() -> None:
    class Commenting(Proxy):
        def observe(self, move: int) -> None:
            print("saw", move)

    info = PlayerInfo("commenting", Commenting, stateless=False)
    record = played(PlayerInfo("silent", lowest), info)
    assert record.notes.printed[0] == Printed(Side.SECOND, 1, "saw 0\n", 1, False)
    assert {printed.side for printed in record.notes.printed} == {Side.SECOND}
