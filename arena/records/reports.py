"""Hold what a report shows: results, each with its games as far as they were kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.game import Game
from arena.records.base import Json, Record


@dataclass(frozen=True)
class ReadResult(Record):
    """A result as a file has it."""

    json: Json

    def as_json(self) -> Json:
        """Return what the file has."""
        return self.json


@dataclass(frozen=True)
class ReportPart(Record):
    """One result of a report."""

    #: Where it is from: ``run 2``, or a file.
    name: str
    result: Record
    #: The fights with their games, as an export has them; none if games were not kept.
    fights: Sequence[Json] = field(default=(), repr=False)
    #: The rules of the games; None without games.
    rules: Game | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Report(Record):
    """The results of stores and files, to be shown together."""

    SCHEMA = "arena.report/1"

    parts: tuple[ReportPart, ...]
    #: Runs that cannot be shown, with the reason.
    left_out: tuple[str, ...] = ()

    def as_json(self) -> Json:
        """Return the results as their own JSON, by where they are from; not their games."""
        results = [{"from": part.name, "result": part.result.as_json()} for part in self.parts]
        return {"schema": self.SCHEMA, "results": results, "left_out": list(self.left_out)}
