"""Read runs from a store: their plans, and their played games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, bindparam, func, select

from arena.dataclass import dataclass
from arena.errors import UsageError, describe, quoted
from arena.fights.pairing import ContestFile, Pairing, RunSetting, options_from
from arena.fights.scheduled import Attendance
from arena.fractions import fraction_of
from arena.game import Game, Outcome, as_seat
from arena.match.record import Forfeit, GameRecord, PlayedPair
from arena.model.codec import decode
from arena.player import PlayerInfo, stand_in
from arena.player.names import names_a_file
from arena.proof import progress
from arena.records.base import Json
from arena.records.exports import StoredPlayer
from arena.records.left_out import LeftOut
from arena.records.sequential import Hypotheses
from arena.records.until import Until
from arena.store import schema
from arena.store.notes import noted
from arena.store.plans import CALLED
from arena.store.player_changes import (
    PLAYER_ADDED,
    PLAYER_WITHDRAWN,
    Change,
    pairings_by_place,
    read_changes,
    seats_of,
)
from arena.store.sql import Store

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class StoredFight:
    """A pairing of a run, by the places of its players, and the result if it is finished."""

    number: int
    #: The places of A, of B, and of others at a table of more than two.
    seats: tuple[int, ...]
    pairs: int
    result: Json | None
    #: Games that are in the store.
    games: int

    @property
    def a(self) -> int:
        """The place of A."""
        return self.seats[0]

    @property
    def b(self) -> int:
        """The place of B."""
        return self.seats[1]


@dataclass(frozen=True)
class StoredRun:
    """A run, without its games."""

    number: int
    started: str
    finished: str | None
    setting: RunSetting
    game: str
    game_version: int
    seed: int
    arena_version: str
    python_version: str
    machine: str
    #: All players that ever came, by their places.
    players: tuple[StoredPlayer, ...]
    #: The fights of those that play now, in the order of the schedule.
    fights: tuple[StoredFight, ...]
    #: The other fights: a player of theirs was withdrawn or replaced.
    past: tuple[StoredFight, ...]
    #: The players that came and left after the run began.
    changes: tuple[Change, ...]
    #: The options of its pairings that are not usual; see arena.fights.pairing.Pairing.options.
    options: Json
    #: The version of the streams that its games drew from, as :data:`arena.rng.STREAMS`.
    streams: int

    @property
    def seats(self) -> dict[int, int]:
        """The seats of those that play now, by their places."""
        return seats_of(len(self.players), self.changes)

    def engine(self, fight: StoredFight) -> str:
        """Return the engine of a fight. Players that do not offer batches are called."""
        is_called = not {*fight.seats}.isdisjoint(self.options.get(CALLED, ()))
        return "calls" if is_called else str(self.options.get("engine", "calls"))

    @property
    def withdrawn(self) -> frozenset[int]:
        """The places of the players that never started."""
        return frozenset(p for p, player in enumerate(self.players) if player.withdrawn is not None)

    @property
    def times(self) -> Attendance:
        """The players that came late or were taken out, of a run that goes by a schedule."""
        rounds: dict[str, dict[str, int]] = {PLAYER_ADDED: {}, PLAYER_WITHDRAWN: {}}
        for change in self.changes:
            if change.rounds is not None:
                rounds[change.what][self.players[change.place].name] = change.rounds
        return Attendance(rounds[PLAYER_ADDED], rounds[PLAYER_WITHDRAWN])

    @property
    def names(self) -> dict[str, int]:
        """The places of those that play now, by their names, in the order of their seats."""
        seats = self.seats
        return {self.players[p].name: p for p in sorted(seats, key=lambda place: seats[place])}


def read_runs(connection: Connection, numbers: Sequence[int] = ()) -> list[StoredRun]:
    """Read the runs of these numbers, or all, in order. Raises UsageError if one is missing."""
    query = select(schema.runs).order_by(schema.runs.c.id)
    if numbers:
        query = query.where(schema.runs.c.id.in_(numbers))
    with legible("runs"):
        runs = [_run(connection, row) for row in connection.execute(query)]
    missing = sorted(set(numbers) - {run.number for run in runs})
    if missing:
        existing = [row.id for row in connection.execute(select(schema.runs.c.id))]
        has = f"it has {existing[0]} to {existing[-1]}" if existing else "it has none"
        raise UsageError(f"there is no run {missing[0]} ({has})")
    return runs


def find_run(store: Store, number: int | None, unfinished: bool = False) -> StoredRun:
    """Find the run of that number, without one the last, with ``unfinished`` an incomplete one."""
    with store.read() as connection:
        if number is not None:
            return read_runs(connection, [number])[0]
        query = select(schema.runs.c.id).order_by(schema.runs.c.id.desc())
        if unfinished:
            query = select(schema.runs.c.id).order_by(
                schema.runs.c.finished.is_not(None), schema.runs.c.id.desc()
            )
        last = connection.execute(query.limit(1)).scalar_one_or_none()
        if last is None:
            raise UsageError(f"store {quoted(store.name)} has no run")
        return read_runs(connection, [last])[0]


def _run(connection: Connection, row: Row[tuple[object, ...]]) -> StoredRun:
    number, players = row.id, _players(connection, row.id)
    changes = read_changes(connection, number)
    options = _object(row.options) or {}
    _require_places(changes, len(players))
    _require_called(options.get(CALLED, []), len(players))
    seats = seats_of(len(players), changes)
    fights = _fights(connection, number, range(len(players)))
    playing = _playing(fights, seats, row.schedule) if changes else fights
    numbers = {fight.number for fight in playing}
    past = tuple(fight for fight in fights if fight.number not in numbers)
    return StoredRun(
        number=number,
        started=text_of(row.started),
        finished=row.finished and text_of(row.finished),
        setting=RunSetting(
            row.schedule,
            _stored(Hypotheses, row.sprt),
            None if row.contest_file is None else ContestFile(row.contest_file, row.contest_text),
            _left_out(players, changes, past),
            _stored(Until, row.until),
            sum(fight.games for fight in past if seats.keys() >= {*fight.seats}),
        ),
        game=text_of(row.game),
        game_version=_number(row.game_version),
        seed=_number(row.seed),
        arena_version=text_of(row.arena_version),
        python_version=text_of(row.python_version),
        machine=text_of(row.machine),
        players=players,
        fights=playing,
        past=past,
        changes=changes,
        options=options,
        streams=_number(row.streams),
    )


def _playing(
    fights: Sequence[StoredFight], seats: Mapping[int, int], schedule: str
) -> tuple[StoredFight, ...]:
    """Return the fights of those that play now, in the order of the schedule.

    Two that play have a fight, but not every table of them is in the schedule of the players of
    now: see :mod:`arena.fights.table_schedule`.
    """
    playing = [fight for fight in fights if seats.keys() >= {*fight.seats}]
    size = len(fights[0].seats)
    if size == 2 or len(seats) < size:
        return tuple(sorted(playing, key=lambda fight: [seats[place] for place in fight.seats]))
    by_places = {fight.seats: fight for fight in playing}
    tables = pairings_by_place(seats, schedule == "gauntlet", size)
    return tuple(by_places[places] for places in tables if places in by_places)


def _require_places(changes: Sequence[Change], players: int) -> None:
    """Raise ValueError for a change of a player that the run does not have."""
    for change in changes:
        if {change.place, change.replaces} - {None, *range(players)}:
            raise ValueError(f"no player is at place {change.place} or {change.replaces}")


def _require_called(places: object, players: int) -> None:
    """Raise ValueError for players that are called and that the run does not have."""
    if type(places) is not list or any(place not in range(players) for place in places):
        raise ValueError(f"the players that are called are {places!r}")


def _left_out(
    players: Sequence[StoredPlayer], changes: Sequence[Change], past: Sequence[StoredFight]
) -> tuple[LeftOut, ...]:
    """Return the players whose games do not count, and why, in the order in which they left."""
    left_out = []
    for change in changes:
        if change.what != PLAYER_ADDED and change.rounds is None:
            place = change.place if change.replaces is None else change.replaces
            by = None if change.replaces is None else players[change.place].name
            games = sum(fight.games for fight in past if place in fight.seats)
            left_out.append(LeftOut(players[place].name, games, by))
    return tuple(left_out)


def _players(connection: Connection, run: int) -> tuple[StoredPlayer, ...]:
    players = schema.players
    query = select(players).where(players.c.run == run).order_by(players.c.place)
    return tuple(
        StoredPlayer(
            *(p.name, p.version, p.package, p.file, p.digest, p.isolation),
            _object(p.limits) or {},
            p.spec,
            p.withdrawn,
        )
        for p in connection.execute(query)
    )


def _number(value: object) -> int:
    if not isinstance(value, int):  # SQLite keeps text, too, in a column of numbers
        raise TypeError(f"{value!r} is not a number")
    return value


def text_of(value: object) -> str:
    """Return a text. Raises TypeError for another value, which SQLite keeps in any column."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def seconds_of(value: object) -> float:
    """Return a number of seconds. Raises TypeError for another value."""
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number of seconds")
    return value


