"""Define the parts of records of several features.

A record's ``as_json`` is its stable form: a dict with a ``schema`` key that only ever gains keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, cast

Json = dict[str, Any]


def to_json(value: Any) -> Any:
    """Return a value as JSON types: fractions as text, tuples as lists, records as objects."""
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Fraction) else value


class Record:
    """Anything that a report can show: a frozen dataclass with its JSON."""

    #: Name of the schema, for a record that stands alone.
    SCHEMA: ClassVar[str] = ""
    #: Attributes that are its keys, in order, with blanks between; empty for all fields.
    KEYS: ClassVar[str] = ""

    def as_json(self) -> Json:
        """Return the schema, if there is one, and the attributes under their names."""
        keys = self.KEYS.split() or [field.name for field in fields(cast("Any", self))]
        schema = {"schema": self.SCHEMA} if self.SCHEMA else {}
        return {**schema, **{key: to_json(getattr(self, key)) for key in keys}}


@dataclass(frozen=True)
class Tally(Record):
    """Games by result, from one player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Fraction:
        """One for a win, a half for a draw."""
        return self.wins + Fraction(self.draws, 2)

    @property
    def score(self) -> float | None:
        """Points per game, from 0 to 1; None without games."""
        return float(self.points / self.games) if self.games else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Tally:
        """Return the opponent's view."""
        return Tally(self.losses, self.draws, self.wins)
