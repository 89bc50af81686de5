"""Positions that are the moves which lead there: their text, their equals, their pickles."""

from __future__ import annotations

from typing import Any, TypeVar

from arena.errors import IllegalMove, MoveError, PositionError, quoted
from arena.game import Position
from arena.games.identity import EqualByFacts
from arena.games.words import START

P = TypeVar("P", bound=Position)


class PositionByMoves(EqualByFacts, Position):
    """A position of a game that only the moves so far tell. It stands before the fields of a class,
    whose tuple would compare and hash all of them.
    """

    __slots__ = ()

    #: All moves so far, those of chance among them.
    moves: Any

    @property
    def ply(self) -> int:
        """The number of moves so far, those of chance among them."""
        return len(self.moves)

    def __str__(self) -> str:
        return " ".join(map(self.game.format_move, self.moves)) or START

    @property
    def facts(self) -> tuple[str, Any]:
        """The name of the game, and the moves."""
        return self.game.name, self.moves

    def __reduce__(self) -> tuple[Any, ...]:
        return self.game.parse, (str(self),)


def after_moves(start: P, text: str) -> P:
    """Return the position after the moves in a text. Raises PositionError with the problem."""
    position = start
    try:
        for word in text.split(" ") if text != START else ():
            position = position.play(position.game.parse_move(word))
    except (MoveError, IllegalMove) as error:
        raise PositionError(f"position {quoted(text)}: {error}") from None
    return position
