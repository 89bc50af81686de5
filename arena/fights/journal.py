"""Define what fights ask of a store while they are played: it keeps pairs, and tells which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from arena.fights.counts import Counts
from arena.match.record import PlayedPair
from arena.records.fought import Fought


class PairRecord(Protocol):
    """The pairs of one run. ``fight`` is a pairing's place among those of the run, from 0.

    All methods raise StoreError if the store fails.
    """

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """Return the played pairs of a fight, ascending by their numbers."""

    def void_counts(self, fight: int) -> Counts:
        """Return the void pairs of a fight, and which of its players is withdrawn."""


class PairJournal(PairRecord, Protocol):
    """Keep the pairs of one run.

    Only the process that keeps the score writes, one call at a time. When a call returns, what it
    was given is kept even if the process is killed next.
    """

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep pairs of a fight, each whole or not at all. Of a pair without games keep the
        reason.
        """

    def miss(self, fight: int, counts: Counts) -> None:
        """Keep why pairs of a fight are void, and which player is withdrawn."""


class Journal(PairJournal, Protocol):
    """Keep one run from its pairs to its results."""

    @property
    def address(self) -> str:
        """The store and the run, as the command ``arena resume`` takes them."""

    def finish(
        self, results: Mapping[int, Fought], is_over: bool = True, by_rounds: bool = False
    ) -> None:
        """Note the results of the fights that have begun, by their places.

        The run is complete unless one of them is unfinished, or it is not over. Of a complete run
        by rounds it keeps no pairs but theirs: rounds may have asked for others before the games of
        a dismissed worker were played again.
        """
