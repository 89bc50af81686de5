"""Hold the words of a referee on a game that it played."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Refereed(Record):
    """A game that a referee played as a whole: its seed, and the scores of both sides."""

    #: The seed that the referee got, which both games of a pair have.
    seed: int
    #: The scores of the first and of the second side; None for a forfeit.
    scores: tuple[float, float] | None

    def __str__(self) -> str:
        scores = f"scores {self.scores[0]} : {self.scores[1]}, " if self.scores else ""
        return f"{scores}the referee's seed is {self.seed}"
