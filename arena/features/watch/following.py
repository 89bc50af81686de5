"""Follow a run while another process plays it, reading each game about once."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import add
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, null, select

from arena.errors import ArenaError
from arena.features.watch.record import Watched, WatchedGame, WatchedPlayer
from arena.fractions import fraction_of
from arena.game import Game, Outcome
from arena.games.walk import walked
from arena.model.seatings import ROTATIONS, games_a_block, seating
from arena.records.base import Tally
from arena.store import schema
from arena.store.notes import read_note
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
    """The games of each player of a fight, and those that it forfeited, in the fight's order."""

    totals: tuple[Tally, ...]
    forfeits: tuple[int, ...]

    @classmethod
    def of(cls, size: int) -> _Sum:
        """Return the sum of no games between this many players."""
        return cls((Tally(),) * size, (0,) * size)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.totals[0].games

    def __add__(self, other: _Sum) -> _Sum:
        return _Sum(
            tuple(map(add, self.totals, other.totals)),
            tuple(map(add, self.forfeits, other.forfeits)),
        )


@dataclass
class _Count:
    """The games of a fight by now.

    Workers may finish pairs in another order: pairs after a gap are counted again each time.
    """

    #: The places of its players.
    seats: tuple[int, ...]
    before: _Sum
    after: _Sum
    #: Every pair below this one is in ``before``, and later ones are in ``after``.
    next: int = 1
    #: The last pair that was seen.
    last: int = 0

    @classmethod
    def begun(cls, seats: tuple[int, ...]) -> _Count:
        """Return the count of a fight before its first game is read."""
        nothing = _Sum.of(len(seats))
        return cls(seats, nothing, nothing)

    @property
    def sum(self) -> _Sum:
        """All of its games."""
        return self.before + self.after


#: What the outcomes of a game are to its two seats.
_OF_TWO = {
    "first": (Tally(1, 0, 0), Tally(0, 0, 1)),
    "draw": (Tally(0, 1, 0), Tally(0, 1, 0)),
    "second": (Tally(0, 0, 1), Tally(1, 0, 0)),
}


def _times(number: int, tally: Tally) -> Tally:
    return Tally(number * tally.wins, number * tally.draws, number * tally.losses)


def _results(paid: str) -> tuple[Tally, ...]:
    """Return what a game for more than two is to each seat: the best payoff wins, or is a draw."""
    payoffs = tuple(map(fraction_of, paid.split()))
    best = max(payoffs)
    is_shared = payoffs.count(best) > 1
    return tuple(
        Tally(int(not is_shared), int(is_shared), 0) if each == best else Tally(0, 0, 1)
        for each in payoffs
    )


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
                number: self._counts.get(number) or _Count.begun(fight.seats)
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
                count = self._counts[number] = _Count.begun(count.seats)
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
        if count.after.games < self._games_a_pair(count.seats) * (last - count.next + 1):
            last = self._before_gap(connection, number, count.next)
            count.before += self._sum(connection, number, count.next, last)
            count.next = last + 1
            count.after = self._sum(connection, number, count.next, count.last)
        else:
            count.before, count.after = count.before + count.after, _Sum.of(len(count.seats))
            count.next = last + 1
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
        if first == 1 and not self._sum(connection, fight, 1, 1).games:
            return 0
        return int(connection.execute(query).scalar_one())

    def _sum(self, connection: Connection, fight: int, first: int, last: int) -> _Sum:
        """Count the games of these pairs."""
        size, games = len(self._counts[fight].seats), schema.games.c
        is_table = size > 2
        # Who forfeited after the first at a table stands in the note.
        result = games.payoffs if is_table else games.outcome
        notes = [case((games.forfeit_side.is_(None), null()), else_=games.note)] * is_table
        columns = games.half, result, games.forfeit_side, *notes
        query = select(*columns, func.count()).where(*self._within(fight, first, last))
        total = _Sum.of(size)
        for half, ended, loser, *note, number in connection.execute(query.group_by(*columns)):
            losers = {each.seat for text in note for each in read_note(text).forfeits} or {loser}
            seats = zip(_results(ended) if is_table else _OF_TWO[ended], range(size), strict=True)
            by_seat = [(_times(number, tally), number * (seat in losers)) for tally, seat in seats]
            by_player = sorted(zip(self._seating(size, half), by_seat, strict=True))
            tallies, forfeits = zip(*(counted for _, counted in by_player), strict=True)
            total += _Sum(tallies, forfeits)
        return total

    def _seating(self, size: int, half: int) -> tuple[int, ...]:
        """Return which player of a fight sits in each seat in this game of a pair, from 1."""
        return seating(size, self._seatings, half - 1)

    def _games_a_pair(self, seats: tuple[int, ...]) -> int:
        return games_a_block(len(seats), self._seatings)

    @property
    def _seatings(self) -> str:
        assert self._run is not None
        return str(self._run.options.get("seatings", ROTATIONS))

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
        names = [run.players[place].name for place in fight.seats]
        game = WatchedGame(
            f"{key.pair}.{key.half}",
            tuple(names[place] for place in self._seating(len(names), key.half)),
            row.outcome or Outcome.OVER.value,
            row.reason,
            tuple(row.moves.split()),
            payoffs=tuple(map(fraction_of, row.payoffs.split())) if row.payoffs else None,
        )
        if self._game is None:
            return game
        record = record_of(row, self._game)
        with suppress(ArenaError):
            [pairing] = pairings_of(run, self._game, fights=[fight])
            begin = pairing.opening(key.pair) or self._game.start()
            last = record.moves[-1] if record.moves else None
            end = walked(begin, record.moves, record.departures)
            return replace(game, position=end, last=last)
        return game

    def _watched(self, run: StoredRun, is_finished: bool) -> Watched:
        totals = {place: Tally() for place in run.seats}
        forfeits = dict.fromkeys(totals, 0)
        for count in self._counts.values():
            games = count.sum
            for place, total, forfeited in zip(
                count.seats, games.totals, games.forfeits, strict=True
            ):
                totals[place] += total
                forfeits[place] += forfeited
        rows = [WatchedPlayer(run.players[p].name, totals[p], forfeits[p]) for p in totals]
        rows.sort(key=lambda row: -(row.total.score or 0))
        planned = sum(self._games_a_pair(fight.seats) * fight.pairs for fight in run.fights)
        played = sum(count.sum.games for count in self._counts.values())
        return Watched(
            run=run.number,
            game=run.game,
            is_complete=is_finished,
            played=played,
            planned=(played if is_finished else None) if run.setting.is_by_rounds else planned,
            standings=tuple(rows),
            games=tuple(self._games[key] for key in reversed(self._latest) if key in self._games),
        )
