"""Record which players come to a run and leave it after it began: no game is lost.

Every player has a place of its own in a run, for good. A seat is its place among those that play: a
player that replaces another takes its seat. The pairings are those of a run that began with the
players of now, in the order of their seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from arena.clock import timestamp
from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.fights.choosing import offers_batch
from arena.fights.dropouts import TAKEN_OUT
from arena.fights.table_schedule import balanced_tables, gauntlet_tables
from arena.player import PlayerInfo
from arena.records.base import Json
from arena.store import schema
from arena.store.plans import CALLED, insert_fights, insert_players, withdraw
from arena.store.sql import Store

#: How a player comes to a run or leaves it.
PLAYER_ADDED, PLAYER_REPLACED, PLAYER_WITHDRAWN = "added", "replaced", "withdrawn"


@dataclass(frozen=True)
class Change:
    """One player that came or left."""

    #: When, in UTC as ISO 8601 text.
    date: str
    what: str
    #: The place of the player that came, or of the one that was withdrawn.
    place: int
    #: The place of the player that it replaces.
    replaces: int | None
    #: The number of rounds that had begun; None for a run that does not go by a schedule.
    rounds: int | None = None


class Arrival(NamedTuple):
    """A player that is to play in a run: added, or in the seat of the player at a place."""

    player: PlayerInfo
    replaces: int | None = None


def read_changes(connection: Connection, run: int) -> tuple[Change, ...]:
    """Read which players came to a run and left it, in order."""
    table = schema.changes
    rows = connection.execute(select(table).where(table.c.run == run).order_by(table.c.number))
    return tuple(Change(row.date, row.what, row.place, row.replaces, row.rounds) for row in rows)


def seats_of(players: int, changes: Sequence[Change]) -> dict[int, int]:
    """Return the seats of those that play, by their places. ``players`` are all that ever came.

    >>> came, replaced = Change("", PLAYER_ADDED, 3, None), Change("", PLAYER_REPLACED, 4, 0)
    >>> seats_of(5, [came, replaced, Change("", PLAYER_WITHDRAWN, 1, None)])
    {2: 2, 3: 3, 4: 0}
    """
    arrived = [change.place for change in changes if change.what != PLAYER_WITHDRAWN]
    seats = {place: place for place in range(players) if place not in arrived}
    free = len(seats)
    for change in changes:
        if change.what == PLAYER_WITHDRAWN:
            if change.rounds is None:  # else its games count for those that it has met
                del seats[change.place]
        elif change.replaces is not None:
            seats[change.place] = seats.pop(change.replaces)
        else:
            seats[change.place], free = free, free + 1
    return seats


def pairings_by_place(
    seats: Mapping[int, int], is_gauntlet: bool, size: int
) -> list[tuple[int, ...]]:
    """Return the places that meet, in the order of their seats: two, or more at a table.

    All meet each other, or all meet the first, who is the challenger. Raises UsageError for fewer
    players than a table has.
    """
    in_order = sorted(seats, key=lambda place: seats[place])
    if size == 2:
        pairs = combinations(in_order, 2)
        return [both for both in pairs if not is_gauntlet or both[0] == in_order[0]]
    tables_of = gauntlet_tables if is_gauntlet else balanced_tables
    tables = tables_of(len(in_order), size)
    return [tuple(in_order[number] for number in table) for table in tables]


def change(
    store: Store,
    run: int,
    arrivals: Sequence[Arrival],
    withdrawn: Sequence[int],
    is_gauntlet: bool,
    rounds: int | None = None,
) -> None:
    """Record these arrivals, then that the players at these places are withdrawn.

    It adds the fights that are missing, and the run is open again. ``rounds`` have begun, of a run
    that goes by a schedule. Raises UsageError if no two would meet.
    """
    with store.write() as connection:
        table = schema.players
        query = select(func.count()).select_from(table).where(table.c.run == run)
        players = connection.execute(query).scalar_one()
        insert_players(connection, run, players, [arrival.player for arrival in arrivals])
        _note_called(connection, run, players, arrivals)
        for place, (_, replaces) in enumerate(arrivals, players):
            what = PLAYER_ADDED if replaces is None else PLAYER_REPLACED
            _note(connection, run, Change(timestamp(), what, place, replaces, rounds))
        for place in withdrawn:
            _note(connection, run, Change(timestamp(), PLAYER_WITHDRAWN, place, None, rounds))
        seats = seats_of(players + len(arrivals), read_changes(connection, run))
        fights = schema.fights
        rows = connection.execute(select(fights).where(fights.c.run == run)).all()
        size = len(rows[0].seats or "AB")
        if (is_gauntlet and 0 not in seats.values()) or len(seats) < size:
            needed = "two" if size == 2 else size
            raise UsageError(
                f"no players would meet in run {run}: a tournament needs {needed} players"
            )
        existing = {tuple(row.seats or (row.a, row.b)) for row in rows}
        pairs = max(row.pairs for row in rows)
        pairings = pairings_by_place(seats, is_gauntlet, size)
        new = [(places, pairs) for places in pairings if places not in existing]
        insert_fights(connection, run, len(rows), new)
        connection.execute(update(schema.runs).where(schema.runs.c.id == run).values(finished=None))


def _note_called(connection: Connection, run: int, first: int, arrivals: Sequence[Arrival]) -> None:
    """Note which arrivals are called in a run that plays only some of its fights by batches.

    Any other run keeps its one engine: its store does not tell whether the user asked for that.
    """
    runs = schema.runs
    options: Json = connection.execute(select(runs.c.options).where(runs.c.id == run)).scalar_one()
    if CALLED in options:
        called = [p for p, (player, _) in enumerate(arrivals, first) if not offers_batch(player)]
        options = {**options, CALLED: [*options[CALLED], *called]}
        connection.execute(update(runs).where(runs.c.id == run).values(options=options))


def _note(connection: Connection, run: int, change: Change) -> None:
    table = schema.changes
    query = select(func.count()).select_from(table).where(table.c.run == run)
    number = connection.execute(query).scalar_one() + 1
    connection.execute(insert(table).values(run=run, number=number, **asdict(change)))
    if change.rounds is not None and change.what == PLAYER_WITHDRAWN:
        withdraw(connection, run, change.place, TAKEN_OUT)  # the rest of its round is not played
