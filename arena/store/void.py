"""Read what was not played in a run: void pairs, and why players were withdrawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from arena.fights.counting import no_counts
from arena.fights.counts import Counts
from arena.model.seatings import ROTATIONS
from arena.records.void import VoidPairs
from arena.store import schema
from arena.store.reading import StoredFight, StoredRun, legible


def read_void(
    connection: Connection, run: StoredRun, fights: Sequence[StoredFight] | None = None
) -> list[Counts]:
    """Read the void pairs of the fights of a run, and why its players were withdrawn."""
    fights = run.fights if fights is None else fights
    problems, void = _problems(connection, run.number), _void_pairs(connection, run.number)
    seatings = run.options.get("seatings", ROTATIONS)
    return [
        _counts(problems, void.get(fight.number, []), seatings, fight.seats) for fight in fights
    ]


def void_of(
    connection: Connection, run: int, fight: int, seatings: str, places: Sequence[int]
) -> Counts:
    """Read the void pairs of one fight, and why its players at these places were withdrawn."""
    void = _void_pairs(connection, run, fight).get(fight, [])
    return _counts(_problems(connection, run), void, seatings, places)


def _counts(
    problems: Mapping[int, str], void: list[VoidPairs], seatings: str, places: Sequence[int]
) -> Counts:
    counts = no_counts(len(places), seatings)
    for player, place in zip(counts.players, places, strict=True):
        player.withdraw(problems.get(place))
    counts.void_pairs += void
    return counts


def _problems(connection: Connection, run: int) -> dict[int, str]:
    """Read why players of a run were withdrawn, by their places."""
    table = schema.players.c
    withdrawn = table.run == run, table.withdrawn.is_not(None)
    rows = connection.execute(select(table.place, table.withdrawn).where(*withdrawn))
    return {row.place: row.withdrawn for row in rows}


def _void_pairs(
    connection: Connection, run: int, fight: int | None = None
) -> dict[int, list[VoidPairs]]:
    """Read the void pairs of a run, or of one fight of it, by fights."""
    table, void = schema.void_pairs, dict[int, list[VoidPairs]]()
    query = select(table).where(table.c.run == run).order_by(table.c.fight, table.c.first)
    if fight is not None:
        query = query.where(table.c.fight == fight)
    with legible(f"run {run}, void pairs"):
        for row in connection.execute(query):
            pairs = VoidPairs(row.first, row.last, row.reason, bool(row.killed))
            void.setdefault(row.fight, []).append(pairs)
    return void
