"""tictactoe1: win, block, corner, centre, side."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.players import tictactoe1
from arena.proof.distribution import distribution
from tests.boards import to_move, winning

PLAYER = PlayerInfo("tictactoe1", tictactoe1.choose)
START = mnk_game(3, 3, 3).start()


def rule(board: list[str]) -> list[int]:
    """The squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    if winning(board, me):
        return winning(board, me)[:1]
    if winning(board, opponent):
        return winning(board, opponent)[:1]
    for kind in ((0, 2, 6, 8), (4,), (1, 3, 5, 7)):
        if any(board[s] == "_" for s in kind):
            return [s for s in kind if board[s] == "_"]
    raise AssertionError("the board is full")


def test_in_all_4520_positions_it_follows_its_rules() -> None:
    positions = to_move(START)
    assert len(positions) == 4520
    for position in positions:
        squares = rule(list(str(position)))
        expected = {square: Fraction(1, len(squares)) for square in squares}
        assert distribution(PLAYER, position) == expected, str(position)


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
    position = START.game.parse(text)
    assert [move + 1 for move in distribution(PLAYER, position)] == moves
