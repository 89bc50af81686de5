"""Players and games of tic-tac-toe: what the tests of a match share."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena.game import Game
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.rng import Stream
from tests.simple import lowest

TICTACTOE = mnk_game(3, 3, 3)
Choose = Callable[[Any, random.Random], Any]


def play(
    first: Choose, second: Choose = lowest, *, game: Game = TICTACTOE, name: str = "g"
) -> GameRecord:
    players = PlayerInfo("first", first), PlayerInfo("second", second)
    return play_game(game, players, name, (Stream(), Stream()))


class EvilIndex:
    """Whatever is asked of it raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error
