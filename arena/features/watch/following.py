"""Follow a run while another process plays it, reading each game about once."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from arena.errors import ArenaError
from arena.features.watch.record import Watched, WatchedGame, WatchedPlayer
from arena.game import Game, Outcome, Side
from arena.games.walk import walked
from arena.records.base import Tally
from arena.store import schema
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
MAX_LATEST = 6


class _GameNumber(NamedTuple):
    fight: int
    pair: int
    half: int


@dataclass(frozen=True)
class _Sum:
    """A's games, and the games that A and B forfeited."""

    total: Tally = field(default_factory=Tally)
    forfeits: tuple[int, int] = (0, 0)

    def __add__(self, other: _Sum) -> _Sum:
        (a, b), (more_a, more_b) = self.forfeits, other.forfeits
        return _Sum(self.total + other.total, (a + more_a, b + more_b))


@dataclass
class _Count:
    """The games of a fight by now, by the places of its players.

    Workers may finish pairs in another order: pairs after a gap are counted again each time.
    """

    a: int
    b: int
    #: Every pair below this one is in ``before``, and later ones are in ``after``.
    next: int = 1
    before: _Sum = field(default_factory=_Sum)
    after: _Sum = field(default_factory=_Sum)
    #: The last pair that was seen.
    last: int = 0

    @property
    def sum(self) -> _Sum:
        return self.before + self.after


