"""Declare the columns of ratings."""

from __future__ import annotations

from collections.abc import Sequence

from arena.model.columns import CSV, LISTED, Column
from arena.records.ratings import Estimated, RatedPlayer
from arena.reports.cells import ends, nearest, rank_cell
from arena.reports.columns.fights import INTERVAL, tally_columns


def has_intervals(estimates: Sequence[Estimated | None]) -> bool:
    """Return whether one of these numbers has an interval."""
    return any(e is not None and (e.low, e.high) != (None, None) for e in estimates)


def rating_interval(estimate: Estimated | None) -> str:
    """Show the interval of a rating, or the reason that it lacks one."""
    if estimate is None:
        return "-"
    text = ends(estimate.low, estimate.high)
    return estimate.reason or text if text == "-" else text


#: The columns of a rating.
RATING: tuple[Column[RatedPlayer], ...] = (
    Column("player", is_name=True),
    Column("games", lambda row: row.tally.games),
    *tally_columns(lambda row: row.tally, LISTED),
    Column("elo", lambda row: row.elo.value, cell=nearest, title="Elo"),
    Column("low", lambda row: row.elo.low, CSV),
    Column("high", lambda row: row.elo.high, CSV),
    Column("reason", lambda row: row.elo.reason, CSV),
    Column("interval", lambda row: ends(row.elo.low, row.elo.high), ("page",), title=INTERVAL),
    Column("group", formats=CSV),
    Column("rank"),
    Column("rank_low", formats=CSV),
    Column("rank_high", formats=CSV),
    Column("ranks", lambda row: rank_cell(row.rank_low, row.rank_high), ("page",)),
)
