"""Minimax where chance moves: pig as the literature plays it, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import CannotPlay
from arena.game import Payoffs
from arena.games.pig import HOLD, ROLL, pig_game
from arena.players import minimax
from arena.plugin import CHANCE, WordGame, WordPosition
from arena.plugin.manager import load_catalogue
from tests.samples import few


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    minimax.look.cache_clear()
    yield
    minimax.look.cache_clear()


class Wins:
    """The chances of winning at pig under perfect play, by value iteration (Neller and Presser)."""

    def __init__(self, goal: int) -> None:
        self.goal = goal
        self.states = [(i, j, k) for i in range(goal) for j in range(goal) for k in range(goal - i)]
        self.chances = dict.fromkeys(self.states, 0.5)
        change = 1.0
        while change > 1e-9:
            change = 0.0
            for state in reversed(self.states):
                best = max(self.of_move(move, *state) for move in (HOLD, ROLL))
                change = max(change, abs(best - self.chances[state]))
                self.chances[state] = best

    def of_move(self, move: int, mine: int, theirs: int, turn: int) -> float:
        if move == HOLD:
            return 1 - self.chances[theirs, mine + turn, 0] if mine + turn < self.goal else 1
        later = [1 - self.chances[theirs, mine, 0]]
        for face in range(2, 7):
            total = mine + turn + face
            later.append(1 if total >= self.goal else self.chances[mine, theirs, turn + face])
        return sum(later) / 6


@pytest.mark.parametrize("goal", [*few([3, 4]), pytest.param(8, marks=pytest.mark.nightly)])
def test_small_pig_is_perfect_at_every_state(goal: int) -> None:
    wins, game = Wins(goal), pig_game(goal)
    for mine, theirs, turn in wins.states:
        moves = minimax.best_moves(game.parse(f"{mine}-{theirs}+{turn}x@0"))
        best = wins.chances[mine, theirs, turn]
        for move in moves:
            loss = best - wins.of_move(move, mine, theirs, turn)
            assert loss < 1e-6, (mine, theirs, turn, move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("0-0+0x@0", ROLL),
        ("0-0+19x@2", ROLL),
        ("0-0+20x@2", HOLD),
        ("0-0+26o@2", HOLD),
        ("80-99+15x@2", ROLL),  # the other side needs one point
        ("95-20+5x@2", HOLD),
    ],
)
def test_far_from_the_end_it_holds_at_twenty(text: str, move: int) -> None:
    assert minimax.best_moves(pig_game().parse(text)) == (move,)


def test_depth_and_budget_bound_the_search() -> None:
    position = pig_game().start()
    assert minimax.look(position, depth=3).plies == 3
    assert minimax.look(position, budget=30).plies < minimax.look(position).plies
    assert minimax.look(position, budget=1) == minimax.SearchResult(position.legal_moves(), 0, 0)


class Urn(WordPosition):
    """The first side draws one of many balls, or stops."""

    @property
    def to_move(self) -> Any:
        return CHANCE if self.moves[-1:] == (1,) else arena.Side.FIRST

    def legal_moves(self) -> tuple[int, ...]:
        return (tuple(range(2, 5002)) if self.to_move == CHANCE else (0, 1)) if self.ply < 2 else ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        return tuple((move, Fraction(1, 5000)) for move in range(2, 5002))

    def outcome(self) -> arena.Outcome | None:
        return None if self.legal_moves() else arena.Outcome.DRAW

    def payoffs(self) -> tuple[Fraction, ...] | None:
        return arena.Position.payoffs(self)


class UrnGame(WordGame):
    name, max_plies, payoffs = "urn", 2, Payoffs()
    words = ("stop", "draw", *map(str, range(2, 5002)))

    def start(self) -> Urn:
        return Urn(self)


@pytest.mark.slow
def test_it_refuses_in_one_sentence_what_branches_too_much() -> None:
    info = load_catalogue().player("minimax")
    problem = (
        r"^minimax does not play urn: chance has too many moves for a search of 3000 positions"
    )
    with pytest.raises(CannotPlay, match=problem):
        info.require(UrnGame())
    assert not info.plays(UrnGame())
    assert info.plays(pig_game())


@pytest.mark.slow
def test_it_beats_the_monkey_at_pig_and_still_plays_no_poker() -> None:
    result = arena.fight("minimax", "monkey", 2, game="pig-20", seed=1)
    assert result.total.wins >= 3
    with pytest.raises(CannotPlay, match=r"minimax .* kuhn"):
        arena.fight("minimax", "monkey", 1, game="kuhn")
