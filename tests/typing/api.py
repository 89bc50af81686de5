"""Have the type checker read code that a user of arena writes; nothing runs it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import assert_type

import arena
from arena import Game, Outcome, Position, Side
from arena.testing import FakeClock, ScriptedPlayer


def lowest(position: Position, rng: random.Random) -> int:
    """Choose: a player is a function."""
    assert_type(position.legal_moves(), tuple[int, ...])
    assert_type(position.play(0), Position)
    assert_type(position.outcome(), Outcome | None)
    assert_type(position.to_move, Side)
    return position.legal_moves()[0]


class Careful:
    """A player that keeps state."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, position: Position) -> int:
        return self.rng.choice(position.legal_moves())

    def observe(self, move: int) -> None: ...

    def finish(self, outcome: Outcome) -> None: ...


def functions_take_players_of_every_kind() -> None:
    assert_type(arena.fight("tictactoe3", "monkey", n=1000), arena.records.FightResult)
    assert_type(arena.fight(lowest, Careful, 10, seed=1, engine="calls"), arena.records.FightResult)
    assert_type(arena.fight(ScriptedPlayer(0, 1), "./bot.py", 1), arena.records.FightResult)
    arena.fight("tictactoe3", 3, n=1)  # type: ignore[arg-type]
    arena.fight("tictactoe3", "monkey", n="1000")  # type: ignore[arg-type]
    arena.fight("tictactoe3", "monkey", n=1000, sead=7)  # type: ignore[call-arg]


def results_are_records() -> None:
    result = arena.fight("tictactoe3", "monkey", n=1000)
    assert_type(result.total.wins, int)
    assert_type(result.total.score, float | None)
    assert_type(result.score, float | None)
    assert_type(result.to_csv("a.csv"), str)
    assert_type(arena.tournament(["monkey", "triples"]).scores, dict[str, float | None])
    assert_type(arena.exact("tictactoe3", "monkey").score, Fraction)
    with FakeClock() as clock:
        assert_type(clock, FakeClock)