def _fights(connection: Connection, run: int, places: range) -> tuple[StoredFight, ...]:
    """Read the fights of a run whose players have these places."""
    fights, games = schema.fights, schema.games
    rows = connection.execute(
        select(fights).where(fights.c.run == run).order_by(fights.c.number)
    ).all()
    if not rows:
        raise ValueError("it has no fights")
    sitting = [_places(fight) for fight in rows]
    if any(place not in places for each in sitting for place in each):
        raise ValueError("a fight is not between players of the run")
    counted = select(games.c.fight, func.count()).where(games.c.run == run).group_by(games.c.fight)
    played = {fight: count for fight, count in connection.execute(counted)}  # noqa: C416
    return tuple(
        StoredFight(
            _number(f.number), seats, _number(f.pairs), _object(f.result), played.get(f.number, 0)
        )
        for f, seats in zip(rows, sitting, strict=True)
    )


def _places(fight: Row[Any]) -> tuple[int, ...]:
    """Return the places of the players of a fight. Raises ValueError if they do not agree."""
    if fight.seats is None:
        return fight.a, fight.b
    if type(fight.seats) is not list or [fight.a, fight.b] != fight.seats[:2]:
        raise ValueError(f"the seats of a fight are {fight.seats!r}")
    return tuple(map(_number, fight.seats))


