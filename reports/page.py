"""A page: what is shown of a record, whatever it is printed as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from importlib import import_module

from arena.records.base import Record
from arena.reports.cells import Cell


@dataclass(frozen=True)
class Table:
    """Cells under headers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Block:
    """Several lines whose columns matter, such as a board."""

    text: str


#: Lines of text, tables, and blocks, from top to bottom.
Page = Sequence[str | Table | Block]


#: The module of ``pages`` for each kind of record, imported when one is shown.
HOMES = {
    "Certificate": "proofs",
    "CheckReport": "checks",
    "CheckedFight": "fights",
    "Diagnosis": "isolation",
    "ExactResult": "proofs",
    "ExactTournament": "proofs",
    "Explanation": "explanations",
    "Export": "runs",
    "FightResult": "fights",
    "Listing": "listings",
    "MoveReport": "proofs",
    "Plan": "ratings",
    "RatingTable": "ratings",
    "RegressionReport": "regression",
    "ReplayReport": "fights",
    "SprtFight": "statistics",
    "SprtReport": "statistics",
    "TournamentResult": "fights",
    "Training": "training",
    "VerifyReport": "runs",
}


def page(record: Record) -> Page:
    """Return the page of a record; TypeError if there is none for its kind."""
    for kind in type(record).__mro__:
        if home := HOMES.get(kind.__name__):
            import_module(f"arena.reports.pages.{home}")
    return page_of(record)


@singledispatch
def page_of(record: Record) -> Page:
    """Return the page of a record whose module is imported; there each kind's is registered."""
    raise TypeError(f"no page for a {type(record).__name__}")
