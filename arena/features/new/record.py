"""Hold the files of a new project, or of a workflow in one."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Scaffold(Record):
    """The files that were written, and the commands to go on with."""

    SCHEMA = "arena.scaffold/1"

    #: ``player``, ``game``, ``plugin``, ``tournament``, ``contest``, ``league`` or ``ci``.
    kind: str
    name: str
    #: Where its files lie, below the folder that the command was called in.
    files: tuple[str, ...]
    #: The commands to call next, in this order.
    next: tuple[str, ...]
