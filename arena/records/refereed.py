"""Hold the words of a referee on a game that it played."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.records.base import Record
from arena.seats import MAX_SEATS


@dataclass(frozen=True)
class Refereed(Record):
    """A game that a referee played as a whole: its seed, and the scores of the seats."""

    #: The seed that the referee got, which all games of a pair or a block have.
    seed: int
    #: The scores by seat. They are None for a forfeit that ended the game.
    scores: tuple[float, ...] | None

    def __post_init__(self) -> None:
        if self.scores is not None and not 2 <= len(self.scores) <= MAX_SEATS:
            raise UsageError(f"a referee told {len(self.scores)} scores")

    def __str__(self) -> str:
        scores = f"scores {' : '.join(map(str, self.scores))}, " if self.scores else ""
        return f"{scores}the referee's seed is {self.seed}"
