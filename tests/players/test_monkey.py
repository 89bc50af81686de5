"""The monkey: any legal move, each as likely as the others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.game import Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.players import monkey
from arena.proof.distribution import distribution
from tests.boards import to_move

MONKEY = PlayerInfo("monkey", monkey.choose)
START = mnk_game(3, 3, 3).start()


@pytest.mark.slow
def test_in_all_4520_positions_every_free_square_is_equally_likely() -> None:
    positions = to_move(START)
    assert len(positions) == 4520
    for position in positions:
        free = [square for square, letter in enumerate(str(position)) if letter == "_"]
        expected = {square: Fraction(1, len(free)) for square in free}
        assert distribution(MONKEY, position) == expected, str(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "moves"), [(CONNECT4.start(), 7), (mnk_game(20, 20, 5).start(), 400)]
)
def test_it_plays_any_game(start: Position, moves: int) -> None:
    assert distribution(MONKEY, start) == dict.fromkeys(range(moves), Fraction(1, moves))
