"""Declare the columns of ratings."""

from __future__ import annotations

from collections.abc import Sequence

from arena.model.columns import Column, Format
from arena.records.ratings import Estimated, RatedPlayer
from arena.reports.cells import ends, rank_cell, whole
from arena.reports.columns.fights import tally_columns

_LISTED: tuple[Format, ...] = ("page", "csv")


def has_intervals(estimates: Sequence[Estimated | None]) -> bool:
    """Return whether one of these numbers has an interval."""
    return any(e is not None and (e.low, e.high) != (None, None) for e in estimates)


def rating_interval(estimate: Estimated | None) -> str:
    """Show the interval of a rating, or why there is none."""
    if estimate is None:
        return "-"
    text = ends(estimate.low, estimate.high)
    return estimate.reason or text if text == "-" else text


#: The columns of a rating.
RATING: tuple[Column[RatedPlayer], ...] = (
    Column("player", lambda row: row.player, _LISTED, is_name=True),
    Column("games", lambda row: row.tally.games, _LISTED),
    *tally_columns(lambda row: row.tally, _LISTED),
    Column("elo", lambda row: row.elo.value, _LISTED, whole, title="Elo"),
    Column("low", lambda row: row.elo.low, ("csv",)),
    Column("high", lambda row: row.elo.high, ("csv",)),
    Column("reason", lambda row: row.elo.reason, ("csv",)),
    Column(
        "interval",
        lambda row: row.elo,
        ("page",),
        lambda elo: ends(elo.low, elo.high),
        title="95 % interval",
    ),
    Column("group", lambda row: row.group, ("csv",)),
    Column("rank", lambda row: row.rank, _LISTED),
    Column("rank_low", lambda row: row.rank_low, ("csv",)),
    Column("rank_high", lambda row: row.rank_high, ("csv",)),
    Column(
        "ranks",
        lambda row: (row.rank_low, row.rank_high),
        ("page",),
        lambda ranks: rank_cell(*ranks),
    ),
)
