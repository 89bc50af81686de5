"""tictactoe2: as tictactoe1, with two rules on forks after the block."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.players import tictactoe2
from arena.proof.distribution import distribution
from tests.boards import forking, to_move, winning

PLAYER = PlayerInfo("tictactoe2", tictactoe2.choose)
START = mnk_game(3, 3, 3).start()


def rule(board: list[str]) -> list[int]:
    """The squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    for threats in (winning, forking):
        for mark in (me, opponent):
            if threats(board, mark):
                return threats(board, mark)[:1]
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
        ("xx_oo____", [3]),
        ("x_______o", [3, 7]),
        ("x___o___x", [3]),
        ("xo__x___o", [4]),
        ("_x_x____o", [1]),
    ],
)
def test_it_takes_the_first_fork(text: str, moves: list[int]) -> None:
    position = START.game.parse(text)
    assert [move + 1 for move in distribution(PLAYER, position)] == moves
