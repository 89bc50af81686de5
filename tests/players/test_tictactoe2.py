"""tictactoe2: as tictactoe1, with two rules on forks after the block."""

from __future__ import annotations

import pytest

from arena.player import PlayerInfo
from arena.players import tictactoe2
from tests.boards import forking, winning
from tests.players.ruled import check_everywhere, squares_of

PLAYER = PlayerInfo("tictactoe2", tictactoe2.choose)


def rule(board: list[str]) -> list[int]:
    """Return the squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    for threats in (winning, forking):
        for mark in (me, opponent):
            if threats(board, mark):
                return threats(board, mark)[:1]
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
        ("xx_oo____", [3]),
        ("x_______o", [3, 7]),
        ("x___o___x", [3]),
        ("xo__x___o", [4]),
        ("_x_x____o", [1]),
    ],
)
def test_it_takes_the_first_fork(text: str, moves: list[int]) -> None:
    assert squares_of(PLAYER, text) == moves
