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

    A source is a store, or a file with the JSON of a fight or a tournament. It takes the ``runs``
    of a store, or else all. With ``pseudonyms`` every player has another name in it, and the
    report's ``pseudonyms`` say which. Raises UsageError for a source that is neither.
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
        for found in _runs(source, runs, catalogue):
            if isinstance(found, str):
                left_out.append(where + found)
            else:
                name, *contents = found
                parts.append(ReportPart(where + name, *contents))
    if not parts:
        raise UsageError(f"there is nothing to show: {'; '.join(left_out) or 'no run was played'}")
    gathered = Report(tuple(parts), tuple(left_out))
    return renamed(gathered) if pseudonyms else gathered


def entrant_reports(report: Report) -> Iterator[EntrantReport]:
    """Yield for each entrant of a report its own: with its own games and those it met."""
    from arena.reports.entrants import entrant_reports as made

    return made(report)


def entrant_report(
    store: StoreLike,
    player: str,
    run: int | None = None,
    *,
    catalogue: Catalogue | None = None,
) -> EntrantReport:
    """Return the report of one entrant of a run, by default the last; only its games are read.

    The first part has its games that count. The others have those of the players whose seat it
    took, under the same name, and of itself before it was withdrawn, the latest first; each part is
    named by what played, such as a file. Intervals are anytime-valid: an entrant may look as often
    as it likes. It leaves out the standings, which take the games of all. Raises UsageError for a
    player that never was in the run.
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
        for spec, own in fights_of_player(stored, player):
            fights = [result.as_json() for result in fights_by_now(connection, own, game)]
            games = exported(connection, own, catalogue or load_catalogue())["fights"]
            found = {"game": stored.game, "seed": stored.seed, "schedule": stored.setting.schedule}
            result = ReadResult({**found, "fights": fights})
            parts.append(entrant_part(ReportPart(spec, result, games, game), player))
    return EntrantReport(player, tuple(parts))


def _runs(store: StoreLike, numbers: Sequence[int], catalogue: Catalogue) -> Iterator[Any]:
    """Yield the parts of each run, or why it cannot be shown."""
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        for stored in read_runs(connection, numbers):
            try:
                game = game_of(stored, catalogue)
                result = shown(connection, stored, catalogue)
                fights = exported(connection, stored, catalogue)["fights"]
                alike = tuple(identical(fights, game))
            except ArenaError as error:
                if numbers:
                    raise
                yield f"run {stored.number}: {error}"
                continue
            yield f"run {stored.number}", result, fights, game, alike


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
        found = read_json(file)
        schema = schema_of(found)
        if schema == "arena.tournament/1":
            _check_tournament(found)
        elif schema == "arena.fight/1":
            _check_fight(found)
        else:
            raise UsageError(f"its schema is {quoted(str(schema))}, not of a fight or a tournament")
    except UsageError as error:
        raise UsageError(f"result {quoted(file)}: {error}") from error
    return ReadResult(found)


def _check_tournament(found: Json) -> None:
    _check_texts(found, "game", "schedule")
    _check_wholes(found, "seed")
    for row in field_of(found, "standings", list):
        _check_texts(row, "player")
        _check_wholes(row, "games", "wins", "draws", "losses", "forfeits", "missing_pairs")
        _check_numbers(row, "rank", "score")
        _check_known(row, "rank_low", "rank_high")
        for mark in field_of({"marks": {}, **row}, "marks", dict).values():
            if type(mark) not in (int, float, str):
                raise UsageError("its 'marks' are not numbers or texts")
    if found.get("until") is not None:
        for own in field_of(field_of(found, "until", dict), "players", list):
            _check_texts(own, "player")
            _check_numbers(own, "value")
    for row in field_of(field_of(found, "ratings", dict), "players", list):
        _check_texts(row, "player")
        _check_wholes(row, "group")
        elo = field_of(row, "elo", dict)
        _check_numbers(elo, "value", "low", "high")
        _check_texts(elo, "reason")
    for fight in field_of(found, "fights", list):
        _check_fight(fight)


def _check_fight(found: Any) -> None:
    _check_texts(found, "game", "engine")
    _check_wholes(found, "seed", "games")
    if len(texts_of(found, "players")) != 2:
        raise UsageError("its 'players' are not two")
    for name in ("total", "first", "second"):
        _check_wholes(field_of(found, name, dict), "wins", "draws", "losses")
    pairs = field_of(found, "pentanomial", list)
    if len(pairs) != 5 or any(type(number) is not int for number in pairs):
        raise UsageError("its 'pentanomial' is not five numbers")
    for reasons in field_of(found, "forfeits", dict).values():
        if not isinstance(reasons, dict) or any(type(n) is not int for n in reasons.values()):
            raise UsageError("its 'forfeits' are not numbers by reason")
    for game in field_of(found, "forfeited", list):
        _check_texts(game, "player", "message")
    _check_known(found, "score", "score_low", "score_high")
    if found.get("score_low") is not None or found.get("interval") is not None:
        _check_texts(found, "interval")
    if found.get("until") is not None:
        _check_numbers(field_of(found, "until", dict), "alpha")
    if found.get("sprt") is not None:
        test = field_of(found, "sprt", dict)
        _check_numbers(test, "llr", "elo0", "elo1", "lower", "upper")
        _check_path(test.get("path", []))


def _check_path(path: Any) -> None:
    """Raise UsageError unless a path has looks: numbers of pairs, each with a ratio."""
    looks = path if isinstance(path, list) else [None]
    if any(not isinstance(look, list) or [*map(type, look)] not in _LOOK for look in looks):
        raise UsageError("its 'path' is not pairs and ratios")


#: The types of a look; JSON has a whole ratio as a whole number, and none as null.
_LOOK = ([int, float], [int, int], [int, type(None)])


def _check_known(row: Json, *names: str) -> None:
    """Check the numbers of these names that a row has: an older arena wrote fewer."""
    _check_numbers(row, *(name for name in names if name in row))


def _check_texts(found: Any, *names: str) -> None:
    for name in names:
        field_of(found, name, str)


def _check_wholes(found: Any, *names: str) -> None:
    for name in names:
        field_of(found, name, int)


def _check_numbers(found: Any, *names: str) -> None:
    """Raise UsageError unless the object has these, each a number or null."""
    for name in names:
        value = found.get(name, "") if isinstance(found, dict) else ""
        if value is not None and type(value) not in (int, float):
            raise UsageError(f"its {name!r} is missing, or is not a number")
