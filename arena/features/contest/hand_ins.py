"""Keep the contests that a server conducts, and what entrants hand in to them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    func,
    insert,
    select,
    update,
)

from arena.clock import timestamp
from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.features.hand_in.record import CHECKING, REPLACED, WAITING, HandIn
from arena.fights.pairing import PLAIN_SCHEDULES
from arena.player.names import names_a_file
from arena.records.base import Json
from arena.rng import FRESH_SEED_LIMIT, MIN_FRESH_SEED
from arena.store import schema
from arena.store.player_changes import read_changes, seats_of
from arena.store.sql import Store


@dataclass(frozen=True)
class ContestState:
    """A contest that a server conducts, as its owner has set it."""

    number: int
    #: Whether the owner wants it played.
    started: bool
    #: When hand-ins close, in UTC as ISO 8601 text: None for what the file says, empty for never.
    closes: str | None
    #: The entrants that the owner has withdrawn.
    withdrawn: tuple[str, ...]


def opened(store: Store, file: str) -> int:
    """Return the number of the last contest with a file of that name, which is added if need be."""
    table = schema.conducted
    last = select(func.max(table.c.id)).where(table.c.file == file)
    with store.write() as connection:
        store.alone(connection)
        if (existing := connection.execute(last).scalar()) is not None:
            return int(existing)
        row = {"opened": timestamp(), "file": file, "started": 0, "withdrawn": []}
        added = connection.execute(insert(table).values(**row))
        (number,) = added.inserted_primary_key or (0,)
        return int(number)


def last_contest(connection: Connection) -> int:
    """Return the number of the last contest of a store. Raises UsageError without one."""
    last = connection.execute(select(func.max(schema.conducted.c.id))).scalar()
    if last is None:
        raise UsageError("the store has no contest whose entrants hand in")
    return int(last)


def read_conducted(connection: Connection, number: int) -> ContestState:
    """Read how the owner has set a contest."""
    table = schema.conducted
    row = connection.execute(select(table).where(table.c.id == number)).one()
    return ContestState(number, bool(row.started), row.closes, tuple(row.withdrawn))


def set_conducted(connection: Connection, number: int, **values: Any) -> None:
    """Change these columns of a contest."""
    table = schema.conducted
    connection.execute(update(table).where(table.c.id == number).values(**values))


def add_hand_in(
    connection: Connection, contest: int, entrant: str, filename: str, content: bytes
) -> HandIn:
    """Add a hand-in under the next number of its entrant, in the place of one that waits."""
    table = schema.hand_ins
    key = (table.c.contest == contest, table.c.entrant == entrant)
    last = connection.execute(select(func.max(table.c.number)).where(*key)).scalar() or 0
    waits = update(table).where(*key, table.c.state == WAITING)
    connection.execute(waits.values(state=REPLACED, problem=""))
    digest = blake2b(content, digest_size=16).hexdigest()
    hand_in = HandIn(entrant, last + 1, timestamp(), filename, digest, len(content), WAITING)
    row = {name: getattr(hand_in, name) for name in _KEPT}
    connection.execute(insert(table).values(contest=contest, content=content, **row))
    return hand_in


#: The fields of a hand-in that are columns.
_KEPT = (
    *("entrant", "number", "received", "filename", "digest"),
    *("state", "report", "problem", "seconds"),
)


def take(connection: Connection, contest: int, hand_in: HandIn) -> bool:
    """Note that the check of a hand-in begins, and return False if it does not wait any more."""
    table = schema.hand_ins
    waits = update(table).where(*_is(contest, hand_in), table.c.state == WAITING)
    return connection.execute(waits.values(state=CHECKING)).rowcount == 1


def note_outcome(connection: Connection, contest: int, hand_in: HandIn, values: Json) -> None:
    """Note what became of a hand-in: its state, report, problem and seconds."""
    connection.execute(update(schema.hand_ins).where(*_is(contest, hand_in)).values(**values))


def take_back_checks(
    connection: Connection, contest: int, hand_in: HandIn | None = None, problem: str | None = None
) -> None:
    """Queue hand-ins again whose checks did not end, or make room for a later one that waits.

    A server that was killed leaves such behind, and a fault of the machine this one, which then
    has a ``problem``.
    """
    table = schema.hand_ins
    later = table.alias()
    is_last = ~(
        select(later.c.number)
        .where(later.c.contest == contest, later.c.entrant == table.c.entrant)
        .where(later.c.number > table.c.number, later.c.state == WAITING)
        .exists()
    )
    conditions = [table.c.contest == contest, table.c.state == CHECKING]
    if hand_in is not None:
        conditions += _is(contest, hand_in)
    fields = {} if problem is None else {"problem": problem}
    connection.execute(update(table).where(*conditions, is_last).values(state=WAITING, **fields))
    connection.execute(update(table).where(*conditions).values(state=REPLACED, problem=""))


def read_hand_ins(
    connection: Connection,
    contest: int,
    entrant: str | None = None,
    *,
    states: Sequence[str] = (),
    brief: bool = False,
) -> list[HandIn]:
    """Read the hand-ins of a contest or of one entrant, in these states or in any, in order.

    With ``brief`` they come without their reports.
    """
    table = schema.hand_ins
    columns = [table.c[name] for name in _KEPT if not (brief and name == "report")]
    query = select(*columns, func.length(table.c.content).label("size"))
    query = query.where(table.c.contest == contest)
    if entrant is not None:
        query = query.where(table.c.entrant == entrant)
    if states:
        query = query.where(table.c.state.in_(states))
    order = (table.c.received, table.c.number, table.c.entrant)
    return [HandIn(**row._mapping) for row in connection.execute(query.order_by(*order))]


def content_of(connection: Connection, contest: int, hand_in: HandIn) -> bytes:
    """Read the content of a hand-in."""
    query = select(schema.hand_ins.c.content).where(*_is(contest, hand_in))
    return bytes(connection.execute(query).scalar_one())


def _is(contest: int, hand_in: HandIn) -> tuple[ColumnElement[bool], ...]:
    table = schema.hand_ins
    key = (table.c.entrant == hand_in.entrant, table.c.number == hand_in.number)
    return (table.c.contest == contest, *key)


def run_of(connection: Connection, file: str) -> int | None:
    """Return the number of the last run by a contest's file of that name, or None without one.

    A run with a given seed, which an entrant could know, is not a contest's. Neither is one of a
    schedule in which no player can be replaced.
    """
    runs = schema.runs.c
    is_drawn = runs.seed >= MIN_FRESH_SEED, runs.seed < FRESH_SEED_LIMIT
    can_grow = runs.schedule.in_(PLAIN_SCHEDULES)
    last = select(func.max(runs.id)).where(runs.contest_file == file, *is_drawn, can_grow)
    return connection.execute(last).scalar()


class ContestRun(NamedTuple):
    """The run of a contest: its number, its players with their specs, and whether it is over.

    ``absent`` says why players cannot be started, by their names.
    """

    run: int
    specs: dict[str, str]
    over: bool
    absent: Mapping[str, str] = MappingProxyType({})


def read_playing(connection: Connection, file: str) -> ContestRun | None:
    """Read the run of a contest with a file of that name, see :func:`run_of`. None without one."""
    run = run_of(connection, file)
    if run is None:
        return None
    rows = _players(connection, run)
    specs = {row.name: row.spec or row.name for row in rows}
    absent = {row.name: row.withdrawn for row in rows if row.withdrawn is not None}
    finished = select(schema.runs.c.finished).where(schema.runs.c.id == run)
    return ContestRun(run, specs, connection.execute(finished).scalar_one() is not None, absent)


def relocate(connection: Connection, playing: ContestRun, specs: Mapping[str, str]) -> None:
    """Note where the files of players are now, by the names of all that play."""
    for row in _players(connection, playing.run):
        spec = specs[row.name]
        if names_a_file(spec):
            players = schema.players
            player = players.c.run == playing.run, players.c.place == row.place
            where = {"file": os.path.abspath(spec), "spec": spec}
            connection.execute(update(players).where(*player).values(**where))


def _players(connection: Connection, run: int) -> list[Any]:
    """Return rows of the players in a run by their seats: place, name, spec and ``withdrawn``."""
    players = schema.players.c
    columns = players.place, players.name, players.spec, players.withdrawn
    query = select(*columns).where(players.run == run)
    rows = connection.execute(query.order_by(players.place)).all()
    return [rows[place] for place in seats_of(len(rows), read_changes(connection, run))]


def text_of(connection: Connection, run: int) -> str:
    """Return the text of the contest's file that a run began with."""
    runs = schema.runs.c
    return str(connection.execute(select(runs.contest_text).where(runs.id == run)).scalar_one())


