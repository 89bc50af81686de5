"""Keep which volunteer played which pairs, and forget all games of one that sent a wrong game."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select, update

from arena.clock import timestamp
from arena.store import schema
from arena.store.database import add_if_new
from arena.store.journal import StoreJournal


class Parts:
    """The ledger of a run's journal. It implements :class:`arena.volunteers.desk.Ledger`."""

    def __init__(self, journal: StoreJournal) -> None:
        self._journal = journal

    def dismissed(self) -> Mapping[str, str]:
        """Return why workers are dismissed, by their names."""
        with self._journal.store.read() as connection:
            rows = connection.execute(select(schema.dismissed)).all()
        return {row.worker: row.problem for row in rows}

    def note(self, worker: str, fight: int, start: int, stop: int) -> None:
        """Keep who played these pairs of a fight, before they count."""
        row = {
            "run": self._journal.run,
            "fight": self._journal.number(fight),
            "first": start,
            "last": stop - 1,
            "worker": worker,
        }
        self._journal.keep(lambda connection, _: add_if_new(connection, schema.parts, row))

    def dismiss(self, worker: str, why: str) -> int:
        """Dismiss a worker, and forget all games that it played. Return their number.

        That is one transaction. A complete run that had such games is not complete any more.
        """
        row = {"worker": worker, "date": timestamp(), "problem": why}

        def work(connection: Connection, _: bool) -> int:
            add_if_new(connection, schema.dismissed, row)
            return _forget_games(connection, worker)

        return self._journal.keep(work)


def _forget_games(connection: Connection, worker: str) -> int:
    parts, games = schema.parts, schema.games
    removed = 0
    for part in connection.execute(select(parts).where(parts.c.worker == worker)).all():
        gone = connection.execute(
            delete(games).where(
                games.c.run == part.run,
                games.c.fight == part.fight,
                games.c.pair.between(part.first, part.last),
            )
        ).rowcount
        if gone:
            removed += gone
            _reopen(connection, part.run)
    connection.execute(delete(parts).where(parts.c.worker == worker))
    return removed


def _reopen(connection: Connection, run: int) -> None:
    """Mark a run as incomplete. It may ask for other games of its other fights too."""
    runs, fights = schema.runs, schema.fights
    connection.execute(update(runs).where(runs.c.id == run).values(finished=None))
    connection.execute(update(fights).where(fights.c.run == run).values(result=None))
