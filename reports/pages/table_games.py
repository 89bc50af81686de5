"""Lay out games for more than two: the standings, the seats, then a line for each incident."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from arena.errors import counted
from arena.model.columns import flat_rows
from arena.model.seatings import EVERY_ORDER
from arena.records.intervals import ANYTIME
from arena.records.tables import SeatRating, TablesResult
from arena.reports.cells import Cell, ends, nearest
from arena.reports.columns.tables import (
    InSeat,
    seat_columns,
    seated_columns,
    seated_rows,
)
from arena.reports.page import Detail, Note, Page, Rows, Table, declared_table, flat, page
from arena.reports.pages.fights import WATCHED, isolated_players, memory, void_games
from arena.reports.pages.forfeits import seen_with
from arena.reports.pages.left_out import left_out
from arena.reports.pages.prints import prints_of
from arena.reports.pages.ratings import rank_facts
from arena.reports.pages.spending import spending_of
from arena.reports.pages.times import time_tables
from arena.reports.rounds import seated_facts, seated_rounds


@page.register
def _tables_page(played: TablesResult) -> Page:
    rows = seated_rows(played)
    is_watched = any(row.interval == ANYTIME for row in played.standings)
    return [
        declared_table(seated_columns(played.unit, rows), rows),
        *_rounds(played),
        *_seats(played),
        *time_tables(played.tables),
        *_extent(played),
        *[WATCHED][: int(is_watched)],
        *rank_facts(played.rank_intervals),
        *_groups(played),
        *_repeating(played),
        *_missing(played),
        *map(left_out, played.left_out),
        *_unscheduled(played.unscheduled),
        *memory(played.tables),
        *_forfeits(played),
        *(line for table in played.tables for line in prints_of(table)),
        *spending_of(played.tables),
        *map(Detail, isolated_players(played.tables)),
    ]


def _rounds(played: TablesResult) -> Page:
    """Return the tables of each round, if a schedule chose them."""
    if played.state is None or not played.state.rounds:
        return []
    return ["Rounds, with the points of all:", seated_rounds(played.state)]


def _seats(played: TablesResult) -> Page:
    """Return what the seats paid to the players, and what the seats are worth."""
    is_signed = any(table.least < 0 for table in played.tables)
    rows = [InSeat(row, is_signed) for row in played.standings if row.games]
    if not rows:
        return []
    lead = f"{played.unit.capitalize()} per game by seat, and games by place:"
    table = declared_table(seat_columns(played.seats), rows)
    return [lead, table, *seat_worths(() if played.ratings is None else played.ratings.seats)]


def seat_worths(seats: Sequence[SeatRating]) -> Page:
    """Return a table of what the seats are worth. Without seats there is none."""
    cells: list[list[Cell]] = [
        [seat, nearest(rating.elo), ends(rating.low, rating.high)]
        for seat, rating in enumerate(seats, start=1)
    ]
    return ["What a seat is worth:", Table(["seat", "Elo", "95 %"], cells)] if cells else []


def _extent(played: TablesResult) -> list[str]:
    """Say what was played."""
    settled = f"seed {played.seed}, engine {played.engine}"
    tables = played.tables
    if played.state is not None:
        fault = [f"stopped early: {played.fault}"] if played.fault else []
        return [*seated_facts(played.schedule, played.state, played.game), *fault, settled]
    planned = {table.planned for table in tables}
    blocks = " to ".join(map(str, sorted({min(planned), max(planned)})))
    each = "every order" if played.seatings == EVERY_ORDER else "every rotation"
    schedule = "" if played.schedule == "fight" else f"{played.schedule} of "
    many = f"{schedule}{counted(len(played.standings), 'player')} at {played.game}"
    at_tables = f", {counted(len(tables), 'table')}" if len(tables) > 1 else ""
    noun = "block" if blocks == "1" else "blocks"
    per = " per table" * (len(tables) > 1)
    return [
        f"{many}{at_tables}, {blocks} {noun}{per}, each with a game for {each}:"
        f" {counted(played.games, 'game')}",
        settled,
    ]


def _groups(played: TablesResult) -> list[str]:
    """Say which players do not compare."""
    groups = () if played.ratings is None else played.ratings.groups
    if len(groups) < 2:
        return []
    names = "; ".join(", ".join(group) for group in groups)
    return [Note(f"players that never met, even through others, cannot be compared: {names}")]


def _repeating(played: TablesResult) -> list[str]:
    """Count the tables whose blocks are all the same."""
    repeating = [table for table in played.tables if table.repeats]
    if not repeating:
        return []
    if len(played.tables) == 1:
        return ["the players play the same games in every block: all blocks count as one"]
    verb = "repeats its" if len(repeating) == 1 else "repeat their"
    many = f"{len(repeating)} of {len(played.tables)} tables {verb} games"
    return [f"{many}: the blocks of each count as one"]


def _missing(played: TablesResult) -> Iterator[str]:
    """Yield what is not in the counts."""
    for table in played.tables:
        names = ", ".join(table.players)
        if table.unfinished:
            why = f"{table.pairs} of {counted(table.planned, 'block')} played"
            exclusion = "; it is not in the standings" * table.killed_workers
            yield f"{names}: {why} ({table.unfinished}){exclusion}"
        yield from void_games(table, "block")


def _unscheduled(games: int) -> list[str]:
    """Count the games at tables that the schedule does not have any more."""
    why = "players came or left, and the schedule has other tables now"
    return [f"not counted: {counted(games, 'game')}: {why}"] if games else []


def _forfeits(played: TablesResult) -> Iterator[str]:
    """Yield a line for each player that forfeited games, with the first one."""
    for row in played.standings:
        of_it = [
            (table, player)
            for table in played.tables
            for player in table.entrants
            if player.name == row.player and player.forfeits
        ]
        if not of_it:
            continue
        reasons: Counter[str] = Counter()
        for _, player in of_it:
            reasons.update(player.forfeits)
        named = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
        words = (
            f"{row.player} forfeited {reasons.total()} of {counted(row.games, 'game')} ({named})"
        )
        table, player = of_it[0]
        if (first := player.first_forfeit) is None:
            yield words
        else:
            yield seen_with(f"{words}: {first.placed}", table.replay_of(first.game_id))


@flat.register
def _rows(played: TablesResult) -> Rows:
    rows = seated_rows(played)
    return flat_rows(seated_columns(played.unit, rows), rows)
