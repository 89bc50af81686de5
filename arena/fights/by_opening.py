"""Count pairs by the opening that they began from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.records.joint import NOTHING, Joint

#: The same pairs twice: as they were played, and with both games lost by a player that alone
#: forfeited.
Tables = tuple[Joint, Joint]


class FirstPair(NamedTuple):
    """The first pair from an opening."""

    pair: int
    tables: Tables


@dataclass
class ByOpening:
    """Pairs by the opening that they began from. A sum does not depend on the order."""

    pairs: dict[str, Tables] = field(default_factory=dict)
    #: How many openings have the same tables; a test asks after every batch, so it is kept.
    alike: Counter[Tables] = field(default_factory=Counter)
    #: The first pair of each opening, and the sum of them all.
    first: dict[str, FirstPair] = field(default_factory=dict)
    sum_of_first: Tables = NOTHING, NOTHING

    def add(self, opening: str, played: Joint, counted: Joint) -> None:
        """Add pairs that began from this opening."""
        before = self.pairs.get(opening)
        if before is not None:
            self.alike[before] -= 1
            if not self.alike[before]:
                del self.alike[before]
            played, counted = before[0] + played, before[1] + counted
        self.pairs[opening] = played, counted
        self.alike[played, counted] += 1

    def meet(self, opening: str, pair: int, tables: Tables) -> None:
        """Note a pair, which :meth:`add` adds, as the first of its opening if it is."""
        first = self.first.get(opening)
        if first is not None and first.pair <= pair:
            return
        self.first[opening] = FirstPair(pair, tables)
        before = (NOTHING, NOTHING) if first is None else first.tables
        played, counted = self.sum_of_first
        self.sum_of_first = played + tables[0] - before[0], counted + tables[1] - before[1]

    def update(self, other: ByOpening) -> None:
        """Add the pairs of another part of the fight."""
        for opening, (played, counted) in other.pairs.items():
            self.add(opening, played, counted)
        for opening, first in other.first.items():
            self.meet(opening, *first)

    def counted(self, as_played: bool) -> tuple[tuple[Joint, int], ...]:
        """Return the tables of the pairs of an opening, and how many openings have each."""
        tables: Counter[Joint] = Counter()
        for (played, counted), openings in self.alike.items():
            tables[played if as_played else counted] += openings
        return tuple(sorted(tables.items()))

    def first_pairs(self, as_played: bool) -> Joint:
        """Return the sum of the first pairs of all openings."""
        return self.sum_of_first[not as_played]
