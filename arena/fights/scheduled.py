"""Play a tournament by a schedule: ask it for each round, and tell it the results of the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from arena.errors import ArenaError
from arena.fights.counts import Counts
from arena.fights.designs import ScheduleDesign
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.ratings import without_intervals, without_tests
from arena.fights.rounds import FightGoal, of_two
from arena.fights.standings import tournament_of
from arena.records.base import Tally
from arena.records.fought import Fought
from arena.records.tournaments import Standing, TournamentResult
from arena.schedules import (
    MAX_REMATCHES,
    PairingResult,
    RoundResult,
    ScheduledPairing,
    TournamentState,
    awarded,
)
from arena.schedules.named import NamedSchedule, Round


class Attendance(NamedTuple):
    """The entrants that came late or were withdrawn by the organiser: after how many rounds."""

    entered: Mapping[str, int] = {}
    withdrawn: Mapping[str, int] = {}


#: All entrants are there from the beginning to the end.
AT_ONCE = Attendance()


class ScheduleRounds:
    """Choose the rounds of a tournament by a schedule.

    It implements :class:`arena.fights.rounds.RoundChooser`.

    Every pairing of the entrants has a fight, in the order of entering, of ``MAX_REMATCHES`` times
    the pairs of a pairing. A pairing goes on in its fight where an earlier one ended.
    """

    def __init__(
        self,
        schedule: NamedSchedule,
        setting: RunSetting,
        pairings: Sequence[Pairing],
        times: Attendance = AT_ONCE,
    ) -> None:
        self._schedule, self._setting, self._times = schedule, setting, times
        self._entrants = entrants_of(pairings)
        self._places = {pairing.names: place for place, pairing in enumerate(pairings)}
        self._lasts = [0] * len(pairings)
        #: A's points in every fight, and the number of games, at the end of the last round.
        self._before = [(Fraction(0), 0)] * len(pairings)
        first = pairings[0]
        self.state = self._now(TournamentState((), first.pairs // MAX_REMATCHES, first.seed))
        self._on: Round | None = None
        self.fault = ""

    @property
    def most_pairs(self) -> int:
        """The most pairs that all rounds play, for displays."""
        return self._schedule.most_pairs(self.state)

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        """Return which fights go on, or none if the tournament is over, or the schedule fails.

        Raises what the schedule raises before anything was played.
        """
        if self._on is not None:
            self._end_round(self._on, totals)
        try:
            self._on = self._schedule.next_round(self.state)
        except ArenaError as error:
            if not self.state.rounds:
                raise
            self._on, self.fault = None, str(error)
        return [] if self._on is None else [self._goal(pairing) for pairing in self._on.pairings]

    def _goal(self, pairing: ScheduledPairing) -> FightGoal:
        fight, _ = self._fight(pairing.a, pairing.b)
        self._lasts[fight] += pairing.pairs
        return FightGoal(fight, self._lasts[fight])

    def _fight(self, a: str, b: str) -> tuple[int, bool]:
        """Return the fight of two entrants, and whether B is the A of the fight."""
        if (a, b) in self._places:
            return self._places[a, b], False
        return self._places[b, a], True

    def _end_round(self, on: Round, totals: Sequence[Counts]) -> None:
        """Take in the results of a round, and which players are not there any more."""
        results = tuple(self._result(pairing, totals) for pairing in on.pairings)
        rounds = (*self.state.rounds, RoundResult(results, on.byes))
        played = {
            name for names, place in self._places.items() if totals[place].pairs for name in names
        }
        # A player that has played and does not start again forfeits its games, in any worker alike.
        absent = {
            name: len(rounds)
            for names, place in self._places.items()
            for name, player in zip(names, totals[place].players, strict=True)
            if player.withdrawn is not None and name not in played
        }
        withdrawn = {**absent, **self.state.withdrawn}
        self.state = self._now(replace(self.state, rounds=rounds, withdrawn=withdrawn))

    def _now(self, state: TournamentState) -> TournamentState:
        """Return what is known with the entrants of now."""
        over = len(state.rounds)
        late = {name for name, after in self._times.entered.items() if after > over}
        entrants = tuple(name for name in self._entrants if name not in late)
        times = self._times.withdrawn.items()
        withdrawn = {**state.withdrawn, **{name: after for name, after in times if after <= over}}
        return replace(state, entrants=entrants, withdrawn=withdrawn)

    def _result(self, pairing: ScheduledPairing, totals: Sequence[Counts]) -> PairingResult:
        """Return the result of a pairing of the round: what its fight has more than before."""
        place, is_turned = self._fight(pairing.a, pairing.b)
        counts = totals[place]
        before, now = self._before[place], _points_and_games(counts)
        self._before[place] = now
        if any(void.killed for void in counts.void_pairs):  # it counts for no player
            now = before
        absent = [player.withdrawn is not None for player in counts.players]
        award = awarded(now[0] - before[0], now[1] - before[1], pairing.pairs, absent)
        points = award, 2 * pairing.pairs - award
        return PairingResult(*pairing, points[::-1] if is_turned else points)

    def rounds_played(self, totals: Sequence[Counts]) -> int:
        """Return the number of rounds of which a game was played."""
        on = [] if self._on is None else self._on.pairings
        fights = (self._fight(pairing.a, pairing.b)[0] for pairing in on)
        is_on = any(
            _points_and_games(totals[fight])[1] > self._before[fight][1] for fight in fights
        )
        return len(self.state.rounds) + is_on

    @property
    def takes_late_entrants(self) -> bool:
        """Whether an entrant may come after the first round."""
        return self._schedule.takes_late_entrants

    def result(self, fights: Sequence[Fought]) -> TournamentResult:
        """Return the record of the fights that have begun, with the standings by custom."""
        design = self._design()
        played = tournament_of(of_two(fights), self._setting.schedule, design=design)
        rows = {row.player: row for row in played.standings}
        unplayed = [name for name in self.state.entrants if name not in rows]
        rows |= {name: Standing(None, name, Tally(), 0) for name in unplayed}
        standings = tuple(rows.values())
        try:
            places = self._schedule.standings(self.state)
        except ArenaError as error:
            places, self.fault = None, self.fault or str(error)
        if places is not None:
            standings = tuple(
                replace(rows[place.player], rank=place.rank, marks=place.marks) for place in places
            )
        # Not all met the same opponents: nothing says how far off these ranks may be.
        standings = tuple(replace(row, rank_low=None, rank_high=None) for row in standings)
        ratings = without_tests(played.ratings, "results chose the pairings")
        if design is None:
            ratings = without_intervals(ratings)
        played = replace(played, standings=standings, ratings=ratings, rank_intervals=None)
        return replace(played, state=self.state, fault=self.fault)

    def _design(self) -> ScheduleDesign | None:
        """Return the tournament to be simulated, or None before its end, or if it may not be."""
        is_over = self._on is not None and not self._on.pairings
        if not (is_over and self._schedule.may_be_simulated):
            return None
        return ScheduleDesign(self._schedule, self.state, self._times.entered)


def entrants_of(pairings: Sequence[Pairing]) -> tuple[str, ...]:
    """Return the names of all that have a pairing, in the order of entering."""
    return tuple(dict.fromkeys(chain.from_iterable(pairing.names for pairing in pairings)))


def _points_and_games(counts: Counts) -> tuple[Fraction, int]:
    """Return A's points, and the number of games."""
    assert isinstance(counts, PairCounts)
    total = counts.joint.total
    return total.points, total.games