def _object(value: object) -> Json | None:
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"{value!r} is not an object")
    return value


def _stored(kind: type[Kind], value: object) -> Kind | None:
    """Return what JSON of a column says, or None. Raises ValueError if it makes no sense."""
    try:
        return None if value is None else decode(kind, value)
    except UsageError as error:
        raise ValueError(str(error)) from error


def pairings_of(
    run: StoredRun,
    game: Game,
    players: Mapping[int, PlayerInfo] | None = None,
    fights: Sequence[StoredFight] | None = None,
    plugins: Sequence[str] = (),
) -> list[Pairing]:
    """Return the pairings of a run, or of these fights of it, with the players of these places.

    Without players, stand-ins that cannot play are in their places. ``plugins`` are the files that
    are loaded now, as ``-p`` names them.
    """
    if players is None:
        players = {place: absent_player(player) for place, player in enumerate(run.players)}
    files = {*plugins, *(p.package for p in run.players if names_a_file(p.package))}
    with legible(f"run {run.number}, options"):
        options_of_run = {name: value for name, value in run.options.items() if name != CALLED}
        options = {**options_from(options_of_run, game), "plugins": tuple(sorted(files))}
        return [
            Pairing(
                game,
                players[f.a],
                players[f.b],
                f.pairs,
                run.seed,
                others=tuple(players[place] for place in f.seats[2:]),
                **{**options, "engine": run.engine(f)},
            )
            for f in (run.fights if fights is None else fights)
        ]


