"""Read runs from a store: their plans, and their played games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, and_, func, select

from arena.errors import UsageError, describe, quoted
from arena.fights.counts import Counts, PlayerCounts
from arena.fights.pairing import Pairing, Setting, game_id, options_from
from arena.game import Game, Outcome, Position, Side
from arena.match import Forfeit, GameRecord, PlayedPair
from arena.player import PlayerInfo
from arena.records.base import Json
from arena.records.fights import VoidPairs
from arena.records.prints import printed_json
from arena.records.sequential import Hypotheses
from arena.rng import path_of
from arena.store import schema
from arena.store.notes import noted, printed_of, read_note
from arena.store.sql import Store


@dataclass(frozen=True)
class StoredPlayer:
    """A player as it was when the run began."""

    name: str
    version: str
    package: str
    file: str
    digest: str
    isolation: str
    #: What its process may have, by name; empty without one.
    limits: Mapping[str, Any]


@dataclass(frozen=True)
class StoredFight:
    """A pairing of a run, by the places of A and B, and the result if it is finished."""

    a: int
    b: int
    pairs: int
    result: Json | None
    #: Games that are in the store.
    games: int


@dataclass(frozen=True)
class StoredRun:
    """A run, without its games."""

    number: int
    started: str
    finished: str | None
    setting: Setting
    game: str
    game_version: int
    seed: int
    arena_version: str
    python_version: str
    machine: str
    players: tuple[StoredPlayer, ...]
    fights: tuple[StoredFight, ...]
    #: What its pairings have that is not usual; see arena.fights.pairing.Pairing.options.
    options: Json
    #: The version of the streams that its games drew from, as :data:`arena.rng.STREAMS`.
    streams: int


def read_runs(connection: Connection, numbers: Sequence[int] = ()) -> list[StoredRun]:
    """Read the runs of these numbers, or all, in order. Raises UsageError if one is missing."""
    query = select(schema.runs).order_by(schema.runs.c.id)
    if numbers:
        query = query.where(schema.runs.c.id.in_(numbers))
    with _legible("runs"):
        found = [_run(connection, row) for row in connection.execute(query)]
    missing = sorted(set(numbers) - {run.number for run in found})
    if missing:
        known = [row.id for row in connection.execute(select(schema.runs.c.id))]
        has = f"it has {known[0]} to {known[-1]}" if known else "it has none"
        raise UsageError(f"there is no run {missing[0]} ({has})")
    return found


def find_run(store: Store, number: int | None, unfinished: bool = False) -> StoredRun:
    """Find the run of that number; without one the last, with ``unfinished`` an incomplete one."""
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
    options = connection.execute(
        select(schema.options.c.options).where(schema.options.c.run == number)
    ).scalar_one_or_none()
    streams = connection.execute(
        select(schema.streams.c.version).where(schema.streams.c.run == number)
    ).scalar_one_or_none()
    return StoredRun(
        number=number,
        started=row.started,
        finished=row.finished,
        setting=Setting(row.schedule, _hypotheses(row.sprt)),
        game=row.game,
        game_version=_number(row.game_version),
        seed=_number(row.seed),
        arena_version=row.arena_version,
        python_version=row.python_version,
        machine=row.machine,
        players=players,
        fights=_fights(connection, number, range(len(players))),
        options=_object(options) or {},
        streams=1 if streams is None else _number(streams),
    )


def _players(connection: Connection, run: int) -> tuple[StoredPlayer, ...]:
    players, limits = schema.players, schema.limits
    query = select(limits.c.place, limits.c.limits).where(limits.c.run == run)
    limits_at = {place: _object(found) or {} for place, found in connection.execute(query)}
    own = select(players).where(players.c.run == run).order_by(players.c.place)
    return tuple(
        StoredPlayer(
            p.name, p.version, p.package, p.file, p.digest, p.isolation, limits_at.get(p.place, {})
        )
        for p in connection.execute(own)
    )


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number")  # SQLite keeps text, too, in a column of numbers
    return value


def _fights(connection: Connection, run: int, places: range) -> tuple[StoredFight, ...]:
    """Read the fights of a run whose players have these places."""
    fights, games = schema.fights, schema.games
    own = connection.execute(
        select(fights).where(fights.c.run == run).order_by(fights.c.number)
    ).all()
    if not own:
        raise ValueError("it has no fights")
    if any(place not in places for fight in own for place in (fight.a, fight.b)):
        raise ValueError("a fight is not between players of the run")
    counted = select(games.c.fight, func.count()).where(games.c.run == run).group_by(games.c.fight)
    played = {fight: count for fight, count in connection.execute(counted)}  # noqa: C416
    return tuple(
        StoredFight(f.a, f.b, _number(f.pairs), _object(f.result), played.get(f.number, 0))
        for f in own
    )


def _object(value: object) -> Json | None:
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"{value!r} is no object")
    return value


def _hypotheses(sprt: Json | None) -> Hypotheses | None:
    if sprt is None:
        return None
    hypotheses = Hypotheses(**sprt)
    for number in (hypotheses.elo0, hypotheses.elo1, hypotheses.alpha, hypotheses.beta):
        float(number)
    return hypotheses


def pairings_of(run: StoredRun, game: Game, players: Sequence[PlayerInfo] = ()) -> list[Pairing]:
    """Return the pairings of a run, with these players, or with stand-ins that cannot play."""
    players = players or [
        PlayerInfo(player.name, _absent, isolation=player.isolation) for player in run.players
    ]
    with _legible(f"run {run.number}, options"):
        options = options_from(run.options, game)
        return [
            Pairing(game, players[fight.a], players[fight.b], fight.pairs, run.seed, **options)
            for fight in run.fights
        ]


def _absent(*_: object) -> int:
    raise AssertionError("a stored game is not played again")


def game_rows(connection: Connection, run: int, fight: int) -> Iterable[Row[Any]]:
    """Return the games of a fight as they are stored, in their order, with their notes."""
    games, notes = schema.games, schema.notes
    same = and_(*(games.c[own.name] == own for own in notes.primary_key))
    return connection.execute(
        select(games, notes.c.note)
        .outerjoin(notes, same)
        .where(games.c.run == run, games.c.fight == fight)
        .order_by(games.c.pair, games.c.half)
    )


def read_pairs(
    connection: Connection, run: int, fight: int, pairing: Pairing
) -> Iterator[PlayedPair]:
    """Return the pairs of a fight by their numbers; both games of a pair are there or neither."""
    game = pairing.game
    for pair, halves in groupby(game_rows(connection, run, fight), lambda row: row.pair):
        with _legible(f"run {run}, fight {fight + 1}, pair {pair}"):
            first, second = halves
            records = _record(first, game), _record(second, game)
            opening = pairing.opening(pair)
        text = "" if opening is None else str(opening)
        yield PlayedPair(pair, records, (first.seconds, second.seconds), opening=text)


def read_missed(connection: Connection, run: StoredRun) -> list[Counts]:
    """Read the void pairs of every fight of a run, and why its players were withdrawn."""
    table = schema.withdrawn
    rows = connection.execute(select(table).where(table.c.run == run.number))
    problems = {row.place: row.problem for row in rows}
    missed = [
        Counts(
            a=PlayerCounts(withdrawn=problems.get(fight.a)),
            b=PlayerCounts(withdrawn=problems.get(fight.b)),
        )
        for fight in run.fights
    ]
    void = schema.void_pairs
    with _legible(f"run {run.number}, void pairs"):
        for row in connection.execute(
            select(void).where(void.c.run == run.number).order_by(void.c.fight, void.c.first)
        ):
            pairs = VoidPairs(row.first, row.last, row.reason, bool(row.killed))
            missed[row.fight].void_pairs.append(pairs)
    return missed


def read_games(connection: Connection, run: StoredRun, pairings: Sequence[Pairing]) -> Json:
    """Read the players and the fights of a run as JSON, each fight with all its games.

    The pairings give the openings of games; a run without openings does not need them.
    """
    missed = read_missed(connection, run)
    fights: list[Json] = []
    for number, fight in enumerate(run.fights):
        names = run.players[fight.a].name, run.players[fight.b].name
        path = path_of(run.game, *names, run.seed)
        with _legible(path):
            games = []
            for row in game_rows(connection, run.number, number):
                opening = pairings[number].opening(row.pair) if pairings else None
                games.append(_game_json(row, path, names, opening))
        fights.append(
            {
                "players": list(names),
                "pairs": fight.pairs,
                "void_pairs": [pairs.as_json() for pairs in missed[number].void_pairs],
                "withdrawn": {
                    name: own.withdrawn
                    for name, own in zip(names, missed[number].both, strict=True)
                },
                "games": games,
            }
        )
    players = [asdict(player) for player in run.players]
    return {"options": run.options, "players": players, "fights": fights}


def _game_json(row: Row[Any], path: str, names: tuple[str, str], opening: Position | None) -> Json:
    note, players = read_note(row.note), (names if row.half == 1 else names[::-1])
    printed = printed_json((players[0], players[1]), printed_of(note))
    return {
        "game_id": game_id(path, opening, row.pair, row.half == 2),
        "opening": None if opening is None else str(opening),
        "players": list(players),
        "moves": row.moves.split(),
        "outcome": row.outcome,
        "forfeit_side": row.forfeit_side,
        "reason": row.reason,
        "message": row.message,
        "seconds": row.seconds,
        **note,
        **printed,
    }


@contextmanager
def _legible(what: str) -> Iterator[None]:
    """Raise Unreadable if a value is not one that this arena writes."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise schema.Unreadable(f"{what}: {describe(error)}") from error


def _record(row: Row[tuple[object, ...]], game: Game) -> GameRecord:
    forfeit = None
    if row.reason is not None:
        forfeit = Forfeit(Side(row.forfeit_side), row.reason, row.message or "")
    moves = tuple(map(game.parse_move, row.moves.split()))
    return noted(GameRecord(moves, Outcome(row.outcome), forfeit), row.note)
