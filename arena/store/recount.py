"""Count stored games again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arena.fights import runs
from arena.fights.choosing import engine_of
from arena.fights.counting import counts_of
from arena.fights.pairing import Pairing
from arena.fights.play import result_of
from arena.fights.rounds import RoundChooser, RoundRule
from arena.fights.rounds import recount as recount_rounds
from arena.fights.scheduled import ScheduleRounds
from arena.game import Game
from arena.match.record import PlayedPair
from arena.records.all_tables import tables_of
from arena.records.fought import Fought
from arena.records.played import Played
from arena.store.reading import StoredRun, pairings_of, read_pairs
from arena.store.void import read_void


def reread(
    connection: Connection,
    stored: StoredRun,
    game: Game,
    plugins: Sequence[str] = (),
    rounds: RoundChooser | None = None,
) -> Played:
    """Return the record that the games of a stored run make, without its players.

    ``plugins`` are as for :func:`arena.store.reading.pairings_of`. ``rounds`` are those of a run
    that goes by them.
    """
    pairings = pairings_of(stored, game, plugins=plugins)
    pairs = _pairs(connection, stored, pairings)
    void = read_void(connection, stored)
    return runs.recount(stored.setting, pairings, pairs, void, rounds)


def rounds_played(
    connection: Connection, stored: StoredRun, game: Game, rounds: ScheduleRounds
) -> int:
    """Return how many rounds of a run that goes by a schedule have begun."""
    pairings = pairings_of(stored, game)
    pairs = _pairs(connection, stored, pairings)
    record = runs.StoredPairs(pairs, read_void(connection, stored))
    course = RoundRule(rounds, [engine_of(pairing) for pairing in pairings], record)
    recount_rounds(course)
    return rounds.rounds_played(course.totals)


def reread_fights(connection: Connection, stored: StoredRun, game: Game) -> list[Fought]:
    """Return the results that the games of a stored run make, of all its fights in their order.

    A fight that goes on by rounds has as many pairs as were played: its schedule is not asked.
    """
    if not stored.setting.is_by_rounds:
        played = reread(connection, stored, game)
        return list(tables_of(played) or runs.fights_of(played))
    return fights_by_now(connection, stored, game)


def fights_by_now(connection: Connection, stored: StoredRun, game: Game) -> list[Fought]:
    """Return the results that the games of these fights make, whatever their schedule says."""
    pairings, results = pairings_of(stored, game), []
    played = zip(_pairs(connection, stored, pairings), read_void(connection, stored), strict=True)
    for pairing, (pairs, void) in zip(pairings, played, strict=True):
        counts = counts_of(pairing, pairs)
        counts.add(void)
        results.append(result_of(counts, engine_of(pairing), decided=True))
    return results


def _pairs(
    connection: Connection, stored: StoredRun, pairings: Sequence[Pairing]
) -> list[list[PlayedPair]]:
    """Read the pairs of all fights. Most of those by rounds may have none."""
    return [
        list(read_pairs(connection, stored.number, fight.number, pairing)) if fight.games else []
        for fight, pairing in zip(stored.fights, pairings, strict=True)
    ]
