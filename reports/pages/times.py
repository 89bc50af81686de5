"""Lay out the time that players took for their moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from arena.records.times import PlayerTimes, times_of, use_of
from arena.reports.cells import Cell
from arena.reports.page import Table

if TYPE_CHECKING:
    from arena.records.fought import Fought


def time_tables(fights: Sequence[Fought]) -> list[Table]:
    """Return tables of the players whose moves were measured in seconds, and in fuel."""
    times = times_of(player for fight in fights for player in fight.entrants)
    timed = {name: each for name, each in times.items() if not each.engine}
    fuelled = {name: each for name, each in times.items() if each.engine}
    return [*_seconds_table(timed), *_fuel_table(fuelled)]


def _fuel_table(times: Mapping[str, PlayerTimes]) -> list[Table]:
    rows: list[list[Cell]] = []
    for name, each in times.items():
        if (use := use_of(each.move_times)) is not None:
            amounts = (f"{amount:,.0f}" for amount in (use.median, use.p99, use.most))
            rows.append([name, use.moves, *amounts, each.engine])
    headers = ["fuel a move", "moves", "median", "99 %", "most", "engine"]
    return [Table(headers, rows)] if rows else []


def _seconds_table(times: Mapping[str, PlayerTimes]) -> list[Table]:
    has_clocks = any(each.clock for each in times.values())
    headers = ["time a move", *["clock"] * has_clocks, "moves", "median", "99 %", "most"]
    rows: list[list[Cell]] = []
    for name, (clock, move_times, _) in times.items():
        use = use_of(move_times)
        cells = (
            [use.moves, *map(_seconds_cell, (use.median, use.p99, use.most))] if use else ["-"] * 4
        )
        rows.append([name, *[clock or "-"] * has_clocks, *cells])
    return [Table(headers, rows)] if rows else []


def _seconds_cell(seconds: float) -> str:
    if seconds < 1:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:.0f} s"
