"""The contract of what keeps a run's games while they are played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.fights.counts import Counts
from arena.match import PlayedPair


class Journal(Protocol):
    """Receives every pair of every fight once. A fight's number is its place in the schedule."""

    def pairs(self, fight: int) -> list[PlayedPair]:
        """Return the pairs of a fight that were played before, in ascending order."""

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep these pairs of a fight."""

    def miss(self, fight: int, counts: Counts) -> None:
        """Keep why pairs of a fight are void, and which player is withdrawn."""
