"""Declare the columns of exact results, and of what certificates prove."""

from __future__ import annotations

from typing import NamedTuple

from arena.model.columns import Column, Format
from arena.records.proofs import Chances, ExactResult
from arena.records.theorems import ProvedClaim
from arena.reports.cells import percent
from arena.reports.columns.fights import side_cell

_LISTED: tuple[Format, ...] = ("page", "csv")


class ExactSide(NamedTuple):
    """An exact result by whether A moves first."""

    #: ``first``, ``second`` or ``total``.
    name: str
    players: tuple[str, str]
    chances: Chances


def exact_sides(exact: ExactResult) -> list[ExactSide]:
    """Return the rows of an exact result."""
    sides = (("first", exact.first), ("second", exact.second), ("total", exact.total))
    return [ExactSide(name, exact.players, chances) for name, chances in sides]


def _chance(name: str) -> Column[ExactSide]:
    return Column(name, lambda row: getattr(row.chances, name), _LISTED, percent)


#: The columns of an exact result by whether A moves first.
EXACT_SIDE: tuple[Column[ExactSide], ...] = (
    Column("a_moves", lambda row: row.name, _LISTED, side_cell),
    Column("a", lambda row: row.players[0], ("csv",)),
    Column("b", lambda row: row.players[1], ("csv",)),
    *map(_chance, ("win", "draw", "loss", "score")),
)

#: The columns of what a certificate proves.
CLAIM: tuple[Column[ProvedClaim], ...] = (
    Column("claim", lambda row: row.claim, _LISTED, title="proved"),
    Column("positions", lambda row: row.positions, _LISTED),
    Column("moves", lambda row: row.moves, _LISTED, title="recorded moves"),
)
