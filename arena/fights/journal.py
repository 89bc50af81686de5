"""What fights ask of a store while they are played: it keeps pairs, and tells those that it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.fights.counts import Counts
from arena.match import PlayedPair
from arena.records.fights import FightResult


class Journal(Protocol):
    """Keeps one run. ``fight`` is the place of a pairing among those of the run, from 0.

    Only the process that keeps the score writes, one call at a time. When a call returns, what it
    was given is kept even if the process is killed next. All methods raise StoreError if the store
    fails.
    """

    @property
    def address(self) -> str:
        """The store and the run, as the command ``arena resume`` takes them."""

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """Return the played pairs of a fight, ascending by their numbers."""

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep pairs of a fight, each whole or not at all; of a pair without games keep why."""

    def miss(self, fight: int, counts: Counts) -> None:
        """Keep why pairs of a fight are void, and who is withdrawn."""

    def finish(self, results: Sequence[FightResult]) -> None:
        """Note the results of all fights; the run is complete unless one of them is unfinished."""
