"""How well players can be kept apart on a machine, as a frozen record."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Record, to_json


@dataclass(frozen=True)
class Attempt(Record):
    """Something forbidden that a player attempted in a tier."""

    tier: str
    name: str
    refused: bool
    #: What was seen, and what can be done about it.
    detail: str
    fix: str
    #: Whether the tier promises to refuse it.
    promised: bool


@dataclass(frozen=True)
class Diagnosis(Record):
    """What was attempted in every tier, and which tiers do what they promise."""

    attempts: tuple[Attempt, ...]
    #: The tiers that do, from weakest to strongest; the last is what ``auto`` takes.
    available: tuple[str, ...]

    @property
    def is_strong(self) -> bool:
        """Whether strangers' code can be kept apart: not only in a process of its own."""
        return bool(set(self.available) - {"process"})

    def as_json(self) -> Json:
        """Schema ``arena.doctor/1``."""
        return {
            "schema": "arena.doctor/1",
            "available": list(self.available),
            "auto": self.available[-1] if self.available else None,
            "strong": self.is_strong,
            "attempts": to_json(self.attempts),
        }
