"""Declare the columns of exact results, and of what certificates prove."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from arena.model.columns import CSV, Column
from arena.records.proofs import Chances, ExactResult
from arena.records.theorems import ProvedClaim
from arena.reports.cells import mean_payoff, percent
from arena.reports.columns.fights import side_cell


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


def _payoff(place: int) -> Callable[[ExactSide], Fraction | None]:
    return lambda row: None if row.chances.payoffs is None else row.chances.payoffs[place]


def exact_payoffs(exact: ExactResult) -> list[Column[ExactSide]]:
    """Return the columns of the payoffs of an exact result, named after the players."""
    if exact.payoffs is None:
        return []
    keys = (("payoff_a", exact.players[0]), ("payoff_b", exact.players[1]))
    return [
        Column(key, _payoff(place), cell=mean_payoff, title=f"{exact.unit} for {name}")
        for place, (key, name) in enumerate(keys)
    ]


def _chance(name: str) -> Column[ExactSide]:
    return Column(name, lambda row: getattr(row.chances, name), cell=percent)


#: The columns of an exact result by whether A moves first.
EXACT_SIDE: tuple[Column[ExactSide], ...] = (
    Column("a_moves", lambda row: row.name, cell=side_cell),
    Column("a", lambda row: row.players[0], CSV),
    Column("b", lambda row: row.players[1], CSV),
    *map(_chance, ("win", "draw", "loss", "score")),
)

#: The columns of what a certificate proves.
CLAIM: tuple[Column[ProvedClaim], ...] = (
    Column("claim", title="proved"),
    Column("positions"),
    Column("moves", title="recorded moves"),
)
