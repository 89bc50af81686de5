"""The work of a search with a game's positions: counted, not timed."""

from __future__ import annotations

import gc
import random
import sys
from typing import Self

import pytest

from arena.game import Game, Outcome, Position
from arena.games.connect4 import CONNECT4
from arena.games.effort import MAX_UNSCALED_EFFORT, effort, scaled_budget
from arena.games.mnk import mnk_game
from arena.players import minimax


class Heap(Position):
    """Take 1 to 3 from a heap; the position recounts it, a line a time, as slow rules do."""

    def __init__(self, game: Slow, left: int, ply: int) -> None:
        self._game, self.left, self._ply = game, left, ply

    @property
    def game(self) -> Slow:
        return self._game

    @property
    def ply(self) -> int:
        return self._ply

    def legal_moves(self) -> tuple[int, ...]:
        for _ in range(self.game.lines):
            pass
        return tuple(range(1, min(self.left, 3) + 1))

    def play(self, move: int) -> Self:
        return type(self)(self.game, self.left - move, self.ply + 1)

    def outcome(self) -> Outcome | None:
        if self.left:
            return None
        return Outcome.FIRST_WINS if self.ply % 2 else Outcome.SECOND_WINS

    def picture(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return str(self.left)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and (other.left, other.ply) == (self.left, self.ply)

    def __hash__(self) -> int:
        return hash((self.left, self.ply))


class Slow(Game):
    """Heaps whose positions take as many lines more as one likes."""

    max_plies = 60

    def __init__(self, lines: int) -> None:
        self.name, self.lines = f"heap-{lines}", lines

    def start(self) -> Heap:
        return Heap(self, 60, 0)

    def parse(self, text: str) -> Heap:
        return Heap(self, int(text), 0)

    def format_move(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        return int(text)


@pytest.mark.slow
def test_the_budget_is_halved_until_the_work_is_that_of_quick_rules() -> None:
    for lines in (0, 2_000, 20_000):
        game = Slow(lines)
        part = scaled_budget(30_000, game) / 30_000
        assert effort(game) * part <= MAX_UNSCALED_EFFORT
        assert part == 1 or effort(game) * part * 4 > MAX_UNSCALED_EFFORT
    assert scaled_budget(30_000, Slow(0)) == 30_000
    assert scaled_budget(30_000, Slow(20_000)) < 1000


def test_the_work_is_the_same_every_time_and_whatever_was_played_before() -> None:
    result = {effort.__wrapped__(Slow(50)) for _ in range(3)}
    minimax.best_moves(Slow(50).start(), budget=300)
    random.seed(3)
    assert result == {effort.__wrapped__(Slow(50))}


def test_the_work_is_the_same_however_often_python_looks_for_garbage() -> None:
    result, before = effort.__wrapped__(Slow(50)), gc.get_threshold()
    gc.callbacks.append(lambda *_: None)
    gc.set_threshold(1)
    try:
        assert effort.__wrapped__(Slow(50)) == result
    finally:
        gc.callbacks.pop()
        gc.set_threshold(*before)
    assert gc.isenabled()


def test_counting_gives_the_debugger_and_the_profiler_back() -> None:
    before = sys.gettrace(), sys.getprofile()

    def mine(*_: object) -> None:
        return None

    sys.setprofile(mine)
    try:
        effort.__wrapped__(Slow(1))
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(before[1])
    assert sys.gettrace() is before[0]


@pytest.mark.parametrize(
    ("game", "budget"),
    [(CONNECT4, 30_000), (mnk_game(8, 8, 5), 30_000), (mnk_game(15, 15, 5), 8533)],
    ids=str,
)
def test_games_of_lines_keep_the_budget_of_their_board(game: Game, budget: int) -> None:
    assert scaled_budget(30_000, game) == budget


def test_minimax_looks_no_further_than_the_rules_are_quick() -> None:
    start = Slow(20_000).start()
    assert minimax.best_moves(start) == minimax.best_moves(
        start, budget=scaled_budget(minimax.MAX_SEARCHED_POSITIONS, start.game)
    )
