"""Gather the results of stores and files for one report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Unpack

from arena.errors import ArenaError, UsageError
from arena.features.report.identical import identical
from arena.features.report.options import ReportOptions
from arena.fights.leaderboards import leaderboard_of
from arena.inputs.resolve import StoreLike
from arena.player.names import name_meant
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.reports import (
    EntrantFight,
    EntrantReport,
    EntrantResult,
    EntrantTable,
    Report,
    ReportPart,
)
from arena.reports.pseudonyms import renamed
from arena.runs.result_files import load
from arena.runs.stored_runs import game_of, games_of_run, record_of_run
from arena.signatures import complete, takes
from arena.urls import without_passwords


@takes(ReportOptions)
def report(sources: StoreLike | Sequence[StoreLike], **options: Unpack[ReportOptions]) -> Report:
    """Return the results of stores, with their games, and of JSON files.

    A source is a store, or a file with the JSON of a fight or a tournament. ``runs`` are the runs
    of a store to report, by default all. With ``pseudonyms`` every player has another name, which
    the report's ``pseudonyms`` list. Raises UsageError for a source that is neither.
    """
    options = complete(report, options)
    sources = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not sources:
        raise UsageError("a report needs a store, or a file with a result")
    catalogue = options["catalogue"] or load_catalogue()
    parts: list[ReportPart] = []
    left_out: list[str] = []
    for source in sources:
        where = f"{without_passwords(str(source))}, " if len(sources) > 1 else ""
        if _is_json(source):
            parts.append(ReportPart(str(source), load(source)))
            continue
        for part in _run_parts(source, where, options["runs"], catalogue):
            if isinstance(part, str):
                left_out.append(part)
            else:
                parts.append(part)
    if not parts:
        raise UsageError(f"there is nothing to show: {'; '.join(left_out) or 'no run was played'}")
    gathered = Report(tuple(parts), tuple(left_out))
    gathered = renamed(gathered) if options["pseudonyms"] else gathered
    leaderboard = leaderboard_of(part.result for part in gathered.parts)
    return replace(gathered, leaderboard=leaderboard)


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
    from arena.fights.rounds import of_two
    from arena.records.tables import TableResult
    from arena.reports.entrants import entrant_part
    from arena.store.games import fights_of_player
    from arena.store.reading import find_run
    from arena.store.recount import fights_by_now
    from arena.store.sql import open_to_read

    file, parts = open_to_read(store), []
    stored = find_run(file, run)
    player = name_meant(player, [each.name for each in stored.players])
    game = game_of(stored, catalogue or load_catalogue())
    with file.read() as connection:
        for spec, player_run in fights_of_player(stored, player):
            fought = fights_by_now(connection, player_run, game)
            games = games_of_run(connection, player_run, catalogue or load_catalogue()).fights
            fights = tuple(EntrantFight(fight, fight.interval) for fight in of_two(fought))
            tables = tuple(
                EntrantTable(table, table.watched_row(player))
                for table in fought
                if isinstance(table, TableResult)
            )
            schedule = stored.setting.schedule
            result = EntrantResult(
                stored.game, stored.seed, schedule, 0, None, None, fights, tables
            )
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
                fights = games_of_run(connection, stored, catalogue).fights
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
