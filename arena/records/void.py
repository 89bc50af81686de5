"""Hold void pairs: the arena or the machine kept them from being played."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class VoidPairs:
    """Consecutive pairs that are void: the arena or the machine failed in every replay."""

    first: int
    last: int
    reason: str
    #: Whether their games ended the processes that played them: then it may be a player's doing.
    killed: bool = False

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        pairs = f"pair {self.first}" if self.pairs == 1 else f"pairs {self.first} to {self.last}"
        if self.killed:
            return f"workers died again and again while they played {pairs}: {self.reason}"
        return f"{pairs}: {self.reason}"
