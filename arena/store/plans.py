"""Write the plan of a run: the run itself, its players and its fights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, insert, update

from arena.clock import timestamp
from arena.fights.pairing import BATCH, Pairing, RunSetting
from arena.player import PlayerInfo
from arena.records.base import Json
from arena.rng import STREAMS
from arena.store import schema
from arena.store.code import code_digest
from arena.store.sql import Store
from arena.store.surroundings import surroundings

#: The option of a run that says who plays by calls where others play by batches.
CALLED = "called"


def insert_run(
    store: Store, connection: Connection, setting: RunSetting, pairings: Sequence[Pairing]
) -> int:
    """Insert a run that begins, and return its number."""
    first, places = pairings[0], places_of(pairings)
    file, text = setting.contest or (None, None)
    run = store.insert_next(
        connection,
        schema.runs,
        started=timestamp(),
        schedule=setting.schedule,
        game=first.game.name,
        game_version=first.game.version,
        seed=first.seed,
        streams=STREAMS,
        sprt=asdict(setting.sprt) if setting.sprt else None,
        until=asdict(setting.until) if setting.until else None,
        options=options_of(pairings),
        contest_file=file,
        contest_text=text,
        **surroundings(),
    )
    players = {id(p): p for pairing in pairings for p in pairing.players}
    insert_players(connection, run, 0, players.values())
    fights = [(tuple(places[id(p)] for p in each.players), each.pairs) for each in pairings]
    insert_fights(connection, run, 0, fights)
    return run


def options_of(pairings: Sequence[Pairing]) -> Json:
    """Return the options of a run of these pairings.

    Where only some are played by batches, ``called`` has the places of the players of no such one:
    a fight with one of them is played by calls.
    """
    options, places = pairings[0].options, places_of(pairings)
    by_batch = [pairing for pairing in pairings if pairing.engine == BATCH]
    if len(by_batch) in (0, len(pairings)):
        return options
    able = {places[id(player)] for pairing in by_batch for player in pairing.players}
    called = [place for place in places.values() if place not in able]
    return {**options, "engine": BATCH, CALLED: called}


def insert_players(
    connection: Connection, run: int, first: int, players: Iterable[PlayerInfo]
) -> None:
    """Insert players at the places of a run from ``first`` on."""
    rows = [
        {"run": run, "place": place, **identity_of(player), "spec": player.spec}
        for place, player in enumerate(players, first)
    ]
    if rows:
        connection.execute(insert(schema.players), rows)


def insert_fights(
    connection: Connection, run: int, first: int, fights: Iterable[tuple[Sequence[int], int]]
) -> None:
    """Insert fights by the places of their players and their pairs, numbered from ``first`` on."""
    rows = [
        {
            "run": run,
            "number": number,
            "a": seats[0],
            "b": seats[1],
            "seats": [*seats] if len(seats) > 2 else None,
            "pairs": pairs,
        }
        for number, (seats, pairs) in enumerate(fights, first)
    ]
    if rows:
        connection.execute(insert(schema.fights), rows)


def withdraw(connection: Connection, run: int, place: int, problem: str) -> None:
    """Note why the player at a place cannot be started, unless the run has a reason."""
    players = schema.players
    player = players.c.run == run, players.c.place == place, players.c.withdrawn.is_(None)
    connection.execute(update(players).where(*player).values(withdrawn=problem))


def places_of(pairings: Sequence[Pairing]) -> dict[int, int]:
    """Return the places of the players of a run that begins, by their identities."""
    players = dict.fromkeys(id(p) for pairing in pairings for p in pairing.players)
    return {player: place for place, player in enumerate(players)}


def identity_of(player: PlayerInfo) -> Json:
    """Return the columns that identify a player: equal columns in two runs are one player."""
    return {
        "name": player.name,
        "version": player.version,
        "package": player.package,
        "file": player.file,
        "digest": code_digest(player),
        "isolation": player.isolation,
        "limits": dict(player.limits),
    }
