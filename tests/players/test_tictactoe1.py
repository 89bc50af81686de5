"""tictactoe1: win, block, corner, centre, side."""

from __future__ import annotations

import pytest

from arena.player import PlayerInfo
from arena.players import tictactoe1
from tests.boards import winning
from tests.players.ruled import check_everywhere, squares_of

PLAYER = PlayerInfo("tictactoe1", tictactoe1.choose)


def rule(board: list[str]) -> list[int]:
    """Return the squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    if winning(board, me):
        return winning(board, me)[:1]
    if winning(board, opponent):
        return winning(board, opponent)[:1]
    for kind in ((0, 2, 6, 8), (4,), (1, 3, 5, 7)):
        if any(board[s] == "_" for s in kind):
            return [s for s in kind if board[s] == "_"]
    raise AssertionError("the board is full")


@pytest.mark.slow
def test_in_all_4520_positions_it_follows_its_rules() -> None:
    check_everywhere(PLAYER, rule)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("_________", [1, 3, 7, 9]),
        ("x________", [3, 7, 9]),
        ("xx_oo____", [3]),
        ("xx_o_____", [3]),
        ("xxoox____", [8]),
        ("xox_xo_o_", [7]),
        ("xox___oxo", [5]),
        ("xoxox_oxo", [6]),
    ],
)
def test_it_wins_then_blocks_then_prefers_corners(text: str, moves: list[int]) -> None:
    assert squares_of(PLAYER, text) == moves
