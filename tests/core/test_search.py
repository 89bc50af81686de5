"""The twins of the searches: the same moves after the same positions."""

from __future__ import annotations

import random

import pytest

import arena
from arena.core import compiled
from arena.game import Position
from arena.games import uct
from arena.games.search import BudgetSpent, Search
from tests.core.twins import OF_LINES, needs_compiled, positions, python_of

pytestmark = needs_compiled

OTHERS = ("chess", "chess960", "othello-4", "hex-3", "nim-3-4-5")


def searched(position: Position, budget: int, decay: bool, is_compiled: bool) -> list[object]:
    """Return what a search finds ply by ply, and what is left of its budget."""
    search, answers = Search(budget, decay), list[object]()
    best_moves = search.best_moves if is_compiled else search.best_moves_by_python
    for depth in range(1, min(6, position.game.max_plies - position.ply) + 1):
        try:
            answers.append((best_moves(position, depth), search.positions_left))
        except BudgetSpent:
            answers.append(search.positions_left)
            break
    return answers


@pytest.mark.parametrize("game", [*OF_LINES, *OTHERS])
def test_a_search_finds_what_it_does_in_python(game: str) -> None:
    rng = random.Random(game)
    sample = [p for p in positions(game, 2, seed=3) if p.outcome() is None]
    for position in rng.sample(sample, min(8, len(sample))):
        budget, decay = rng.choice((1, 30, 1000)), rng.random() < 0.6
        expected = searched(position, budget, decay, is_compiled=False)
        assert searched(position, budget, decay, is_compiled=True) == expected, str(position)


def test_a_search_of_one_game_answers_for_another_too() -> None:
    search = Search()
    for game in ("tictactoe", "connect-4-4-3", "nim-3-4-5", "tictactoe"):
        start = arena.get_game(game).start()
        assert search.best_moves(start, 3) == Search().best_moves_by_python(start, 3)


@pytest.mark.parametrize("game", OF_LINES)
def test_a_tree_search_finds_what_it_does_in_python(game: str) -> None:
    rng = random.Random(game)
    sample = [p for p in positions(game, 4, seed=5) if p.outcome() is None]
    for position in rng.sample(sample, min(15, len(sample))):
        simulations, width = rng.choice((1, 2, 40, 300)), rng.choice((0.0, 0.5, 1.0, 3.0))
        one, other = random.Random(7), random.Random(7)
        result = uct.choose(position, one, simulations, width)
        assert result == python_of(uct.choose)(position, other, simulations, width)
        assert one.random() == other.random()


@pytest.mark.parametrize("exploration", [float("inf"), float("nan"), -1e9])
def test_a_tree_search_of_no_bounds_is_left_to_python(
    exploration: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = compiled("tree")
    assert module is not None
    monkeypatch.setitem(module.PURE, "choose", lambda *arguments: -1)
    start = arena.get_game("tictactoe").start()
    assert uct.choose(start, random.Random(1), 500, exploration) == -1


def test_moves_that_no_game_has_are_left_to_python() -> None:
    class Odd(Position):
        ply, game, to_move = 0, arena.get_game("tictactoe"), arena.Side.FIRST
        __hash__ = object.__hash__

        def legal_moves(self) -> tuple[int, ...]:
            return (10**9, 0)

        def search_moves(self) -> tuple[int, ...]:
            return (0,)

        def play(self, move: int) -> Odd:
            return Odd()

        def outcome(self) -> None:
            return None

        def picture(self) -> str:
            return ""

        def __str__(self) -> str:
            return ""

    for _ in range(2):
        search = Search()
        assert search.best_moves(Odd(), 2) == Search().best_moves_by_python(Odd(), 2)


def test_every_twin_has_its_function_in_python() -> None:
    for room in ("lines", "stream", "tree", "chess"):
        module = compiled(room)
        assert module is not None
        assert module.PURE
        for name, function in module.PURE.items():
            assert python_of(getattr(module, name)) is function
