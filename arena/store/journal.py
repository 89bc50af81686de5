"""Write the games of a run while it is played, and resume from them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, delete, insert, select, update

from arena.clock import timestamp
from arena.errors import StoreError, quoted
from arena.fights.counts import Counts
from arena.fights.pairing import Pairing, Setting
from arena.match.record import PlayedPair
from arena.records.base import Json
from arena.records.fights import FightResult
from arena.records.intervals import INTERVAL_KEYS
from arena.rng import STREAMS
from arena.store import schema
from arena.store.columns import bound
from arena.store.database import add_unless_there
from arena.store.growth import described
from arena.store.lock import RunLock
from arena.store.missed import missed_of
from arena.store.notes import note_of
from arena.store.reading import StoredFight, read_pairs
from arena.store.sql import Store
from arena.store.surroundings import surroundings

#: A row of the table of games.
_Row = tuple[Any, ...]


class Journal:
    """A run that this process plays; no other can at the same time.

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
        #: For thousands of rows at a time, and as ready for the driver as rows can be.
        dialect = store.database.engine.dialect
        self._insert_games = str(insert(schema.games).compile(dialect=dialect))
        #: The number of every pairing in the store, and the place of every player there.
        self._numbers = [fight.number for fight in fights] or list(range(len(pairings)))
        self._places = places_of(pairings)
        for fight, pairing in zip(fights, pairings, strict=bool(fights)):
            self._places |= {id(pairing.a): fight.a, id(pairing.b): fight.b}

    @classmethod
    def begin(cls, store: Store, setting: Setting, pairings: Sequence[Pairing]) -> Self:
        """Begin a new run."""
        with store.write() as connection:
            run = _insert_run(connection, setting, pairings)
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

    def pairs(self, fight: int) -> list[PlayedPair]:
        """Return the pairs of a fight that were played before, by their numbers."""
        with self.store.read() as connection:
            number = self._numbers[fight]
            return list(read_pairs(connection, self.run, number, self.pairings[fight]))

    def missed(self, fight: int) -> Counts:
        """Return the void pairs of a fight, and which of its players is withdrawn."""
        pairing = self.pairings[fight]
        with self.store.read() as connection:
            places = (self._places[id(player)] for player in (pairing.a, pairing.b))
            return missed_of(connection, self.run, self._numbers[fight], *places)

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep these pairs of a fight; for a pair that was not played, keep the reason."""
        missed = [pair for pair in pairs if pair.void or pair.withdrawn is not None]
        played = pairs if not missed else [pair for pair in pairs if pair not in missed]
        rows = [row for pair in played for row in self._rows(fight, pair)]
        notes = [note for pair in played for note in self._notes(fight, pair)]
        if rows:
            self._lock.keep(partial(self._keep_games, rows, notes))
        if missed:
            self.miss(fight, Counts.of_pairs(missed))

    def _keep_games(
        self, rows: Sequence[_Row], notes: Sequence[Json], connection: Connection, again: bool
    ) -> None:
        if again and self._has(connection, rows):
            return
        dialect = connection.dialect
        ready = [
            row if row[7] is None else (*row[:8], bound(row[8], dialect), row[9]) for row in rows
        ]
        connection.exec_driver_sql(self._insert_games, ready)
        if notes:
            connection.execute(insert(schema.notes), notes)

    def _has(self, connection: Connection, rows: Sequence[_Row]) -> bool:
        """Return whether a commit kept these rows although the answer to it was lost.

        Raises StoreError if another process has played them, while this one had no connection.
        """
        games, (run, fight, *_) = schema.games, rows[0]
        query = select(games).where(
            games.c.run == run, games.c.fight == fight, games.c.pair.in_({row[2] for row in rows})
        )
        found = {tuple(row) for row in connection.execute(query)}
        if found and found != set(rows):
            raise StoreError(
                f"run {run} of store {quoted(self.store.name)} was played by another process"
            )
        return bool(found)

    def miss(self, fight: int, counts: Counts) -> None:
        """Keep why pairs of a fight are void, and which players are withdrawn."""
        pairing, void, problems = self.pairings[fight], list[Json](), list[Json]()
        for pairs in counts.void_pairs:
            void.append({"run": self.run, "fight": self._numbers[fight], **pairs._asdict()})
        for player, own in zip((pairing.a, pairing.b), counts.both, strict=True):
            if own.withdrawn is not None:
                row = {"run": self.run, "place": self._places[id(player)]}
                problems.append({**row, "problem": own.withdrawn})

        self._lock.keep(partial(self._keep_missed, void, problems))

    def _keep_missed(
        self, void: Sequence[Json], problems: Sequence[Json], connection: Connection, again: bool
    ) -> None:
        for row in void:
            add_unless_there(connection, schema.void_pairs, row)
        for row in problems:
            add_unless_there(connection, schema.withdrawn, row)

    def begin_again(self) -> None:
        """Forget withdrawn players and void pairs, to try them again; not those of past fights."""
        self._lock.keep(self._forget)

    def _forget(self, connection: Connection, again: bool) -> None:
        void, withdrawn = schema.void_pairs, schema.withdrawn
        connection.execute(
            delete(void).where(void.c.run == self.run, void.c.fight.in_(self._numbers))
        )
        places = self._places.values()
        forgotten = connection.execute(
            delete(withdrawn).where(withdrawn.c.run == self.run, withdrawn.c.place.in_(places))
        )
        if forgotten.rowcount:  # the run may not be complete without them
            connection.execute(
                update(schema.runs).where(schema.runs.c.id == self.run).values(finished=None)
            )

    def _rows(self, fight: int, played: PlayedPair) -> Iterator[_Row]:
        """Yield the rows of the two games, in the order of the columns."""
        notation = self.pairings[fight].game.format_move
        for half, (moves, outcome, forfeit, *_) in enumerate(played.records):
            ended: tuple[Any, ...] = (None, None, None)
            if forfeit is not None:
                ended = (int(forfeit.side), forfeit.reason, forfeit.message)
            text = " ".join(map(notation, moves))
            seconds = played.seconds[half]
            key = self.run, self._numbers[fight], played.pair, half + 1
            yield (*key, text, outcome.value, *ended, seconds)

    def _notes(self, fight: int, played: PlayedPair) -> Iterator[Json]:
        """Yield the rows about those games of the two that have more to tell."""
        for half, record in enumerate(played.records, start=1):
            if note := note_of(record):
                key = {"run": self.run, "fight": self._numbers[fight], "pair": played.pair}
                yield {**key, "half": half, "note": json.dumps(note)}

    def finish(self, results: Mapping[int, FightResult], is_over: bool = True) -> None:
        """Note the results of the fights.

        The run is complete if it is over and all of them are, but for those of players that never
        started.
        """
        self._lock.keep(partial(self._finish, results, is_over))

    def _finish(
        self,
        results: Mapping[int, FightResult],
        is_over: bool,
        connection: Connection,
        again: bool,
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
            connection.execute(
                update(schema.runs)
                .where(schema.runs.c.id == self.run, schema.runs.c.finished.is_(None))
                .values(finished=timestamp())
            )


def _counted(result: FightResult) -> Json:
    """Return the result of a finished fight, without the interval: that is recomputed."""
    return {key: value for key, value in result.as_json().items() if key not in INTERVAL_KEYS}


def _insert_run(connection: Connection, setting: Setting, pairings: Sequence[Pairing]) -> int:
    game = pairings[0].game
    players = {id(p): p for pairing in pairings for p in (pairing.a, pairing.b)}
    places = places_of(pairings)
    added = connection.execute(
        insert(schema.runs).values(
            started=timestamp(),
            schedule=setting.schedule,
            game=game.name,
            game_version=game.version,
            seed=pairings[0].seed,
            sprt=asdict(setting.sprt) if setting.sprt else None,
            **surroundings(),
        )
    )
    (run,) = added.inserted_primary_key or (0,)
    connection.execute(insert(schema.streams).values(run=run, version=STREAMS))
    until = {} if setting.until is None else {"until": asdict(setting.until)}
    options = {**pairings[0].options, **until}
    if options:
        connection.execute(insert(schema.options).values(run=run, options=options))
    connection.execute(
        insert(schema.players),
        [{"run": run, "place": places[i], **described(p)} for i, p in players.items()],
    )
    own = [
        {"run": run, "place": places[i], "limits": dict(p.limits)}
        for i, p in players.items()
        if p.limits
    ]
    if own:
        connection.execute(insert(schema.limits), own)
    if setting.contest is not None:
        file, text = setting.contest
        connection.execute(insert(schema.contests).values(run=run, file=file, text=text))
    named = [{"run": run, "place": places[i], "spec": p.spec} for i, p in players.items() if p.spec]
    if named:
        connection.execute(insert(schema.specs), named)
    connection.execute(
        insert(schema.fights),
        [
            {
                "run": run,
                "number": number,
                "a": places[id(pairing.a)],
                "b": places[id(pairing.b)],
                "pairs": pairing.pairs,
            }
            for number, pairing in enumerate(pairings)
        ],
    )
    return int(run)


def places_of(pairings: Sequence[Pairing]) -> dict[int, int]:
    """Return the places of the players of a run that begins, by their identities."""
    players = dict.fromkeys(id(p) for pairing in pairings for p in (pairing.a, pairing.b))
    return {player: place for place, player in enumerate(players)}
