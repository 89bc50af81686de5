"""Players of tic-tac-toe that follow rules, and chance decides within each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.proof.distribution import distribution
from tests.boards import to_move

START = mnk_game(3, 3, 3).start()


def check_everywhere(player: PlayerInfo, rule: Callable[[list[str]], list[int]]) -> None:
    """Check that a player draws among just the squares of its rule in all 4520 positions."""
    positions = to_move(START)
    assert len(positions) == 4520
    for position in positions:
        squares = rule(list(str(position)))
        expected = {square: Fraction(1, len(squares)) for square in squares}
        assert distribution(player, position) == expected, str(position)


def squares_of(player: PlayerInfo, text: str) -> list[int]:
    """List the numbers of the squares that a player may take."""
    return [move + 1 for move in distribution(player, START.game.parse(text))]
