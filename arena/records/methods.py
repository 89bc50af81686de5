"""Hold the ways that the numbers of a record were computed."""

from __future__ import annotations

from collections.abc import Mapping

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Method(Record):
    """The way that something on a page was computed."""

    #: Its name on the page.
    shown: str
    #: In a sentence.
    method: str
    #: The source that describes it; empty for what needs none.
    source: str
    #: The numbers that went in and that came out besides those on the page.
    numbers: Mapping[str, float | str | None]


@dataclass(frozen=True)
class WithMethods(Record):
    """A record, and how its numbers were computed."""

    KEYS = "*record methods"

    record: Record
    #: The ways that the numbers were computed, with ``--methods``.
    methods: tuple[Method, ...]
