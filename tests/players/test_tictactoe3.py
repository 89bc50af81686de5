"""tictactoe3: sidesteps two forks, and takes the centre first."""

from __future__ import annotations

import pytest

from arena.player import PlayerInfo
from arena.players import tictactoe3
from arena.proof.distribution import distribution
from tests.boards import forking, to_move, winning
from tests.players.ruled import START, check_everywhere, squares_of

PLAYER = PlayerInfo("tictactoe3", tictactoe3.choose)


def rule(board: list[str]) -> list[int]:
    """Return the squares between which chance decides."""
    me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
    corners, sides = ([s for s in kind if board[s] == "_"] for kind in ((0, 2, 6, 8), (1, 3, 5, 7)))
    forks = forking(board, opponent)
    if winning(board, me):
        return winning(board, me)[:1]
    if winning(board, opponent):
        return winning(board, opponent)[:1]
    if forking(board, me):
        return forking(board, me)[:1]
    if len(forks) == 1:
        return forks
    if len(forks) == 2 and sides:
        return sides
    if board[4] == "_":
        return [4]
    return corners or sides


@pytest.mark.slow
def test_in_all_4520_positions_it_follows_its_rules() -> None:
    check_everywhere(PLAYER, rule)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("_________", [5]),
        ("____x____", [1, 3, 7, 9]),
        ("x___o___x", [2, 4, 6, 8]),
        ("_x_x____o", [6, 8]),
        ("x___ox___", [3]),
        ("xx_oo____", [3]),
    ],
)
def test_it_makes_a_threat_from_a_side_against_two_forks(text: str, moves: list[int]) -> None:
    assert squares_of(PLAYER, text) == moves


def test_with_three_forks_against_it_goes_on_at_the_centre() -> None:
    seen = 0
    for position in to_move(START):
        board = list(str(position))
        me, opponent = "xo" if board.count("x") == board.count("o") else "ox"
        nothing_nearer = not (winning(board, me) or winning(board, opponent) or forking(board, me))
        if nothing_nearer and len(forking(board, opponent)) >= 3 and board[4] == "_":
            seen += 1
            assert distribution(PLAYER, position) == {4: 1}
    assert seen
