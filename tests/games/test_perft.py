"""How many positions and games there are, against enumerations published and done by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.game import Outcome, Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import MnkPosition, mnk_game

Board = tuple[int, int, int]


def layers(start: Position, plies: int) -> list[set[Position]]:
    """Return the different positions after 0, 1, 2, ... plies."""
    results = [{start}]
    for _ in range(plies):
        results.append({p.play(move) for p in results[-1] for move in p.legal_moves()})
    return results


def games_from(position: Position, known: dict[Position, Counter[object]]) -> Counter[object]:
    """Return the games that go on from a position by outcome, and the nodes of their tree."""
    if position not in known:
        outcome = position.outcome()
        total: Counter[object] = Counter({"nodes": 1})
        if outcome is not None:
            total[outcome] += 1
        for move in position.legal_moves():
            total.update(games_from(position.play(move), known))
        known[position] = total
    return known[position]


def naive_perft(board: Board, letters: list[str], last: int | None, plies: int) -> int:
    """Sequences of moves of that length, on a list of letters, looking at the last mark only."""
    columns, rows, k = board
    if plies == 0:
        return 1
    if last is not None and any(
        run(board, letters, last, down, right) + run(board, letters, last, -down, -right) > k
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    ):
        return 0
    mark = "ox"[letters.count("_") % 2 == columns * rows % 2]
    count = 0
    for square, letter in enumerate(letters):
        if letter == "_":
            letters[square] = mark
            count += naive_perft(board, letters, square, plies - 1)
            letters[square] = "_"
    return count


def run(board: Board, letters: list[str], square: int, down: int, right: int) -> int:
    """How many equal marks follow each other from the square on in one direction."""
    columns, rows, _ = board
    row, column = divmod(square, columns)
    length = 0
    while (
        0 <= row < rows
        and 0 <= column < columns
        and letters[row * columns + column] == letters[square]
    ):
        length, row, column = length + 1, row + down, column + right
    return length


def perft(position: Position, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(perft(position.play(move), plies - 1) for move in position.legal_moves())


def tictactoe_positions() -> set[MnkPosition]:
    positions = set().union(*layers(mnk_game(3, 3, 3).start(), 9))
    return {p for p in positions if isinstance(p, MnkPosition)}


def test_tictactoe_has_5478_positions_and_4520_with_a_move_to_make() -> None:
    positions = tictactoe_positions()
    assert len(positions) == 5478
    assert sum(bool(position.legal_moves()) for position in positions) == 4520


def test_tictactoe_has_765_positions_up_to_symmetry() -> None:
    assert len({position.canonical() for position in tictactoe_positions()}) == 765


def test_tictactoe_has_255168_games_in_a_tree_of_549946_nodes() -> None:
    total = games_from(mnk_game(3, 3, 3).start(), {})
    assert total == {
        "nodes": 549946,
        Outcome.FIRST_WINS: 131184,
        Outcome.SECOND_WINS: 77904,
        Outcome.DRAW: 46080,
    }


@pytest.mark.slow
def test_connect_four_has_as_many_positions_by_ply_as_published() -> None:
    counts = [len(layer) for layer in layers(CONNECT4.start(), 8)]
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


@pytest.mark.parametrize(
    ("board", "plies"),
    [
        ((3, 3, 3), 6),
        ((4, 3, 3), 5),
        ((3, 4, 3), 5),
        ((4, 4, 4), 4),
        ((2, 3, 2), 6),
        ((5, 1, 3), 5),
        ((6, 2, 2), 4),
        ((2, 2, 1), 3),
    ],
)
def test_games_count_as_in_a_naive_implementation(board: Board, plies: int) -> None:
    empty = ["_"] * (board[0] * board[1])
    for depth in range(plies + 1):
        assert perft(mnk_game(*board).start(), depth) == naive_perft(board, empty, None, depth)
