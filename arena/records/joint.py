"""The table of the pairs of a fight by the results of their two games."""

from __future__ import annotations

from itertools import chain
from operator import add, sub
from typing import Any, NamedTuple

from arena.errors import UsageError
from arena.records.base import Tally
from arena.stats.independence import by_points

#: Most pairs of one kind in a table that is read.
MAX_CELL = 10**12


class Joint(NamedTuple):
    """The number of pairs by their results, as A sees them: l is lost, d is drawn, w is won.

    The first letter is A's result moving first, the second letter its result moving second. The
    sum of two tables is a table, and does not depend on the order.

    >>> Joint(ld=2, ww=1) + Joint(ld=3)
    Joint(ll=0, ld=5, lw=0, dl=0, dd=0, dw=0, wl=0, wd=0, ww=1)
    """

    ll: int = 0
    ld: int = 0
    lw: int = 0
    dl: int = 0
    dd: int = 0
    dw: int = 0
    wl: int = 0
    wd: int = 0
    ww: int = 0

    @classmethod
    def of(cls, first: int, second: int, pairs: int = 1) -> Joint:
        """Return pairs in which A had these doubled points, 0 to 2, moving first and second."""
        cells = [0] * 9
        cells[3 * first + second] = pairs
        return cls._make(cells)

    def __add__(self, other: Joint) -> Joint:  # type: ignore[override]  # cells, not items
        return Joint._make(map(add, self, other))

    def __sub__(self, other: Joint) -> Joint:
        return Joint._make(map(sub, self, other))

    def reversed(self) -> Joint:
        """Return the opponent's view, who moves first in the other game.

        >>> Joint(ld=2, ww=1).reversed()
        Joint(ll=1, ld=0, lw=0, dl=0, dd=0, dw=2, wl=0, wd=0, ww=0)
        """
        places = (3 * first + second for second in range(3) for first in range(3))
        return Joint._make(self[8 - place] for place in places)

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self)

    @property
    def first(self) -> Tally:
        """A's results in the games in which A moved first."""
        return Tally(sum(self[6:]), sum(self[3:6]), sum(self[:3]))

    @property
    def second(self) -> Tally:
        """A's results in the games in which A moved second."""
        return Tally(sum(self[2::3]), sum(self[1::3]), sum(self[::3]))

    @property
    def total(self) -> Tally:
        """A's results in all games."""
        return self.first + self.second

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Pairs by A's points in them: LL, LD, DD or WL, WD, WW."""
        return by_points(self)

    @classmethod
    def from_json(cls, rows: Any) -> Joint:
        """Return the table of three rows of three. Raises UsageError for anything else.

        It is read by hand, because the nine counts do not have names in JSON.
        """
        is_square = isinstance(rows, list) and [*map(len, filter(_is_list, rows))] == [3, 3, 3]
        cells = list(chain.from_iterable(rows)) if is_square and len(rows) == 3 else [None]
        if any(type(cell) is not int or not 0 <= cell <= MAX_CELL for cell in cells):
            raise UsageError("expected three rows of three counts")
        return cls._make(cells)

    def as_json(self) -> list[list[int]]:
        """Return three rows of three, written by hand: a row for each result moving first."""
        return [list(self[:3]), list(self[3:6]), list(self[6:])]


#: No pairs at all.
NOTHING = Joint()


def _is_list(value: object) -> bool:
    return isinstance(value, list)
