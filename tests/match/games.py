"""Players and games of tic-tac-toe: what the tests of a match share."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena.errors import IllegalMove
from arena.game import Game, Outcome, Position
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


class Count(Game):
    """Six plies of one move, and then a draw; at a ply something breaks."""

    name, max_plies = "count", 6

    def __init__(self, breach: str = "", ply: int = 0) -> None:
        self.breach, self.ply = breach, ply

    def start(self) -> Number:
        return Number(self, 0)

    def parse(self, text: str) -> Number:
        return Number(self, int(text))

    def format_move(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        return int(text)


class Number(Position):
    def __init__(self, game: Count, ply: int) -> None:
        self._game, self._ply = game, ply

    def _breaks(self, what: str) -> bool:
        return self._game.breach == what and self._ply >= self._game.ply

    @property
    def game(self) -> Count:
        return self._game

    @property
    def ply(self) -> int:
        return self._ply

    def legal_moves(self) -> tuple[int, ...]:
        if self._breaks("moves raise"):
            raise KeyError("moves")
        return (0,) if self._ply < 6 or self._breaks("endless") else ()

    def play(self, move: int) -> Any:
        if self._breaks("play raises"):
            raise KeyError("play")
        if move or self._breaks("play refuses"):
            raise IllegalMove("no")
        return Number(self._game, self._ply + 1)

    def outcome(self) -> Any:
        if self._breaks("outcome raises"):
            raise KeyError("outcome")
        if self._breaks("outcome is a text"):
            return "garbage"
        return Outcome.DRAW if self._ply >= 6 and not self._breaks("endless") else None

    def picture(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return str(self._ply)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self._ply == other._ply

    def __hash__(self) -> int:
        return hash(self._ply)
