"""The heuristic player: an ordered list of rules, chance decides within each."""

from __future__ import annotations

import pytest

from arena.player import PlayerInfo
from arena.players import heuristic
from arena.proof.distribution import distribution
from tests.boards import forking, to_move, winning
from tests.players.ruled import START, check_everywhere, squares_of

PLAYER = PlayerInfo("heuristic", heuristic.choose)


def rule(board: list[str]) -> list[int]:
    """Return the squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    corners = [s for s in (0, 2, 6, 8) if board[s] == "_"]
    opposite = {0: 8, 2: 6, 6: 2, 8: 0}
    candidates = [
        winning(board, me),
        winning(board, opponent),
        forking(board, me),
        forking(board, opponent),
        [s for s in (4,) if board[s] == "_"],
        [s for s in corners if board[opposite[s]] == opponent],
        corners,
        [s for s in (1, 3, 5, 7) if board[s] == "_"],
    ]
    return next(squares for squares in candidates if squares)


@pytest.mark.slow
def test_in_all_4520_positions_it_follows_its_rules() -> None:
    check_everywhere(PLAYER, rule)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("_________", [5]),
        ("xx_oo____", [3]),
        ("xx_xoo__o", [3, 7]),
        ("xo__x___o", [4, 7]),
        ("_x_x____o", [1, 5]),
        ("o___x____", [9]),
        ("____x____", [1, 3, 7, 9]),
    ],
)
def test_chance_decides_within_a_rule(text: str, moves: list[int]) -> None:
    assert squares_of(PLAYER, text) == moves


def test_the_corners_taken_are_opposite_the_opponents() -> None:
    assert heuristic.opposite_corners(START.game.parse("x__o__x__")) == (2, 8)
    assert heuristic.opposite_corners(START.game.parse("o__x_____")) == (8,)
    assert heuristic.opposite_corners(START.game.parse("x___o____")) == ()


def test_it_takes_a_corner_opposite_the_opponents_and_not_its_own() -> None:
    seen = 0
    for position in to_move(START):
        board = list(str(position))
        me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
        forced = any(f(board, mark) for f in (winning, forking) for mark in (me, opponent))
        if not forced and board[4] != "_" and heuristic.opposite_corners(position):
            seen += 1
            assert all(board[8 - s] == opponent for s in distribution(PLAYER, position))
    assert seen
