"""Records as comma-separated values: one flat table with a header."""

from __future__ import annotations

import csv as csv_
import io
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from arena.results import (
    FightResult,
    Listing,
    MoveReport,
    Record,
    ReplayReport,
    Tally,
    TournamentResult,
)

Rows = Sequence[Sequence[Any]]


def csv(record: Record) -> str:
    """The record's rows; a fight's by starting order, a tournament's by pairing."""
    out = io.StringIO()
    csv_.writer(out, lineterminator="\n").writerows(_rows(record))
    return out.getvalue().rstrip("\n")


@singledispatch
def _rows(record: Record) -> Rows:
    raise TypeError(f"no rows for a {type(record).__name__}")


_COUNTS = ["a", "b", "games", "wins", "draws", "losses", "score"]


@_rows.register
def _(fight: FightResult) -> Rows:
    views = {"first": fight.first, "second": fight.second, "total": fight.total}
    return [
        ["a_moves", *_COUNTS],
        *([view, *fight.players, *_counts(tally)] for view, tally in views.items()),
    ]


@_rows.register
def _(tournament: TournamentResult) -> Rows:
    return [_COUNTS, *([*fight.players, *_counts(fight.total)] for fight in tournament.fights)]


@_rows.register
def _(report: MoveReport) -> Rows:
    return [
        ["player", "position", "move", "probability"],
        *([report.player, report.position, move, p] for move, p in report.moves.items()),
    ]


@_rows.register
def _(replay: ReplayReport) -> Rows:
    return [
        ["ply", "player", "move"],
        *([i + 1, replay.players[i % 2], move] for i, move in enumerate(replay.moves)),
    ]


@_rows.register
def _(listing: Listing) -> Rows:
    keys = list(listing.rows[0]) if listing.rows else list(listing.columns)
    return [keys, *([_text(row[key]) for key in keys] for row in listing.rows)]


def _counts(tally: Tally) -> list[Any]:
    return [tally.games, tally.wins, tally.draws, tally.losses, tally.score]


def _text(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