class RunFollower:
    """Follows one run. :meth:`look` tells what it has by now."""

    def __init__(self, store: Store, run: int, game: Game | None) -> None:
        self._store, self._number, self._game = store, run, game
        self._counts: dict[int, _Count] = {}
        self._latest: deque[_GameNumber] = deque(maxlen=MAX_LATEST)
        self._games: dict[_GameNumber, WatchedGame] = {}
        self._run: StoredRun | None = None
        self._changes = (-1, -1)

    def look(self) -> Watched:
        """Read the games since the last look. Raises StoreError if the store cannot be read."""
        with self._store.read() as connection, legible(f"run {self._number}"):
            is_finished = self._is_finished(connection)
            run = self._read_run(connection)
            fights = {fight.number: fight for fight in run.fights}
            self._counts = {
                number: self._counts.get(number) or _Count(fight.a, fight.b)
                for number, fight in fights.items()
            }
            for number, last in self._fights_with_new_games(connection):
                self._latest.extend(self._read(connection, number, last))
            self._games = {
                key: self._games.get(key) or self._game_at(connection, run, fights, key)
                for key in self._latest
                if key.fight in fights
            }
        return self._watched(run, is_finished)

    def _is_finished(self, connection: Connection) -> bool:
        query = select(schema.runs.c.finished).where(schema.runs.c.id == self._number)
        return connection.execute(query).scalar_one_or_none() is not None

    def _read_run(self, connection: Connection) -> StoredRun:
        """Return the run. Read it again if it has other fights or players."""
        counts = (
            select(func.count()).where(table.c.run == self._number).scalar_subquery()
            for table in (schema.fights, schema.changes)
        )
        fights, changes = connection.execute(select(*counts)).one()
        if self._run is None or self._changes != (fights, changes):
            [self._run] = read_runs(connection, [self._number])
            self._changes = fights, changes
        return self._run

    def _fights_with_new_games(self, connection: Connection) -> list[tuple[int, int]]:
        """Return the fights that may have new games, each with its last pair, which is quick."""
        fights, games = schema.fights, schema.games
        last = (
            select(func.max(games.c.pair))
            .where(games.c.run == fights.c.run, games.c.fight == fights.c.number)
            .scalar_subquery()
        )
        query = select(fights.c.number, func.coalesce(last, 0)).where(fights.c.run == self._number)
        updates = []
        for number, pair in connection.execute(query):
            count = self._counts.get(number)
            if count is not None and pair < count.last:  # its games are played again
                count = self._counts[number] = _Count(count.a, count.b)
            if count is not None and (pair > count.last or count.next <= count.last):
                updates.append((number, pair))
        return updates

    def _read(self, connection: Connection, number: int, last: int) -> list[_GameNumber]:
        """Count the new games of a fight up to that pair, and return the latest of them."""
        count, games = self._counts[number], schema.games.c
        query = (
            select(games.pair, games.half)
            .where(*self._within(number, count.last + 1, last))
            .order_by(games.pair.desc(), games.half.desc())
            .limit(MAX_LATEST)
        )
        latest = [_GameNumber(number, *row) for row in connection.execute(query)]
        count.last, count.after = last, self._sum(connection, number, count.next, last)
        if count.after.total.games < 2 * (last - count.next + 1):
            last = self._before_gap(connection, number, count.next)
            count.before += self._sum(connection, number, count.next, last)
            count.next = last + 1
            count.after = self._sum(connection, number, count.next, count.last)
        else:
            count.before, count.after, count.next = count.before + count.after, _Sum(), last + 1
        return latest[::-1]

    def _within(self, fight: int, first: int, last: int) -> tuple[ColumnElement[bool], ...]:
        games = schema.games.c
        return games.run == self._number, games.fight == fight, games.pair.between(first, last)

    def _before_gap(self, connection: Connection, fight: int, first: int) -> int:
        """Return the last pair from ``first`` on that comes before a missing one."""
        games, other = schema.games.c, schema.games.alias()
        following = select(1).where(
            other.c.run == games.run, other.c.fight == games.fight, other.c.pair == games.pair + 1
        )
        query = (
            select(games.pair)
            .where(games.run == self._number, games.fight == fight, games.pair >= first - 1)
            .where(~following.exists())
            .order_by(games.pair)
            .limit(1)
        )
        if first == 1 and not self._sum(connection, fight, 1, 1).total.games:
            return 0
        return int(connection.execute(query).scalar_one())

    def _sum(self, connection: Connection, fight: int, first: int, last: int) -> _Sum:
        """Count the games of these pairs: A moved first in half 1."""
        games, result = schema.games.c, _Sum()
        columns = games.half, games.outcome, games.forfeit_side
        query = select(*columns, func.count()).where(*self._within(fight, first, last))
        for half, outcome, forfeit_side, number in connection.execute(query.group_by(*columns)):
            side_of_a, winner = Side(half - 1), Outcome(outcome).winner
            won, drawn = winner is side_of_a, winner is None
            total = Tally(number * won, number * drawn, number * (not won and not drawn))
            by_a = forfeit_side is not None and Side(forfeit_side) is side_of_a
            by_b = forfeit_side is not None and not by_a
            result += _Sum(total, (number * by_a, number * by_b))
        return result

    def _game_at(
        self,
        connection: Connection,
        run: StoredRun,
        fights: dict[int, StoredFight],
        key: _GameNumber,
    ) -> WatchedGame:
        games, fight = schema.games, fights[key.fight]
        values = (self._number, *key)
        row = connection.execute(
            select(games).where(
                *(column == value for column, value in zip(games.primary_key, values, strict=True))
            )
        ).one()
        names = run.players[fight.a].name, run.players[fight.b].name
        first, second = names if key.half == 1 else names[::-1]
        game = WatchedGame(
            f"{key.pair}.{key.half}",
            (first, second),
            row.outcome,
            row.reason,
            tuple(row.moves.split()),
        )
        if self._game is None:
            return game
        record = record_of(row, self._game)
        with suppress(ArenaError):
            [pairing] = pairings_of(run, self._game, fights=[fight])
            begin = pairing.opening(key.pair) or self._game.start()
            last = record.moves[-1] if record.moves else None
            return replace(game, position=walked(begin, record.moves), last=last)
        return game

    def _watched(self, run: StoredRun, is_finished: bool) -> Watched:
        totals = {place: Tally() for place in run.seats}
        forfeits = dict.fromkeys(totals, 0)
        for count in self._counts.values():
            for place, total, forfeited in (
                (count.a, count.sum.total, count.sum.forfeits[0]),
                (count.b, count.sum.total.reversed(), count.sum.forfeits[1]),
            ):
                totals[place] += total
                forfeits[place] += forfeited
        rows = [WatchedPlayer(run.players[p].name, totals[p], forfeits[p]) for p in totals]
        rows.sort(key=lambda row: -(row.total.score or 0))
        planned = 2 * sum(fight.pairs for fight in run.fights)
        played = sum(count.sum.total.games for count in self._counts.values())
        return Watched(
            run=run.number,
            game=run.game,
            is_complete=is_finished,
            played=played,
            planned=(played if is_finished else None) if run.setting.is_by_rounds else planned,
            standings=tuple(rows),
            games=tuple(self._games[key] for key in reversed(self._latest) if key in self._games),
        )
