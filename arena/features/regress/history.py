"""Keep every regression run in a store, and read a player's strength over time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from arena.clock import timestamp
from arena.errors import UnknownName, UsageError, counted, describe, quoted
from arena.features.regress.record import ClaimCheck, Comparison, RegressionReport, in_words
from arena.player.names import name_meant
from arena.records.base import Json
from arena.records.rows import HistoryRow, ListedRegressionRun
from arena.store import schema
from arena.store.sql import Store
from arena.store.surroundings import surroundings

#: The value that an older arena did not keep.
UNKNOWN_VALUE = "unknown"


def keep_regression_run(store: Store, report: RegressionReport, digests: Mapping[str, str]) -> None:
    """Keep a report. ``digests`` are those of the players' code, by name."""
    store.keep(partial(_insert, store, timestamp(), report, digests))


def _insert(
    store: Store,
    date: str,
    report: RegressionReport,
    digests: Mapping[str, str],
    connection: Connection,
    is_retry: bool,
) -> None:
    row = {"date": date, "verdict": str(report.verdict), "report": report.as_json()}
    if is_retry and _has(connection, row):
        return
    number = store.insert_next(connection, schema.regression_runs, **row, **surroundings())
    rows = [
        {
            "regression_run": number,
            "number": place,
            "digest": digests.get(check.player, ""),
            **_check_row(check),
        }
        for place, check in enumerate(report.checks)
    ]
    if rows:
        connection.execute(insert(schema.checks), rows)


def _has(connection: Connection, row: Json) -> bool:
    """Return whether the last report is this one."""
    runs = schema.regression_runs.c
    last = select(runs.date, runs.verdict, runs.report).order_by(runs.id.desc()).limit(1)
    stored = connection.execute(last).first()
    return stored is not None and _text(stored._asdict()) == _text(row)


def _text(row: Json) -> str:
    return json.dumps(row, sort_keys=True)


def _check_row(check: ClaimCheck | Comparison) -> Json:
    score = check.after if isinstance(check, Comparison) else None
    return {
        "player": check.player,
        "game": check.game,
        "what": check.what,
        "verdict": str(check.verdict),
        "score": None if score is None else str(score),
        "message": check.message,
    }


def regression_game(store: Store, game_id: str) -> Json | None:
    """Return the game of that id, as the last regression run kept it, in schema ``arena.replay/1``.

    A regression run keeps the games that show its failures.
    """
    runs = schema.regression_runs
    query = select(runs.c.report).order_by(runs.c.id.desc())
    with store.read() as connection, _legible():
        games = chain.from_iterable(map(_games, connection.execute(query).scalars()))
        return next((game for game in games if game.get("game_id") == game_id), None)


def _games(report: Json) -> Iterator[Json]:
    """Yield the games of a report. Reports of older versions have none."""
    lines = [check.get("losing_line") for check in report.get("claims", ())]
    lines += [check.get("line") for check in report.get("comparisons", ())]
    yield from (line["game"] for line in lines if line and line.get("game"))


def read_regression_runs(connection: Connection) -> list[ListedRegressionRun]:
    """Return the regression runs of a store, the oldest first, with the players of each."""
    runs = schema.regression_runs
    rows = connection.execute(select(runs).order_by(runs.c.id)).all()
    with _legible():
        return [_regression_run(row) for row in rows]


def _regression_run(row: Row[Any]) -> ListedRegressionRun:
    checks = [*row.report.get("claims", ()), *row.report.get("comparisons", ())]
    return {
        "run": row.id,
        "date": row.date,
        "verdict": row.verdict,
        "players": sorted({check["player"] for check in checks}),
        "commit": row.report.get("commit", UNKNOWN_VALUE),
        "arena_version": row.arena_version,
        "python_version": row.python_version,
        "machine": row.machine,
    }


