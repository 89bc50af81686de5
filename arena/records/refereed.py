"""Hold what a referee says of a game that it played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.model.codec import encode
from arena.records.base import Json


@dataclass(frozen=True)
class Refereed:
    """A game that a referee played as a whole: its seed, and the scores of both sides."""

    #: The seed that the referee got, which both games of a pair have.
    seed: int
    #: The scores of the first and of the second side; None for a forfeit.
    scores: tuple[float, float] | None

    @classmethod
    def read(cls, noted: Any) -> Refereed | None:
        """Return what :func:`refereed_json` wrote.

        Raises TypeError or ValueError for anything else.
        """
        if noted is None:
            return None
        seed, scores = noted["seed"], noted["scores"]
        if scores is not None:
            one, other = scores
            scores = one, other
        if any(type(value) not in (int, float) for value in (seed, *(scores or ()))):
            raise TypeError(f"{noted!r} is not what a referee says")
        return cls(seed, scores)

    def __str__(self) -> str:
        scores = f"scores {self.scores[0]} : {self.scores[1]}, " if self.scores else ""
        return f"{scores}the referee's seed is {self.seed}"


def refereed_json(found: Refereed | None) -> Json:
    """Return the key ``referee`` of a game that a referee played; nothing for another."""
    return {} if found is None else {"referee": encode(found)}