def absent_player(player: StoredPlayer) -> PlayerInfo:
    """Return a stand-in for a player that does not play."""
    return stand_in(
        player.name,
        version=player.version,
        isolation=player.isolation,
        limits=tuple(player.limits.items()),
        spec=player.spec,
    )


def game_rows(connection: Connection, run: int, fight: int) -> Iterator[Row[Any]]:
    """Yield the games of a fight as they are stored, in their order."""
    what = f"games of fight {fight + 1} of run {run} read"
    rows = connection.execute(_games_of_fight(), {"in_run": run, "in_fight": fight})
    for done, row in enumerate(rows, 1):
        progress.tell(done, None, what)
        yield row


@cache
def _games_of_fight() -> Select[Any]:
    """Make the query of the games of a fight, only once: a run may have thousands of fights."""
    games = schema.games
    return (
        select(games)
        .where(games.c.run == bindparam("in_run"), games.c.fight == bindparam("in_fight"))
        .order_by(games.c.pair, games.c.half)
    )


def read_pairs(
    connection: Connection, run: int, fight: int, pairing: Pairing
) -> Iterator[PlayedPair]:
    """Yield the pairs of a fight by their numbers. The store has all games of each."""
    game = pairing.game
    for pair, halves in groupby(game_rows(connection, run, fight), lambda row: row.pair):
        with legible(f"run {run}, fight {fight + 1}, pair {pair}"):
            rows = list(halves)
            if len(rows) != pairing.games_a_pair:
                raise ValueError(f"it has {len(rows)} of {pairing.games_a_pair} games")
            records = tuple(record_of(row, game) for row in rows)
            opening = pairing.opening(pair)
            seconds = tuple(seconds_of(row.seconds) for row in rows)
        text = "" if opening is None else str(opening)
        unknown = ("",) * len(pairing.players)
        yield PlayedPair(pair, records, seconds, opening=text, remembers=unknown)


#: What values that this arena does not write raise when they are read.
_NOT_ARENAS = (
    *(ValueError, TypeError, ArithmeticError),
    *(LookupError, AttributeError, RecursionError),
)


@contextmanager
def legible(what: str) -> Iterator[None]:
    """Raise Unreadable if a value is not one that this arena writes."""
    try:
        yield
    except (UsageError, schema.Unreadable) as error:  # both say what is wrong
        raise schema.Unreadable(f"{what}: {error}") from error
    except _NOT_ARENAS as error:
        raise schema.Unreadable(f"{what}: {describe(error)}") from error


def record_of(row: Row[tuple[object, ...]], game: Game) -> GameRecord:
    """Return a stored game as it was played."""
    forfeit = None
    if row.reason is not None:
        side = as_seat(_number(row.forfeit_side), game.seats)
        forfeit = Forfeit(side, row.reason, row.message or "")
    moves = tuple(map(game.parse_move, row.moves.split()))
    paid = None if row.payoffs is None else tuple(map(fraction_of, row.payoffs.split()))
    is_untold = forfeit is not None and game.seats == 2
    if game.is_paid and (len(paid or ()) != game.seats) is not is_untold:
        raise ValueError(f"the payoffs are {quoted(str(row.payoffs))}")
    outcome = Outcome.OVER if game.seats > 2 else Outcome(row.outcome)
    record = noted(GameRecord(moves, outcome, forfeit, payoffs=paid), row.note)
    if wrong := [each.side for each in record.forfeits if not 0 <= each.side < game.seats]:
        raise ValueError(f"seat {wrong[0]} forfeits")
    return record