def read_history(store: Store, player: str, game: str | None) -> list[HistoryRow]:
    """Return all verdicts on a player, the oldest first. Raises UnknownName if there are none."""
    runs, checks = schema.regression_runs, schema.checks
    query = (
        select(runs.c.date, runs.c.arena_version, runs.c.report, checks)
        .join(checks, checks.c.regression_run == runs.c.id)
        .where(checks.c.player == player)
        .order_by(runs.c.id, checks.c.number)
    )
    with store.read() as connection:
        rows = list(
            connection.execute(query if game is None else query.where(checks.c.game == game))
        )
        if not rows:
            players = connection.execute(select(checks.c.player).distinct()).scalars().all()
            if not connection.execute(select(runs.c.id).limit(1)).all():
                raise UsageError(_no_regression_runs(store, connection))
            if (meant := name_meant(player, players)) != player:
                return read_history(store, meant, game)
            if player not in players:
                raise UnknownName("player of a regression run in the store", player, players)
        with _legible():
            return _entries(rows)


@contextmanager
def _legible() -> Iterator[None]:
    """Raise Unreadable if a value is not one that an arena writes."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise schema.Unreadable(f"regression runs: {describe(error)}") from error


def _entries(rows: Iterable[Row[Any]]) -> list[HistoryRow]:
    """Return verdicts in order, each with the change since the last of the same check."""
    last: dict[tuple[str, str], Row[Any]] = {}
    entries = []
    for row in rows:
        entries.append(_entry(row, last.get((row.game, row.what))))
        if row.score is not None:
            last[row.game, row.what] = row
    return entries


def _entry(row: Row[Any], before: Row[Any] | None) -> HistoryRow:
    """Return a verdict, with the change since that of the regression run before."""
    report: Json = row.report
    player = (
        report["players"].get(row.player, {}) if "players" in report else {"version": UNKNOWN_VALUE}
    )
    low, high = _interval(row) or (None, None)
    change, has_other_panel = _change(before, row)
    return {
        "run": row.regression_run,
        "date": row.date,
        "commit": report.get("commit", UNKNOWN_VALUE),
        "version": player.get("version", ""),
        "game": row.game,
        "check": row.what,
        "verdict": row.verdict,
        "outcome": in_words(row.verdict, _margin(row.what, report), _least_fall(row)),
        "score": row.score,
        "strength": "" if row.score is None else f"{100 * float(Fraction(row.score)):.2f} %",
        "low": low,
        "high": high,
        "interval": _interval_in_words(row),
        "change": change,
        "other_panel": has_other_panel,
        "code": row.digest,
        "arena_version": row.arena_version,
        "message": row.message,
    }


def _margin(what: str, report: Json) -> str | None:
    """Return the fall that games had to exclude. Reports of all versions have it."""
    return f"{float(report['margin']):g}" if what == "games" else None


def _least_fall(row: Row[Any]) -> float | None:
    """Return the lower end of the interval of a fall, if there is one."""
    fall = _comparison(row).get("fall")
    return None if fall is None else float(fall["low"])


def _comparison(row: Row[Any]) -> Json:
    """Return the comparison of a verdict in its report."""
    comparisons: list[Json] = row.report.get("comparisons", [])
    matching = (c for c in comparisons if (c["player"], c["game"]) == (row.player, row.game))
    return next(matching, {})


def _interval(row: Row[Any]) -> tuple[float, float] | None:
    """Return the 95 % interval of a strength by games, if it was kept."""
    low, high = _comparison(row).get("interval") or (None, None)
    return None if low is None or high is None else (low, high)


def _interval_in_words(row: Row[Any]) -> str:
    if row.score is None:
        return ""
    if row.what == "policy":
        return "exact"
    interval = _interval(row)
    return (
        UNKNOWN_VALUE
        if interval is None
        else f"{100 * interval[0]:.2f} to {100 * interval[1]:.2f} %"
    )


def _change(before: Row[Any] | None, row: Row[Any]) -> tuple[float | None, bool]:
    """Return the change in points per game, and whether it is unknown for another panel."""
    if before is None or row.score is None:
        return None, False
    panels = [
        {entry["opponent"] for entry in _comparison(r).get("panel", ())} for r in (before, row)
    ]
    if panels[0] != panels[1]:
        return None, True
    return float(Fraction(row.score) - Fraction(before.score)), False


def _no_regression_runs(store: Store, connection: Connection) -> str:
    """Say what a store has in place of regression runs."""
    runs = connection.execute(select(func.count()).select_from(schema.runs)).scalar_one()
    advice = "arena regress --store keeps them"
    other = f"; arena runs lists its {counted(runs, 'other run')}" * bool(runs)
    return f"store {quoted(store.name)} has no regression runs, and {advice}{other}"
