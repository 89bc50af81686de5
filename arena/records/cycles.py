"""Hold the players of a tournament that beat each other in a circle."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Cycle(Record):
    """Three players, each of which beats the next one, and the last the first."""

    players: tuple[str, str, str]
    #: The mean score of each against the next one.
    scores: tuple[float, float, float]


@dataclass(frozen=True)
class Cycles(Record):
    """The cycles beyond chance, and the method. See :mod:`arena.stats.cycles`."""

    #: The chance that a single one of them is false is at most this.
    error: float
    #: The number of triples whose players all met.
    triples: int
    #: Standard errors by which each of the three results had to exceed a half.
    critical_value: float
    #: Number of cycles.
    count: int
    #: The first of them, the strongest first.
    strongest: tuple[Cycle, ...]
