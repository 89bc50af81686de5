"""An observation that serves most games: the events that a seat saw, in order, and its moves.

The text of a view is ``0: K bet | fold call``: the seat, the events, and the legal moves of the
seat, of which there are none while it is not to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from arena.errors import MoveError, PositionError, quoted
from arena.game import Game, Observation
from arena.games.identity import EqualByFacts

_TEXT = re.compile(r"(0|[1-9]\d*):((?: [^\s|]+)*) \|((?: [^\s|]+)*)", re.ASCII)


class _ViewFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Game
    seat: int
    #: What the seat saw and did, in order: words without blanks and ``|``.
    events: tuple[str, ...]
    moves: tuple[int, ...] = ()


class View(EqualByFacts, _ViewFields, Observation):
    """The events that a seat saw, its own moves among them, and the moves that it may make."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat."""
        return self.moves

    @property
    def facts(self) -> tuple[Game, int, tuple[str, ...], bool]:
        """The game, the seat, the events, and whether the seat is to move."""
        return self.game, self.seat, self.events, bool(self.moves)

    def __str__(self) -> str:
        moves = map(self.game.format_move, self.moves)
        return f"{self.seat}:{_spaced(self.events)} |{_spaced(moves)}"

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"

    @classmethod
    def parse(cls, game: Game, text: str) -> Self:
        """Return the view that the text describes. Raises PositionError with the problem."""
        match = _TEXT.fullmatch(text)
        if match is None or int(match[1]) >= game.seats:
            raise PositionError(
                f"observation {quoted(text)} is not like '0: WORD WORD | MOVE MOVE': the seat, what"
                " it saw, and its legal moves, in words without blanks and bars"
            )
        try:
            moves = tuple(map(game.parse_move, match[3].split()))
        except MoveError as error:
            raise PositionError(f"observation {quoted(text)}: {error}") from None
        return cls(game, int(match[1]), tuple(match[2].split()), moves)


def _spaced(words: Iterable[str]) -> str:
    return "".join(f" {word}" for word in words)
