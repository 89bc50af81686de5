"""Hold the parts that were copied from one store to another, as frozen records."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record

#: The states of a part: it is copied and read back, or the other store had it already.
COPIED, PRESENT = "copied", "present"


@dataclass(frozen=True)
class CopiedPart(Record):
    """A run, a regression run, an import or a contest, and its state."""

    #: ``run``, ``regression run``, ``import`` or ``contest``.
    kind: str
    #: Its numbers in the source and in the target.
    number: int
    number_there: int
    #: ``copied`` or ``present``.
    state: str
    #: Games of a run or an import, verdicts of a regression run, hand-ins of a contest.
    size: int
    #: Whether a process plays the run, so that it grows.
    is_played: bool = False


@dataclass(frozen=True)
class CopyReport(Record):
    """The parts of a store, in their order."""

    SCHEMA = "arena.copy/1"
    KEYS = "source target whole parts"

    source: str
    target: str
    parts: tuple[CopiedPart, ...]

    @property
    def whole(self) -> bool:
        """Whether no part that was copied still grows."""
        return not any(part.is_played for part in self.parts)

    def count(self, state: str, kind: str) -> int:
        """Return the number of the parts of a kind in a state."""
        return sum((part.state, part.kind) == (state, kind) for part in self.parts)
