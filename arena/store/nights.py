"""Keep every regression run in a store, and read a player's strength over time."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sqlalchemy import Connection, func, insert, select

from arena.clock import timestamp
from arena.errors import UnknownName, UsageError, quoted
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
            if not connection.execute(select(nights.c.id).limit(1)).all():
                raise UsageError(_no_nights(store, connection))
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


def _no_nights(store: Store, connection: Connection) -> str:
    """Say what a store has in place of regression runs."""
    runs = connection.execute(select(func.count()).select_from(schema.runs)).scalar_one()
    kept = "arena regress --store keeps them"
    other = f"; arena runs lists its {runs} other runs" * bool(runs)
    return f"store {quoted(store.name)} has no regression runs, and {kept}{other}"
