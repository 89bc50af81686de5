"""Read results that were saved as JSON."""

from __future__ import annotations

import os
from typing import Any

from arena.errors import UsageError, quoted
from arena.files import naming, read_json
from arena.model.codec import decode, schema_of
from arena.records.base import Record
from arena.records.fights import FightResult
from arena.records.joint import MAX_CELL
from arena.records.sequential import SprtFight
from arena.records.tables import TablesResult
from arena.records.tournaments import TournamentResult
from arena.records.until import UntilFight
from arena.reports.names import fights_of


def load(file: str | os.PathLike[str]) -> Record:
    """Return the fight or the tournament that a file has, as ``save`` wrote it as JSON.

    Raises UsageError that says where the file is wrong.
    """
    with naming("result", file):
        json = read_json(file)
        record: Record = decode(_kind(json), json)
        if isinstance(record, TablesResult):
            _check_tables(record)
            return record
        fights = fights_of(record)
        if not fights:
            raise UsageError("fights: it is empty")
        for place, fight in enumerate(fights):
            where = f"fights[{place}]." if isinstance(record, TournamentResult) else ""
            _check_counts(fight, where)
    return record


def _kind(json: Any) -> type[Record]:
    """Return the class of a result's record."""
    schema = schema_of(json)
    if schema == TablesResult.SCHEMA:
        return TablesResult
    if schema == TournamentResult.SCHEMA:
        return TournamentResult
    if schema != FightResult.SCHEMA:
        raise UsageError(f"its schema is {quoted(str(schema))}, not of a fight or a tournament")
    if json.get("sprt") is not None:
        return SprtFight
    return FightResult if json.get("until") is None else UntilFight


def _check_tables(record: TablesResult) -> None:
    """Raise UsageError if a table has not what its seats say."""
    if not record.tables:
        raise UsageError("tables: it is empty")
    for place, table in enumerate(record.tables):
        seats, games = len(table.facts), table.games_a_block
        sizes = {len(end.payoffs) for end in table.ends}
        paid = {len(each) for end in table.ends for each in end.payoffs}
        if seats != record.seats or sizes - {games} or paid - {seats}:
            raise UsageError(f"tables[{place}].ends: the payoffs do not match {record.seats} seats")


def _check_counts(fight: FightResult, where: str) -> None:
    """Raise UsageError if a fight has parts of pairs that it does not have."""
    alone = fight.a.forfeited_alone + fight.b.forfeited_alone
    for part, whole in ((alone, fight.forfeited_joint), (fight.forfeited_joint, fight.joint)):
        if any(n > most for n, most in zip(part, whole, strict=True)):
            raise UsageError(f"{where}forfeited_joint: it does not fit the other pairs")
    if fight.a.name == fight.b.name:
        raise UsageError(f"{where}players: both have the name {quoted(fight.a.name)}")
    openings = [number for table, number in fight.by_opening if table.pairs]
    if len(openings) < len(fight.by_opening) or not all(0 < n <= MAX_CELL for n in openings):
        raise UsageError(f"{where}by_opening: each opening must have pairs")
