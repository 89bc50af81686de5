"""Gather the results of stores and files for one report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from arena.errors import ArenaError, UsageError, quoted
from arena.features.report.identical import identical
from arena.files import read_json
from arena.inputs.resolve import StoreLike
from arena.model.codec import decode, schema_of
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Record
from arena.records.fights import FightResult
from arena.records.joint import MAX_CELL
from arena.records.reports import EntrantFight, EntrantReport, EntrantResult, Report, ReportPart
from arena.records.sequential import SprtFight
from arena.records.tournaments import TournamentResult
from arena.records.until import UntilFight
from arena.reports.names import fights_of
from arena.reports.pseudonyms import renamed
from arena.runs.stored import game_of, games_of_run, record_of_run
from arena.urls import without_passwords


def report(
    sources: StoreLike | Sequence[StoreLike],
    *,
    runs: Sequence[int] = (),
    pseudonyms: bool = False,
    catalogue: Catalogue | None = None,
) -> Report:
    """Return the results of stores, with their games, and of JSON files.

    A source is a store, or a file with the JSON of a fight or a tournament. ``runs`` are the runs
    of a store to report, by default all. With ``pseudonyms`` every player has another name, which
    the report's ``pseudonyms`` list. Raises UsageError for a source that is neither.
    """
    sources = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not sources:
        raise UsageError("a report needs a store, or a file with a result")
    catalogue = catalogue or load_catalogue()
    parts: list[ReportPart] = []
    left_out: list[str] = []
    for source in sources:
        where = f"{without_passwords(str(source))}, " if len(sources) > 1 else ""
        if _is_json(source):
            parts.append(ReportPart(str(source), _read(str(source))))
            continue
        for part in _run_parts(source, where, runs, catalogue):
            if isinstance(part, str):
                left_out.append(part)
            else:
                parts.append(part)
    if not parts:
        raise UsageError(f"there is nothing to show: {'; '.join(left_out) or 'no run was played'}")
    gathered = Report(tuple(parts), tuple(left_out))
    return renamed(gathered) if pseudonyms else gathered


def entrant_reports(report: Report) -> Iterator[EntrantReport]:
    """Yield a report for each entrant of a report, with its own games and the entrants it met."""
    from arena.reports import entrants

    return entrants.entrant_reports(report)


def entrant_report(
    store: StoreLike,
    player: str,
    run: int | None = None,
    *,
    catalogue: Catalogue | None = None,
) -> EntrantReport:
    """Return the report of one entrant of a run, by default the last. Only its games are read.

    The first part has its games that count. The other parts, the latest first, have the games of
    players of the same name whose seat it took, and its own from before it was withdrawn. The name
    of a part is the spec of the player, such as a file. Intervals are anytime-valid: an entrant may
    look as often as it likes. Standings are left out, because they need the games of all. Raises
    UsageError for a player that never was in the run.
    """
    from arena.reports.entrants import entrant_part
    from arena.store.games import fights_of_player
    from arena.store.reading import find_run
    from arena.store.recount import fights_by_now
    from arena.store.sql import open_to_read

    file, parts = open_to_read(store), []
    stored = find_run(file, run)
    game = game_of(stored, catalogue or load_catalogue())
    with file.read() as connection:
        for spec, player_run in fights_of_player(stored, player):
            fights = fights_by_now(connection, player_run, game)
            games = games_of_run(connection, player_run, catalogue or load_catalogue())["fights"]
            every = tuple(EntrantFight(fight, fight.interval) for fight in fights)
            schedule = stored.setting.schedule
            result = EntrantResult(stored.game, stored.seed, schedule, 0, None, None, every)
            parts.append(entrant_part(ReportPart(spec, result, games, game), player))
    return EntrantReport(player, tuple(parts))


def _run_parts(
    store: StoreLike, where: str, numbers: Sequence[int], catalogue: Catalogue
) -> Iterator[ReportPart | str]:
    """Yield the part of each run, or a text that says why it cannot be shown."""
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        for stored in read_runs(connection, numbers):
            name = f"{where}run {stored.number}"
            try:
                game = game_of(stored, catalogue)
                result = record_of_run(connection, stored, catalogue)
                fights = games_of_run(connection, stored, catalogue)["fights"]
                alike = tuple(identical(fights, game))
            except ArenaError as error:
                if numbers:
                    raise
                yield f"{name}: {error}"
                continue
            yield ReportPart(name, result, fights, game, alike)


def _is_json(source: StoreLike) -> bool:
    """Return whether a source is a file of JSON, by its name or by how it begins."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return False
    if os.fspath(source).endswith(".json"):
        return True
    try:
        with open(source, "rb") as file:
            return file.read(64).lstrip()[:1] in (b"{", b"[")
    except OSError:
        return False


def _read(file: str) -> Record:
    """Return the result that a file has. Raises UsageError that says where it is wrong."""
    try:
        json = read_json(file)
        record: Record = decode(_kind(json), json)
        fights = fights_of(record)
        if not fights:
            raise UsageError("fights: it is empty")
        for place, fight in enumerate(fights):
            where = f"fights[{place}]." if isinstance(record, TournamentResult) else ""
            _check_counts(fight, where)
    except UsageError as error:
        raise UsageError(f"result {quoted(file)}: {error}") from error
    return record


def _kind(json: Any) -> type[Record]:
    """Return the class of a result's record."""
    schema = schema_of(json)
    if schema == TournamentResult.SCHEMA:
        return TournamentResult
    if schema != FightResult.SCHEMA:
        raise UsageError(f"its schema is {quoted(str(schema))}, not of a fight or a tournament")
    if json.get("sprt") is not None:
        return SprtFight
    return FightResult if json.get("until") is None else UntilFight


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
