"""Keep every regression run in a store, and read a player's strength over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from sqlalchemy import insert, select

from arena.clock import timestamp
from arena.errors import UnknownName
from arena.records.base import Json
from arena.records.regression import ClaimCheck, Comparison, RegressionReport, in_words
from arena.store import schema
from arena.store.sql import Store
from arena.store.surroundings import surroundings


def keep_night(store: Store, report: RegressionReport, digests: Mapping[str, str]) -> None:
    """Keep a report; ``digests`` are those of the players' code, by name."""
    with store.write() as connection:
        added = connection.execute(
            insert(schema.nights).values(
                date=timestamp(),
                verdict=str(report.verdict),
                report=report.as_json(),
                **surroundings(),
            )
        )
        (night,) = added.inserted_primary_key or (0,)
        rows = [
            {
                "night": night,
                "number": number,
                "digest": digests.get(check.player, ""),
                **_described(check),
            }
            for number, check in enumerate(report.checks)
        ]
        if rows:
            connection.execute(insert(schema.checks), rows)


def _described(check: ClaimCheck | Comparison) -> Json:
    score = check.after if isinstance(check, Comparison) else None
    return {
        "player": check.player,
        "game": check.game,
        "what": check.what,
        "verdict": str(check.verdict),
        "score": None if score is None else str(score),
        "message": check.message,
    }


def night_game(store: Store, game_id: str) -> Json | None:
    """Return the game of that id that the last night with it kept, in schema ``arena.replay/1``.

    A night keeps the games that show its failures.
    """
    nights = schema.nights
    query = select(nights.c.report).order_by(nights.c.id.desc())
    with store.read() as connection:
        for report in connection.execute(query).scalars():
            for game in _games(report):
                if game.get("game_id") == game_id:
                    return game
    return None


def _games(report: Json) -> Iterator[Json]:
    """Yield the games of a report; reports of older versions have none."""
    lines = [check.get("losing_line") for check in report.get("claims", ())]
    lines += [check.get("line") for check in report.get("comparisons", ())]
    yield from (line["game"] for line in lines if line and line.get("game"))


def _margin(what: str, report: Json) -> float | None:
    """Return the fall that games had to exclude; reports of all versions have it."""
    return float(report["margin"]) if what == "games" else None


def read_history(store: Store, player: str, game: str | None = None) -> list[Json]:
    """Return all verdicts on a player, the oldest first. Raises UnknownName if there are none."""
    nights, checks = schema.nights, schema.checks
    query = (
        select(nights.c.date, nights.c.arena_version, nights.c.report, checks)
        .join(checks, checks.c.night == nights.c.id)
        .where(checks.c.player == player)
        .order_by(nights.c.id, checks.c.number)
    )
    with store.read() as connection:
        rows = list(
            connection.execute(query if game is None else query.where(checks.c.game == game))
        )
        if not rows:
            known = connection.execute(select(checks.c.player).distinct()).scalars().all()
            if player not in known:
                raise UnknownName("player of a night in the store", player, known)
    return [
        {
            "night": row.night,
            "date": row.date,
            "game": row.game,
            "check": row.what,
            "verdict": row.verdict,
            "outcome": in_words(row.verdict, _margin(row.what, row.report)),
            "score": row.score,
            "strength": "" if row.score is None else f"{100 * float(Fraction(row.score)):.2f} %",
            "code": row.digest,
            "arena_version": row.arena_version,
            "message": row.message,
        }
        for row in rows
    ]
