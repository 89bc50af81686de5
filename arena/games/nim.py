"""Nim: take any number of counters from one heap. The side that takes the last counter wins.

A move is ``SPAN * heap + taken``. Its text is the letter of the heap and the number, ``b3``. The
text of a position has the heaps and the number of moves so far: ``3-1-5@2``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, numeral, quoted
from arena.game import Outcome, Position
from arena.games.sealed import SealedGame

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram

#: Most counters of a heap, and one more than that.
MAX_COUNTERS = 99
SPAN = MAX_COUNTERS + 1

_POSITION = r"([0-9]{1,2}(?:-[0-9]{1,2})*)@([0-9]{1,3})"
_MOVE = r"([a-z])([1-9][0-9]?)"


class _NimFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Nim
    heaps: tuple[int, ...]
    ply: int


class NimPosition(_NimFields, Position):
    """A position of nim: the counters of each heap, and the number of moves so far."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return every number of counters of every heap, ascending."""
        heaps = enumerate(self.heaps)
        return tuple(
            SPAN * heap + count for heap, counters in heaps for count in range(1, counters + 1)
        )

    def play(self, move: int) -> Self:
        """Return the position after the counters are taken."""
        heap, count = divmod(move, SPAN)
        if not (0 <= heap < len(self.heaps) and 1 <= count <= self.heaps[heap]):
            raise IllegalMove(f"move {quoted(numeral(move))} takes what is not in {str(self)!r}")
        heaps = (*self.heaps[:heap], self.heaps[heap] - count, *self.heaps[heap + 1 :])
        return type(self)(self.game, heaps, self.ply + 1)

    def outcome(self) -> Outcome | None:
        """Return the side that took the last counter."""
        if any(self.heaps):
            return None
        return Outcome.FIRST_WINS if self.ply % 2 else Outcome.SECOND_WINS

    def diagram(self) -> Diagram:
        """Return a heap a row, as wide as the largest one was."""
        from arena.games.diagrams import letters
        from arena.pictures.diagram import FREE, Diagram

        rows, columns = len(self.heaps), max(self.game.heaps)
        cells = "".join(("|" * counters).ljust(columns, FREE) for counters in self.heaps)
        return Diagram(columns, rows, cells, "counters", down=letters(rows))

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the places of the counters that are taken."""
        heap, count = divmod(move, SPAN)
        counters = self.heaps[heap] + count * is_played
        begin = max(self.game.heaps) * heap
        return tuple(range(begin + counters - count, begin + counters))

    def picture(self) -> str:
        """Draw a heap a line, under its letter."""
        return "\n".join(
            f"{chr(ord('a') + heap)} {'|' * counters}".rstrip()
            for heap, counters in enumerate(self.heaps)
        )

    def __str__(self) -> str:
        return f"{'-'.join(map(str, self.heaps))}@{self.ply}"


class Nim(SealedGame):
    """The rules of nim with these heaps. Get a game from :func:`nim_game`."""

    def __init__(self, heaps: tuple[int, ...]) -> None:
        self.name = "nim" if heaps == USUAL_HEAPS else f"nim-{'-'.join(map(str, heaps))}"
        self.heaps = heaps
        self.max_plies = sum(heaps)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        heaps = ", ".join(f"{chr(ord('a') + n)} with {each}" for n, each in enumerate(self.heaps))
        return (
            f"There are heaps of counters: {heaps}. Two players take turns. A move takes counters,"
            " one or more, from one heap. The player that takes the last counter of all wins. A"
            " move is the letter of the heap and the number of counters: a2 takes two of heap a."
        )

    def start(self) -> NimPosition:
        """Return the whole heaps."""
        return NimPosition(self, self.heaps, 0)

    def parse(self, text: str) -> NimPosition:
        """Read a position such as ``3-1-5@2``."""
        match = re.fullmatch(_POSITION, text)
        if match is None:
            raise PositionError(f"position {quoted(text)} is not like {str(self.start())!r}")
        heaps, ply = tuple(map(int, match[1].split("-"))), int(match[2])
        count = [whole - remaining for whole, remaining in zip(self.heaps, heaps, strict=False)]
        if len(heaps) != len(self.heaps) or min(count) < 0:
            raise PositionError(f"position {quoted(text)} is not of the heaps of {self.name}")
        if not sum(map(bool, count)) <= ply <= sum(count):
            raise PositionError(f"position {quoted(text)} does not come after {ply} moves")
        return NimPosition(self, heaps, ply)

    def format_move(self, move: int) -> str:
        """Return the letter of the heap, and the number of counters that are taken."""
        heap, count = divmod(move, SPAN)
        return f"{chr(ord('a') + heap)}{count}"

    def parse_move(self, text: str) -> int:
        """Return the move of a text such as ``b3``."""
        match = re.fullmatch(_MOVE, text)
        if match is None or ord(match[1]) - ord("a") >= len(self.heaps):
            raise MoveError(f"move {quoted(text)} is not a heap of {self.name} and a number: a1")
        return SPAN * (ord(match[1]) - ord("a")) + int(match[2])

    def __reduce__(self) -> tuple[Any, ...]:
        return nim_game, self.heaps


#: The heaps of ``nim``, as in Bouton, "Nim, a game with a complete mathematical theory" (1901).
USUAL_HEAPS = (3, 4, 5)


def nim_game(*heaps: int) -> Nim:
    """Return nim with these heaps, 3, 4 and 5 without any.

    >>> print(nim_game().start().picture())
    a |||
    b ||||
    c |||||
    """
    for counters in heaps:
        if not 1 <= counters <= MAX_COUNTERS:
            raise UsageError(f"a heap of {counters} counters: must be 1 to {MAX_COUNTERS}")
    return _nim_game(heaps or USUAL_HEAPS)


@cache
def _nim_game(heaps: tuple[int, ...]) -> Nim:
    return Nim(heaps)
