"""Hold a self-test of the isolation on a machine, as a frozen record."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Record, to_json


@dataclass(frozen=True)
class Attempt(Record):
    """A forbidden act that a player attempted in a tier."""

    tier: str
    name: str
    refused: bool
    #: The observation, and the remedy.
    detail: str
    fix: str
    #: Whether the tier promises to refuse it.
    promised: bool


@dataclass(frozen=True)
class Diagnosis(Record):
    """The attempts in every tier, and the tiers that keep their promises."""

    attempts: tuple[Attempt, ...]
    #: These tiers, from weakest to strongest; ``auto`` takes the last.
    available: tuple[str, ...]

    @property
    def is_strong(self) -> bool:
        """Return whether a tier isolates untrusted players by more than a process."""
        return bool(set(self.available) - {"process"})

    def as_json(self) -> Json:
        """Return schema ``arena.doctor/1``."""
        return {
            "schema": "arena.doctor/1",
            "available": list(self.available),
            "auto": self.available[-1] if self.available else None,
            "strong": self.is_strong,
            "attempts": to_json(self.attempts),
        }
