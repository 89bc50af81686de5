"""Write the games of a run while it is played, and resume from them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, delete, func, insert, select, update

from arena.clock import timestamp
from arena.errors import StoreError, quoted
from arena.fights.counting import counts_of
from arena.fights.counts import Counts
from arena.fights.pairing import Pairing, RunSetting
from arena.game import Outcome
from arena.match.record import PlayedPair
from arena.records.base import Json
from arena.records.fought import Fought
from arena.store import schema
from arena.store.columns import bound
from arena.store.database import add_if_new
from arena.store.lock import RunLock, T
from arena.store.notes import note_of
from arena.store.plans import insert_run, places_of, withdraw
from arena.store.reading import StoredFight, read_pairs
from arena.store.sql import Store
from arena.store.void import void_of

#: A row of the table of games, in the order of these columns. No game of today fills ``chance``.
_GameValues = tuple[Any, ...]
_COLUMNS = tuple(column for column in schema.games.c if column.name != "chance")


class StoreJournal:
    """A run that this process plays. No other can at the same time.

    It implements :class:`arena.fights.journal.Journal`.

    Its pairs are written when they have been played, each with both its games in one transaction,
    and are on disk when ``write`` returns.
    """

    def __init__(
        self,
        store: Store,
        run: int,
        pairings: Sequence[Pairing],
        fights: Sequence[StoredFight] = (),
        lock: RunLock | None = None,
    ) -> None:
        self.store, self.run, self.pairings = store, run, pairings
        self._lock = lock or store.lock(run)
        #: Compiled once, for thousands of rows at a time.
        dialect = store.database.engine.dialect
        names = [column.name for column in _COLUMNS]
        self._insert_games = str(insert(schema.games).compile(dialect=dialect, column_keys=names))
        #: The number of every pairing in the store, and the place of every player there.
        self._numbers = [fight.number for fight in fights] or list(range(len(pairings)))
        self._places = places_of(pairings)
        for fight, pairing in zip(fights, pairings, strict=bool(fights)):
            self._places |= dict(zip(map(id, pairing.players), fight.seats, strict=True))

    @classmethod
    def begin(cls, store: Store, setting: RunSetting, pairings: Sequence[Pairing]) -> Self:
        """Begin a new run."""
        with store.write() as connection:
            run = insert_run(store, connection, setting, pairings)
        return cls(store, run, pairings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()

    @property
    def address(self) -> str:
        """The store and the run, as the command ``arena resume`` takes them."""
        return f"{shlex.quote(self.store.name)} {self.run}"

    def number(self, fight: int) -> int:
        """Return the number of a fight in the store."""
        return self._numbers[fight]

    def keep(self, work: Callable[[Connection, bool], T]) -> T:
        """Do work in a transaction of the run, as :meth:`RunLock.keep` does."""
        return self._lock.keep(work)

    def pairs(self, fight: int) -> list[PlayedPair]:
        """Return the pairs of a fight that were played before, by their numbers."""
        with self.store.read() as connection:
            number = self._numbers[fight]
            return list(read_pairs(connection, self.run, number, self.pairings[fight]))

    def void_counts(self, fight: int) -> Counts:
        """Return the void pairs of a fight, and which of its players is withdrawn."""
        pairing = self.pairings[fight]
        with self.store.read() as connection:
            places = [self._places[id(player)] for player in pairing.players]
            return void_of(connection, self.run, self._numbers[fight], pairing.seatings, places)

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep these pairs of a fight. For a pair that was not played, keep the reason."""
        void = [pair for pair in pairs if pair.void or pair.withdrawn is not None]
        played = pairs if not void else [pair for pair in pairs if pair not in void]
        rows = [row for pair in played for row in self._rows(fight, pair)]
        if rows:
            self._lock.keep(partial(self._keep_games, rows))
        if void:
            self.miss(fight, counts_of(self.pairings[fight], void))

    def _keep_games(
        self, rows: Sequence[_GameValues], connection: Connection, is_retry: bool
    ) -> None:
        if is_retry and self._has(connection, rows):
            return
        dialect = connection.dialect
        ready = [
            row if row[7] is None else (*row[:8], bound(row[8], dialect), *row[9:]) for row in rows
        ]
        connection.exec_driver_sql(self._insert_games, ready)

    def _has(self, connection: Connection, rows: Sequence[_GameValues]) -> bool:
        """Return whether a commit kept these rows although the answer to it was lost.

        Raises StoreError if another process has played them, while this one had no connection.
        """
        games, (run, fight, *_) = schema.games, rows[0]
        query = select(*_COLUMNS).where(
            games.c.run == run, games.c.fight == fight, games.c.pair.in_({row[2] for row in rows})
        )
        stored = {tuple(row) for row in connection.execute(query)}
        if stored and stored != set(rows):
            raise StoreError(
                f"run {run} of store {quoted(self.store.name)} was played by another process"
            )
        return bool(stored)

    def miss(self, fight: int, counts: Counts) -> None:
        """Keep why pairs of a fight are void, and which players are withdrawn."""
        pairing, void, problems = self.pairings[fight], list[Json](), dict[int, str]()
        for pairs in counts.void_pairs:
            void.append({"run": self.run, "fight": self._numbers[fight], **vars(pairs)})
        for player, counted in zip(pairing.players, counts.players, strict=True):
            if counted.withdrawn is not None:
                problems[self._places[id(player)]] = counted.withdrawn
        self._lock.keep(partial(self._keep_void, void, problems))

    def _keep_void(
        self,
        void: Sequence[Json],
        problems: Mapping[int, str],
        connection: Connection,
        is_retry: bool,
    ) -> None:
        for row in void:
            add_if_new(connection, schema.void_pairs, row)
        for place, problem in problems.items():
            withdraw(connection, self.run, place, problem)

    def begin_again(self) -> None:
        """Forget withdrawn players and void pairs, to try them again, but not those of past
        fights.
        """
        self._lock.keep(self._forget)

    def _forget(self, connection: Connection, is_retry: bool) -> None:
        void, players = schema.void_pairs, schema.players
        connection.execute(
            delete(void).where(void.c.run == self.run, void.c.fight.in_(self._numbers))
        )
        withdrawn = players.c.place.in_(self._places.values()), players.c.withdrawn.is_not(None)
        forgotten = connection.execute(
            update(players).where(players.c.run == self.run, *withdrawn).values(withdrawn=None)
        )
        if forgotten.rowcount:  # the run may not be complete without them
            connection.execute(
                update(schema.runs).where(schema.runs.c.id == self.run).values(finished=None)
            )

    def _rows(self, fight: int, played: PlayedPair) -> Iterator[_GameValues]:
        """Yield the rows of the games, in the order of the columns."""
        notation = self.pairings[fight].game.format_move
        for half, record in enumerate(played.records):
            moves, outcome, forfeit, *_ = record
            ended: tuple[Any, ...] = (None, None, None)
            if forfeit is not None:
                ended = (int(forfeit.side), forfeit.reason, forfeit.message)
            text = " ".join(map(notation, moves))
            seconds = played.seconds[half]
            key = self.run, self._numbers[fight], played.pair, half + 1
            note = note_of(record)
            note_text = json.dumps(note) if note else None
            paid = None if record.payoffs is None else " ".join(map(str, record.payoffs))
            how = None if outcome is Outcome.OVER else outcome.value
            yield (*key, text, how, *ended, seconds, note_text, None, paid)

    def finish(
        self, results: Mapping[int, Fought], is_over: bool = True, by_rounds: bool = False
    ) -> None:
        """Note the results of the fights.

        The run is complete if it is over and all of them are, but for those of players that never
        started. One by rounds then has no other pairs.
        """
        self._lock.keep(partial(self._finish, results, is_over, by_rounds))

    def _finish(
        self,
        results: Mapping[int, Fought],
        is_over: bool,
        by_rounds: bool,
        connection: Connection,
        is_retry: bool,
    ) -> None:
        fights = schema.fights
        for place, result in results.items():
            if result.unfinished is None:
                number = self._numbers[place]
                connection.execute(
                    update(fights)
                    .where(fights.c.run == self.run, fights.c.number == number)
                    .values(result=_counted(result))
                )
        unfinished = [fight for fight in results.values() if fight.unfinished]
        if is_over and all(fight.is_someone_withdrawn for fight in unfinished):
            if by_rounds:
                self._keep_only(results, connection)
            connection.execute(
                update(schema.runs)
                .where(schema.runs.c.id == self.run, schema.runs.c.finished.is_(None))
                .values(finished=timestamp())
            )

    def _keep_only(self, results: Mapping[int, Fought], connection: Connection) -> None:
        """Forget the pairs of fights after those that rounds asked for."""
        games = schema.games
        lasts = {self._numbers[place]: result.planned for place, result in results.items()}
        stored = select(games.c.fight, func.max(games.c.pair)).where(games.c.run == self.run)
        for fight, most in connection.execute(stored.group_by(games.c.fight)).all():
            last = lasts.get(fight, 0) if fight in self._numbers else most
            if most > last:
                of_fight = games.c.run == self.run, games.c.fight == fight
                connection.execute(delete(games).where(*of_fight, games.c.pair > last))


def _counted(result: Fought) -> Json:
    """Return the result of a finished fight, as far as its own games tell it."""
    return {key: value for key, value in result.as_json().items() if key not in NOT_STORED}


#: The keys of a fight that take the whole run: they are computed again when it is read.
NOT_STORED = (
    *("interval", "score", "score_low", "score_high"),
    *("is_sequential", "is_shuffled", "listed"),
)
