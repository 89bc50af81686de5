"""List players, games, plugins and runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from arena.dataclass import dataclass
from arena.records.base import Json, Record


@dataclass(frozen=True)
class Listing(Record):
    """Rows of the same keys, for the commands that list things."""

    #: The key of the rows, and the name of the schema: ``players`` for ``arena.players/1``.
    kind: str
    rows: tuple[Mapping[str, Any], ...]
    #: Columns of the table for users, a subset of the rows' keys; JSON has them all.
    columns: tuple[str, ...]
    #: Plugins that were left out, with the reason, each with the keys ``plugin`` and ``error``.
    broken: tuple[Json, ...] | None = field(default=None)
    #: A line above the table.
    title: str = ""
    #: Lists of other things, shown below if they are not empty.
    more: tuple[Listing, ...] = ()
    #: The schema if it has another name, such as ``arena.browse/1``.
    schema: str = ""
    #: Where the players of listed games come from whose names do not say it.
    specs: Mapping[str, str] = field(default_factory=dict)
    #: The limits of their processes, which JSON has not.
    limits: Mapping[str, Json] = field(default_factory=dict)
    #: More of the rows by their names, which JSON has not.
    details: Mapping[str, Json] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The number of the rows, and as many of their names as a line has room for."""
        names = (str(row.get("name", row[self.columns[0]])) for row in self.rows)
        return f"{self.kind} ({len(self.rows)}): {', '.join(names)}"

    def as_json(self) -> Json:
        """Return schema ``arena.KIND/1``, or the other one.

        It is written by hand, because the key of the rows and the schema are values.
        """
        broken = {} if self.broken is None else {"broken": list(self.broken)}
        rows = {listing.kind: list(listing.rows) for listing in (self, *self.more)}
        specs = {"specs": dict(self.specs)} if self.specs else {}
        return {"schema": self.schema or f"arena.{self.kind}/1", **rows, **specs, **broken}


@dataclass(frozen=True)
class Details(Record):
    """One row of a list with all that is known of it, shown line by line."""

    #: The key of its list.
    kind: str
    row: Mapping[str, Any]
    #: The part that the page shows, under this title.
    columns: tuple[str, ...]
    title: str
    #: A drawing, such as the board that a game begins with; JSON has it not.
    picture: str = ""

    def as_json(self) -> Json:
        """Return the schema of the list, with this row alone.

        It is written by hand as that of a list is.
        """
        return {"schema": f"arena.{self.kind}/1", self.kind: [self.row]}
