"""Hold what was copied from one store to another, as frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Record

#: What may become of a part: it is copied and read back, it was there, or somebody plays it.
COPIED, KNOWN, BUSY = "copied", "known", "busy"


@dataclass(frozen=True)
class Copied(Record):
    """A run, a night or an import, and what became of it."""

    #: ``run``, ``night`` or ``import``, and its numbers in both stores; None where it is not.
    kind: str
    number: int
    number_there: int | None
    #: ``copied``, ``known`` or ``busy``.
    state: str
    #: Games of a run or an import, verdicts of a night.
    size: int


@dataclass(frozen=True)
class CopyReport(Record):
    """The parts of a store, in their order, and what became of each."""

    SCHEMA = "arena.copy/1"
    KEYS = "source target whole parts"

    source: str
    target: str
    parts: tuple[Copied, ...]

    @property
    def whole(self) -> bool:
        """Return whether the other store has every part now."""
        return all(part.state != BUSY for part in self.parts)

    def count(self, state: str, kind: str) -> int:
        """Return the number of the parts of a kind in a state."""
        return sum((part.state, part.kind) == (state, kind) for part in self.parts)
