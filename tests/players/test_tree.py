"""The player that counts the game tree, against counting games played on strings."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.players import tree
from arena.proof.distribution import distribution
from tests.boards import LINES

PLAYER = PlayerInfo("tree", tree.choose)
GAME = mnk_game(3, 3, 3)


def winner(board: str) -> str:
    """``x``, ``o``, ``draw``, or nothing while the game goes on."""
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != "_":
            return board[a]
    return "" if "_" in board else "draw"


def mark(board: str) -> str:
    return "x" if board.count("x") == board.count("o") else "o"


def after(board: str) -> dict[int, str]:
    """Return the board after each move."""
    return {
        s: board[:s] + mark(board) + board[s + 1 :] for s, free in enumerate(board) if free == "_"
    }


@cache
def games(board: str) -> Counter[str]:
    """Complete games from the board on, by result."""
    over = winner(board)
    if over:
        return Counter([over])
    return sum((games(b) for b in after(board).values()), Counter())


def best(board: str) -> int:
    me, them = ("x", "o") if mark(board) == "x" else ("o", "x")
    counts = {square: games(b) for square, b in after(board).items()}
    if any(c[me] for c in counts.values()):
        worth = {s: Fraction(c[me], c.total()) for s, c in counts.items()}
    elif any(c["draw"] for c in counts.values()):
        worth = {s: Fraction(c["draw"]) for s, c in counts.items()}
    else:
        worth = {s: Fraction(-c[them]) for s, c in counts.items()}
    return min(s for s in worth if worth[s] == max(worth.values()))


def reachable() -> list[str]:
    result, waiting = {"_" * 9}, ["_" * 9]
    while waiting:
        for board in after(waiting.pop()).values():
            if board not in result and not winner(board):
                result.add(board)
                waiting.append(board)
    return sorted(result)


def test_all_255168_games_are_counted_by_result() -> None:
    assert tree.count(GAME.start()) == (131184, 77904, 46080)
    assert sum(tree.count(GAME.start())) == 255168


@pytest.mark.slow
def test_in_all_4520_positions_it_plays_by_the_counts() -> None:
    boards = reachable()
    assert len(boards) == 4520
    for board in boards:
        assert distribution(PLAYER, GAME.parse(board)) == {best(board): 1}, board


def test_games_are_counted_from_every_position() -> None:
    for board in reachable()[::7]:
        expected = games(board)
        assert tree.count(GAME.parse(board)) == (expected["x"], expected["o"], expected["draw"])


@pytest.mark.parametrize(
    ("board", "counts"),
    [
        # The centre, where x wins 15648 of 25872 games, against 14652 of 27732 in a corner.
        ("_________", {1: (14652, 7896, 5184), 2: (14232, 10176, 5184), 5: (15648, 5616, 4608)}),
        # Not 3, which blocks: the opponent's blunders count as much as what it would do.
        ("xx__o____", {3: (22, 48, 24), 7: (29, 36, 0), 8: (47, 20, 12)}),
    ],
)
def test_worked_positions(board: str, counts: dict[int, tuple[int, int, int]]) -> None:
    position = GAME.parse(board)
    assert {n: tree.count(position.play(n - 1)) for n in counts} == counts
    me = position.to_move
    chosen = max(counts, key=lambda n: Fraction(counts[n][me], sum(counts[n])))
    assert distribution(PLAYER, position) == {chosen - 1: 1}
