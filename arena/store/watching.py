"""Follow a run while another process plays it, reading each game about once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from arena.errors import ArenaError
from arena.game import Game, Outcome, Side
from arena.records.base import Tally
from arena.records.watching import Watched, WatchedGame, WatchedPlayer
from arena.store import schema
from arena.store.notes import same_game
from arena.store.reading import (
    StoredFight,
    StoredRun,
    legible,
    pairings_of,
    read_runs,
    record_of,
)
from arena.store.sql import Store

#: How many of the latest games are shown.
LATEST = 6


class _Key(NamedTuple):
    fight: int
    pair: int
    half: int


@dataclass
class _Count:
    """The games of a fight that were counted, by the places of its players."""

    a: int
    b: int
    #: Every pair below this one was counted, and those of ``beyond``.
    next: int = 1
    beyond: set[int] = field(default_factory=set)
    #: A's games, and the games that A and B forfeited.
    total: Tally = field(default_factory=Tally)
    forfeits: tuple[int, int] = (0, 0)

    @property
    def last(self) -> int:
        """The last pair that was counted."""
        return max(self.beyond, default=self.next - 1)

    def add(self, half: int, outcome: str, forfeit_side: int | None) -> None:
        """Count a game: A moved first in half 1."""
        winner = Outcome(outcome).winner
        a_is = Side(half - 1)
        won, drawn = winner is a_is, winner is None
        self.total += Tally(int(won), int(drawn), int(not won and not drawn))
        if forfeit_side is not None:
            own, other = self.forfeits
            by_a = Side(forfeit_side) is a_is
            self.forfeits = (own + by_a, other + (not by_a))

    def close(self, pairs: set[int]) -> None:
        """Note which pairs were counted."""
        self.beyond |= pairs
        while self.next in self.beyond:
            self.beyond.remove(self.next)
            self.next += 1


class Watcher:
    """Follows one run; :meth:`look` tells what it has by now."""

    def __init__(self, store: Store, run: int, game: Game | None) -> None:
        self._store, self._number, self._game = store, run, game
        self._counts: dict[int, _Count] = {}
        self._latest: deque[_Key] = deque(maxlen=LATEST)
        self._shown: dict[_Key, WatchedGame] = {}
        self._run: StoredRun | None = None
        self._changes = (-1, -1)

    def look(self) -> Watched:
        """Read the games since the last look. Raises StoreError if the store cannot be read."""
        with self._store.read() as connection, legible(f"run {self._number}"):
            finished = self._finished(connection)
            run = self._stored(connection)
            fights = {fight.number: fight for fight in run.fights}
            self._counts = {
                number: self._counts.get(number) or _Count(fight.a, fight.b)
                for number, fight in fights.items()
            }
            new = [
                key for number in self._grown(connection) for key in self._read(connection, number)
            ]
            self._latest.extend(sorted(new))
            self._shown = {
                key: self._shown.get(key) or self._game_at(connection, run, fights, key)
                for key in self._latest
                if key.fight in fights
            }
        return self._watched(run, finished)

    def _finished(self, connection: Connection) -> bool:
        query = select(schema.runs.c.finished).where(schema.runs.c.id == self._number)
        return connection.execute(query).scalar_one_or_none() is not None

    def _stored(self, connection: Connection) -> StoredRun:
        """Return the run; it is read again when it has other fights or players."""
        own = (
            select(func.count()).where(table.c.run == self._number).scalar_subquery()
            for table in (schema.fights, schema.changes)
        )
        fights, changes = connection.execute(select(*own)).one()
        if self._run is None or self._changes != (fights, changes):
            [self._run] = read_runs(connection, [self._number])
            self._changes = fights, changes
        return self._run

    def _grown(self, connection: Connection) -> Iterator[int]:
        """Yield the fights that may have new games: a look at the end of each is quick."""
        fights, games = schema.fights, schema.games
        last = (
            select(func.max(games.c.pair))
            .where(games.c.run == fights.c.run, games.c.fight == fights.c.number)
            .scalar_subquery()
        )
        query = select(fights.c.number, last).where(fights.c.run == self._number)
        for number, pair in connection.execute(query).all():
            count = self._counts.get(number)
            if count is None:
                continue
            if (pair or 0) < count.last:  # its games are played anew
                count = self._counts[number] = _Count(count.a, count.b)
            if (pair or 0) > count.last or count.beyond:
                yield number

    def _read(self, connection: Connection, number: int) -> list[_Key]:
        """Count the new games of a fight, and return them."""
        games, count = schema.games.c, self._counts[number]
        query = select(games.pair, games.half, games.outcome, games.forfeit_side).where(
            games.run == self._number, games.fight == number, games.pair >= count.next
        )
        found = []
        for pair, half, outcome, forfeit_side in connection.execute(query):
            if pair not in count.beyond:
                count.add(half, outcome, forfeit_side)
                found.append(_Key(number, pair, half))
        count.close({key.pair for key in found})
        return sorted(found)[-LATEST:]

    def _game_at(
        self, connection: Connection, run: StoredRun, fights: dict[int, StoredFight], key: _Key
    ) -> WatchedGame:
        games, fight = schema.games, fights[key.fight]
        at = (self._number, *key)
        row = connection.execute(
            select(games, schema.notes.c.note)
            .outerjoin(schema.notes, same_game())
            .where(*(own == value for own, value in zip(games.primary_key, at, strict=True)))
        ).one()
        names = run.players[fight.a].name, run.players[fight.b].name
        first, second = names if key.half == 1 else names[::-1]
        found = WatchedGame(
            f"{key.pair}.{key.half}",
            (first, second),
            row.outcome,
            row.reason,
            tuple(row.moves.split()),
        )
        if self._game is None:
            return found
        record = record_of(row, self._game)
        with suppress(ArenaError):
            [pairing] = pairings_of(run, self._game, fights=[fight])
            position = pairing.opening(key.pair) or self._game.start()
            for move in record.moves:
                position = position.play(move)
            last = record.moves[-1] if record.moves else None
            return replace(found, position=position, last=last)
        return found

    def _watched(self, run: StoredRun, finished: bool) -> Watched:
        totals = {place: Tally() for place in run.seats}
        forfeits = dict.fromkeys(totals, 0)
        for count in self._counts.values():
            for place, total, own in (
                (count.a, count.total, count.forfeits[0]),
                (count.b, count.total.reversed(), count.forfeits[1]),
            ):
                totals[place] += total
                forfeits[place] += own
        rows = [WatchedPlayer(run.players[p].name, totals[p], forfeits[p]) for p in totals]
        rows.sort(key=lambda row: -(row.total.score or 0))
        planned = 2 * sum(fight.pairs for fight in run.fights)
        played = sum(count.total.games for count in self._counts.values())
        return Watched(
            run=run.number,
            game=run.game,
            is_complete=finished,
            played=played,
            planned=(played if finished else None) if run.setting.is_by_rounds else planned,
            standings=tuple(rows),
            games=tuple(self._shown[key] for key in reversed(self._latest) if key in self._shown),
        )
