"""The search, against plain minimax without any pruning, ordering or symmetry."""

from __future__ import annotations

from functools import cache

import pytest

from arena.game import Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.games.search import BudgetSpent, Search, is_small, solve
from tests.boards import random_positions, to_move

Best = tuple[int, tuple[int, ...]]


@cache
def plain_value(position: Position, depth: int) -> int:
    """Negamax to the depth; a win counts the plies left when it is reached, and one."""
    outcome = position.outcome()
    if outcome is not None:
        size = position.game.max_plies - position.ply + 1
        return (
            0 if outcome.winner is None else size if outcome.winner == position.to_move else -size
        )
    if depth == 0:
        return 0
    return max(-plain_value(position.play(move), depth - 1) for move in position.legal_moves())


def plain_best(position: Position, depth: int) -> Best:
    values = {m: -plain_value(position.play(m), depth - 1) for m in position.legal_moves()}
    best = max(values.values())
    return best, tuple(move for move, value in values.items() if value == best)


def left(position: Position) -> int:
    return position.game.max_plies - position.ply


@pytest.mark.slow
def test_a_search_agrees_with_minimax_at_all_4520_positions_of_tictactoe() -> None:
    search, positions = Search(), to_move(mnk_game(3, 3, 3).start())
    assert len(positions) == 4520
    for position in positions:
        depth = left(position)
        assert search.best_moves(position, depth) == plain_best(position, depth), str(position)


@pytest.mark.slow
def test_a_search_of_tictactoe_looks_ahead_exactly_to_its_depth() -> None:
    search = Search()
    for position in to_move(mnk_game(3, 3, 3).start())[::3]:
        for depth in range(1, min(5, left(position)) + 1):
            assert search.best_moves(position, depth) == plain_best(position, depth), str(position)


@pytest.mark.parametrize(
    "board", [(4, 2, 3), (2, 4, 2), (5, 1, 3), (1, 7, 2), (3, 2, 3), (3, 3, 2), (2, 2, 1)]
)
def test_in_all_positions_of_small_boards_it_is_minimax(board: tuple[int, int, int]) -> None:
    search = Search()
    for position in to_move(mnk_game(*board).start()):
        depth = left(position)
        assert search.best_moves(position, depth) == plain_best(position, depth), str(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "plies"),
    [((4, 3, 3), 5), ((4, 3, 4), 4), ((4, 4, 4), 8), ((5, 3, 3), 7), ((5, 3, 4), 7)],
)
def test_in_random_positions_of_larger_boards_it_is_minimax(
    board: tuple[int, int, int], plies: int
) -> None:
    for position in random_positions(mnk_game(*board).start(), plies, 8):
        depth = left(position)
        assert Search().best_moves(position, depth) == plain_best(position, depth), str(position)


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "depth"), [(0, 3), (6, 4), (12, 4), (18, 5), (24, 5), (30, 6)])
def test_a_limited_search_of_connect_four_agrees_with_limited_minimax(
    plies: int, depth: int
) -> None:
    search = Search()
    for position in random_positions(CONNECT4.start(), plies, 6 if plies else 1):
        for horizon in range(1, depth + 1):
            expected = plain_best(position, horizon)
            assert search.best_moves(position, horizon) == expected, str(position)


@pytest.mark.parametrize(
    ("board", "plies", "depth"), [((4, 4, 4), 6, 4), ((5, 5, 4), 9, 3), ((5, 5, 3), 3, 3)]
)
def test_a_limited_search_of_wide_boards_agrees_with_limited_minimax(
    board: tuple[int, int, int], plies: int, depth: int
) -> None:
    search = Search()
    for position in random_positions(mnk_game(*board).start(), plies, 5):
        for horizon in range(1, depth + 1):
            expected = plain_best(position, horizon)
            assert search.best_moves(position, horizon) == expected, str(position)


def test_solving_is_minimax_to_the_end_whatever_was_solved_before() -> None:
    for plies in (2, 1, 0, 2):
        for board in ((3, 3, 3), (3, 3, 2), (2, 3, 2)):
            for position in random_positions(mnk_game(*board).start(), plies, 3):
                assert solve(position) == plain_best(position, left(position))


@pytest.mark.slow
@pytest.mark.parametrize("board", [(3, 3, 3), (4, 4, 4), (4, 3, 4), (3, 4, 4), (5, 2, 3)])
def test_boards_known_to_be_drawn_are_drawn(board: tuple[int, int, int]) -> None:
    game = mnk_game(*board)
    assert Search().best_moves(game.start(), game.max_plies)[0] == 0


@pytest.mark.parametrize("board", [(4, 3, 3), (3, 4, 3), (4, 4, 3), (5, 3, 3)])
def test_three_in_a_row_is_won_on_boards_larger_than_three_by_three(
    board: tuple[int, int, int],
) -> None:
    game = mnk_game(*board)
    assert Search().best_moves(game.start(), game.max_plies)[0] > 0


@pytest.mark.slow
def test_three_in_a_row_on_four_by_three_is_won_at_the_seventh_ply() -> None:
    start = mnk_game(4, 3, 3).start()
    assert Search().best_moves(start, 12)[0] == 12 - 7 + 1
    assert plain_value(start, 6) == 0


def test_a_search_with_a_long_memory_finds_what_a_new_one_finds() -> None:
    old = Search()
    for plies in (10, 16, 22):
        for position in random_positions(CONNECT4.start(), plies, 4):
            assert old.best_moves(position, 4) == Search().best_moves(position, 4)


@pytest.mark.slow
def test_a_search_stops_exactly_when_its_budget_is_spent() -> None:
    start = mnk_game(3, 3, 3).start()
    enough = next(n for n in range(10_000) if searched(start, n) is not None)
    assert enough > 1
    assert searched(start, enough) == searched(start, None) == (0, tuple(range(9)))
    assert searched(start, enough - 1) is None
    assert searched(start, enough + 1) == searched(start, enough)


def searched(position: Position, budget: int | None) -> Best | None:
    try:
        return Search(budget).best_moves(position, left(position))
    except BudgetSpent:
        return None


def test_small_games_have_sixteen_plies_and_first_moves_at_most() -> None:
    assert is_small(mnk_game(4, 4, 4))
    assert is_small(mnk_game(16, 1, 3))
    assert not is_small(mnk_game(17, 1, 3))
    assert not is_small(mnk_game(5, 5, 4))
    assert not is_small(CONNECT4)


def test_a_game_without_transpositions_is_small_up_to_eight_plies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [mnk_game(plies, 1, 3) for plies in (8, 9)]
    assert [*map(is_small, games)] == [True, True]
    for game in games:
        monkeypatch.setitem(vars(game), "transposes", False)
    assert [*map(is_small, games)] == [True, False]
