"""Gather the results of stores and files for one report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from arena.errors import ArenaError, UsageError, quoted
from arena.features.report.identical import identical
from arena.files import field_of, read_json, schema_of, texts_of
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.records.reports import EntrantReport, ReadResult, Report, ReportPart
from arena.reports.pseudonyms import renamed
from arena.runs.stored import exported, game_of, shown
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
            fights = [result.as_json() for result in fights_by_now(connection, player_run, game)]
            games = exported(connection, player_run, catalogue or load_catalogue())["fights"]
            header = {"game": stored.game, "seed": stored.seed, "schedule": stored.setting.schedule}
            result = ReadResult({**header, "fights": fights})
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
                result = shown(connection, stored, catalogue)
                fights = exported(connection, stored, catalogue)["fights"]
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


def _read(file: str) -> ReadResult:
    try:
        record = read_json(file)
        schema = schema_of(record)
        if schema == "arena.tournament/1":
            _check_tournament(record)
        elif schema == "arena.fight/1":
            _check_fight(record)
        else:
            raise UsageError(f"its schema is {quoted(str(schema))}, not of a fight or a tournament")
    except UsageError as error:
        raise UsageError(f"result {quoted(file)}: {error}") from error
    return ReadResult(record)


def _check_tournament(record: Json) -> None:
    _check_texts(record, "game", "schedule")
    _check_wholes(record, "seed")
    for row in field_of(record, "standings", list):
        _check_texts(row, "player")
        _check_wholes(row, "games", "wins", "draws", "losses", "forfeits", "missing_pairs")
        _check_numbers(row, "rank", "score")
        _check_optional_numbers(row, "rank_low", "rank_high")
        for mark in field_of({"marks": {}, **row}, "marks", dict).values():
            if type(mark) not in (int, float, str):
                raise UsageError("its 'marks' are not numbers or texts")
    if record.get("until") is not None:
        for player in field_of(field_of(record, "until", dict), "players", list):
            _check_texts(player, "player")
            _check_numbers(player, "value")
    for row in field_of(field_of(record, "ratings", dict), "players", list):
        _check_texts(row, "player")
        _check_wholes(row, "group")
        elo = field_of(row, "elo", dict)
        _check_numbers(elo, "value", "low", "high")
        _check_texts(elo, "reason")
    for fight in field_of(record, "fights", list):
        _check_fight(fight)


def _check_fight(record: Any) -> None:
    _check_texts(record, "game", "engine")
    _check_wholes(record, "seed", "games")
    if len(texts_of(record, "players")) != 2:
        raise UsageError("its 'players' are not two")
    for name in ("total", "first", "second"):
        _check_wholes(field_of(record, name, dict), "wins", "draws", "losses")
    pairs = field_of(record, "pentanomial", list)
    if len(pairs) != 5 or any(type(number) is not int for number in pairs):
        raise UsageError("its 'pentanomial' is not five numbers")
    for reasons in field_of(record, "forfeits", dict).values():
        if not isinstance(reasons, dict) or any(type(n) is not int for n in reasons.values()):
            raise UsageError("its 'forfeits' are not numbers by reason")
    for game in field_of(record, "forfeited", list):
        _check_texts(game, "player", "message")
    _check_optional_numbers(record, "score", "score_low", "score_high")
    if record.get("score_low") is not None or record.get("interval") is not None:
        _check_texts(record, "interval")
    if record.get("until") is not None:
        _check_numbers(field_of(record, "until", dict), "alpha")
    if record.get("sprt") is not None:
        test = field_of(record, "sprt", dict)
        _check_numbers(test, "llr", "elo0", "elo1", "lower", "upper")
        _check_path(test.get("path", []))


def _check_path(path: Any) -> None:
    """Raise UsageError unless a path has looks: numbers of pairs, each with a ratio."""
    looks = path if isinstance(path, list) else [None]
    if any(not isinstance(look, list) or [*map(type, look)] not in _LOOK for look in looks):
        raise UsageError("its 'path' is not pairs and ratios")


#: The types of a look; JSON has a whole ratio as a whole number, and none as null.
_LOOK = ([int, float], [int, int], [int, type(None)])


def _check_optional_numbers(row: Json, *names: str) -> None:
    """Check those of these numbers that a row has: an older arena wrote fewer."""
    _check_numbers(row, *(name for name in names if name in row))


def _check_texts(record: Any, *names: str) -> None:
    for name in names:
        field_of(record, name, str)


def _check_wholes(record: Any, *names: str) -> None:
    for name in names:
        field_of(record, name, int)


def _check_numbers(record: Any, *names: str) -> None:
    """Raise UsageError unless the object has these, each a number or null."""
    for name in names:
        value = record.get(name, "") if isinstance(record, dict) else ""
        if value is not None and type(value) not in (int, float):
            raise UsageError(f"its {name!r} is missing, or is not a number")