class Use(NamedTuple):
    """The use of a day by an entrant: hand-ins, and seconds of a worker."""

    hand_ins: int
    seconds: float


def use_of(connection: Connection, contest: int, file: str, entrant: str, day: str) -> Use:
    """Return what the hand-ins of an entrant that came on a day have used until now.

    That is the time of their checks, and their share of the time of the games that they have played
    in the run by the file of that name: half of one for two.
    """
    today = {
        each.number: each.seconds
        for each in read_hand_ins(connection, contest, entrant, brief=True)
        if each.received.startswith(day)
    }
    run = run_of(connection, file)
    played = 0.0 if run is None else _seconds_of_games(connection, run, entrant, list(today))
    return Use(len(today), sum(today.values()) + played)


def _seconds_of_games(
    connection: Connection, run: int, entrant: str, numbers: Sequence[int]
) -> float:
    """Return the share of an entrant's hand-ins of these numbers in the seconds of their games."""
    players, fights, games = schema.players.c, schema.fights.c, schema.games.c
    mine = select(players.place, players.file).where(players.run == run, players.name == entrant)
    places = {place for place, file in connection.execute(mine) if number_of(file) in numbers}
    sitting = select(fights.number, fights.a, fights.b, fights.seats).where(fights.run == run)
    seats = {
        number: len(rows_of_run)
        for number, a, b, more in connection.execute(sitting)
        if not places.isdisjoint(rows_of_run := more or [a, b])
    }
    total = func.sum(games.seconds)
    times = select(games.fight, total).where(games.run == run).group_by(games.fight)
    seconds = connection.execute(times.where(games.fight.in_(seats))).all() if places else []
    return sum((float(each) / seats[fight] for fight, each in seconds), 0.0)


def number_of(file: str) -> int | None:
    """Return the number of the hand-in that a player's file is of, or None for another file.

    >>> number_of("/home/me/contest.db.hand-ins/alice/3/bot.py")
    3
    """
    folder = PurePath(file).parent.name
    return int(folder) if folder.isascii() and folder.isdecimal() else None
