"""The parts of which records of several features are made.

A record's ``as_json`` is its stable form: a dict with a ``schema`` key that only ever gains keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

Json = dict[str, Any]


class Record(Protocol):
    """Anything a report can present."""

    def as_json(self) -> Json:
        """The record as JSON types; fractions are strings."""


@dataclass(frozen=True)
class Tally:
    """Games by result, from one player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Fraction:
        """One for a win, a half for a draw."""
        return self.wins + Fraction(self.draws, 2)

    @property
    def score(self) -> float | None:
        """Points a game, from 0 to 1; None without games."""
        return float(self.points / self.games) if self.games else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Tally:
        """The opponent's view."""
        return Tally(self.losses, self.draws, self.wins)

    def as_json(self) -> Json:
        """``{"wins": ..., "draws": ..., "losses": ...}``."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}
