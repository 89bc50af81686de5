"""Declare the columns of what games paid, in their unit."""

from __future__ import annotations

from typing import NamedTuple

from arena.model.columns import CSV, Column, Format
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.paid import Paid, PayoffInterval
from arena.reports.cells import payoff_cell, payoff_ends
from arena.reports.columns.fights import tally_columns

_SIDE: tuple[Format, ...] = ("page", "csv", "html")


class PaidGames(NamedTuple):
    """The games of a player in a fight: those in which it moved first, second, or all."""

    #: ``first``, ``second`` or ``total``.
    name: str
    player: str
    opponent: str
    tally: Tally
    payoff: float | None
    #: The interval of its payoff per game, in the row of all games.
    interval: PayoffInterval | None
    is_signed: bool

    @property
    def games_of(self) -> str:
        """The player, and which of its games they are."""
        return self.player if self.name == "total" else f"{self.player} moving {self.name}"


def paid_rows(fight: FightResult, interval: PayoffInterval | None) -> list[PaidGames]:
    """Return the rows of A with this interval, and those of B where they do not follow."""
    paid = fight.paid
    assert paid is not None
    if paid.total is not None:
        return _rows(fight, paid, interval)
    other = fight.reversed()
    assert other.paid is not None
    return [*_rows(fight, paid, fight.payoff), *_rows(other, other.paid, other.payoff)]


def _rows(fight: FightResult, paid: Paid, interval: PayoffInterval | None) -> list[PaidGames]:
    """Return the rows of A."""
    pairs, is_signed = paid.number, paid.least < 0
    player, opponent = fight.players
    payoffs = [float(side.mean(pairs)) if pairs else None for side in paid.sides[0]]
    payoffs.append(None if paid.mean is None else float(paid.mean))
    names, tallies = ("first", "second", "total"), (fight.first, fight.second, fight.total)
    return [
        PaidGames(name, player, opponent, tally, payoff, None, is_signed)
        if name != "total"
        else PaidGames(name, player, opponent, tally, payoff, interval, is_signed)
        for name, tally, payoff in zip(names, tallies, payoffs, strict=True)
    ]


def _interval(row: PaidGames) -> str:
    return payoff_ends(row.interval, row.is_signed) if row.name == "total" else ""


#: The columns of what a fight paid.
PAID: tuple[Column[PaidGames], ...] = (
    Column("games_of", formats=("page", "html"), title="", is_name=True),
    Column("a_moves", lambda row: row.name, CSV),
    Column("a", lambda row: row.player, CSV),
    Column("b", lambda row: row.opponent, CSV),
    Column("games", lambda row: row.tally.games, _SIDE),
    *tally_columns(lambda row: row.tally, CSV),
    Column("payoff", formats=CSV),
    Column("payoff_low", lambda row: row.interval and row.interval.low, CSV),
    Column("payoff_high", lambda row: row.interval and row.interval.high, CSV),
    Column("per_game", lambda row: payoff_cell(row.payoff, row.is_signed), ("page", "html")),
    Column("interval", _interval, ("page", "html")),
)
