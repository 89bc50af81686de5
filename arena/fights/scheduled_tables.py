"""Play a tournament of tables by a schedule: ask it for each round, and tell it the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from arena.errors import ArenaError
from arena.fights.block_counts import BlockCounts
from arena.fights.counts import Counts
from arena.fights.pairing import Pairing
from arena.fights.rounds import FightGoal
from arena.fights.table_standings import of_schedule, result_of_tables
from arena.records.fought import Fought
from arena.records.tables import TableResult, TablesResult
from arena.schedules import MAX_REMATCHES
from arena.schedules.named import NamedSchedule, TablePlan
from arena.schedules.tables import ScheduledTable, TableRound, TableScore, TablesState


class ScheduledTables:
    """Choose the rounds of tables by a schedule. See :class:`arena.fights.rounds.RoundChooser`.

    Every set of entrants that fills a table has a fight, of ``MAX_REMATCHES`` times the blocks of a
    table. One that sits down again goes on where it ended.
    """

    def __init__(self, schedule: NamedSchedule, pairings: Sequence[Pairing]) -> None:
        self._schedule, self._pairings = schedule, pairings
        self._places = {frozenset(each.all_names): place for place, each in enumerate(pairings)}
        self._lasts = [0] * len(pairings)
        #: The payoffs of the players, and the number of games, at the end of the last round.
        self._before: dict[int, tuple[Sequence[Fraction], int]] = {}
        first = pairings[0]
        entrants = tuple(dict.fromkeys(chain.from_iterable(each.all_names for each in pairings)))
        blocks = first.pairs // MAX_REMATCHES
        self.state = TablesState(entrants, first.game.seats, blocks, first.seed)
        self._on: TablePlan | None = None
        self.fault = ""

    @property
    def most_pairs(self) -> int:
        """The most blocks that all rounds play, for displays."""
        return self._schedule.most_blocks(self.state)

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        """Return which tables go on, or none if the tournament is over, or the schedule fails.

        Raises what the schedule raises before anything was played.
        """
        if self._on is not None:
            tables = self._scored(self._on.tables, totals)
            rounds = (*self.state.rounds, TableRound(tables, self._on.byes))
            self.state = replace(self.state, rounds=rounds)
        try:
            self._on = self._schedule.next_tables(self.state)
        except ArenaError as error:
            if not self.state.rounds:
                raise
            self._on, self.fault = None, str(error)
        return [] if self._on is None else [self._goal(table) for table in self._on.tables]

    def _goal(self, table: ScheduledTable) -> FightGoal:
        fight = self._places[frozenset(table.players)]
        self._lasts[fight] += table.blocks
        return FightGoal(fight, self._lasts[fight])

    def _scored(
        self, tables: Sequence[ScheduledTable], totals: Sequence[Counts]
    ) -> tuple[TableScore, ...]:
        """Return the results of tables: what each has more than before.

        Blocks that are void count as the mean of those that were played. If none was, or some ended
        the processes that played them, each player gets the mean of the round.
        """
        points = [self._points(table, totals) for table in tables]
        played = [each for row in points if row is not None for each in row]
        mean = sum(played, Fraction(0)) / len(played) if played else Fraction(0)
        return tuple(
            TableScore(*table, (mean,) * len(table.players) if row is None else row)
            for table, row in zip(tables, points, strict=True)
        )

    def _points(
        self, table: ScheduledTable, totals: Sequence[Counts]
    ) -> tuple[Fraction, ...] | None:
        place = self._places[frozenset(table.players)]
        counts, pairing = totals[place], self._pairings[place]
        assert isinstance(counts, BlockCounts)
        names = pairing.all_names
        before, games_before = self._before.get(place, ((Fraction(0),) * len(names), 0))
        games = counts.games_a_block * counts.pairs - games_before
        self._before[place] = tuple(counts.paid), games_before + games
        if not games or any(void.killed for void in counts.void_pairs):
            return None
        least, most, *_ = pairing.game.payoffs
        width = Fraction(most) - least
        means = {
            name: (Fraction(now - then) / games - least) / width
            for name, now, then in zip(names, counts.paid, before, strict=True)
        }
        return tuple(table.blocks * means[name] for name in table.players)

    def result(self, fights: Sequence[Fought]) -> TablesResult:
        """Return the record of the tables that have begun, with the standings by custom."""
        tables = [table for table in fights if isinstance(table, TableResult)]
        played = result_of_tables(tables, self._schedule.text)
        try:
            places = self._schedule.table_standings(self.state)
        except ArenaError as error:
            places, self.fault = None, self.fault or str(error)
        return of_schedule(played, self.state, places, self.fault)
