"""Hold a self-test of the isolation on a machine, as a frozen record."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


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

    SCHEMA = "arena.doctor/1"
    KEYS = "available auto strong=is_strong build attempts modules"

    attempts: tuple[Attempt, ...]
    #: These tiers, from weakest to strongest; ``auto`` takes the last.
    available: tuple[str, ...]
    #: Whether the core of arena is compiled, and if not why; see docs/compiled.md.
    build: str = ""
    #: The attempts of WebAssembly modules; the first one fails where wasmtime is missing.
    modules: tuple[Attempt, ...] = ()

    @property
    def is_strong(self) -> bool:
        """Whether a tier isolates untrusted players by more than a process."""
        return bool(set(self.available) - {"process"})

    @property
    def auto(self) -> str | None:
        """The tier that ``--isolation auto`` takes, or None where no tier works."""
        return self.available[-1] if self.available else None
