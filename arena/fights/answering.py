"""Play a tournament until a question about its entrants is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from arena.errors import UsageError
from arena.fights.counts import Counts, PlayedBy
from arena.fights.early_forfeits import total_forfeiters
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import MAX_VOID
from arena.fights.ratings import without_intervals
from arena.fights.rounds import FightGoal, of_two
from arena.fights.standings import tournament_of
from arena.fights.stopping import LOOK_PAIRS
from arena.records.answers import CAP, INTERRUPTED, REPEATS, Answered, Valued
from arena.records.entrant_limits import observed
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.records.tournaments import Standing, TournamentResult
from arena.records.until import ORDER
from arena.stats.allocation import FieldQuestion, PairingSample
from arena.stats.field import Relation
from arena.stats.independence import PAIR_SCORES, Observations


class QuestionRounds:
    """Choose the rounds of a round robin that ends when its question is answered.

    The pairings are those of all entrants, each with each. Each has as many pairs as the cap
    allows.
    """

    fault = ""

    def __init__(self, setting: RunSetting, pairings: Sequence[Pairing]) -> None:
        until = setting.until
        assert until is not None
        self._setting, self._until, self._pairings = setting, until, pairings
        game = pairings[0].game
        if game.is_paid and game.payoffs.total is None:
            raise UsageError(
                f"the payoffs of {game.name} have no constant sum: leave --until out, and play a"
                " number of pairs"
            )
        if pairings[0].luck is not None:
            raise UsageError(
                "the question of a tournament takes payoffs as they are: leave out --until, or"
                " --luck corrected"
            )
        players = dict.fromkeys(
            chain.from_iterable((id(pairing.a), id(pairing.b)) for pairing in pairings)
        )
        #: The place of every entrant, by its identity.
        self._places = {player: place for place, player in enumerate(players)}
        self._names = self._named()
        self._cap = pairings[0].pairs
        self._margin = until.margin or 0.0
        self._top = None if until.question == ORDER else int(until.number or 1)
        size = len(self._places)
        top = None if self._top is None else min(self._top, size)
        self._question = FieldQuestion(size, top, self._margin, until.alpha, self._cap)
        self._fights = {self._pair(fight): fight for fight in range(len(pairings))}
        #: The results of the earlier rounds, by fight.
        self._seen = [Observations((0,) * 5, PAIR_SCORES) for _ in pairings]
        self._repeating: set[int] = set()
        self._playing: list[int] = []
        self._rounds, self._is_over = 0, False

    @property
    def most_pairs(self) -> int:
        """The most pairs that all rounds play."""
        return sum(pairing.pairs for pairing in self._pairings)

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        """Return which fights go on, by the counts of all, or none when the question is
        answered.
        """
        self._see_out(totals)
        for fight in self._playing:
            a, b = self._pair(fight)
            self._question.add(a, b, self._look(fight, totals[fight]))
        pairings = self._question.next_round()
        self._playing = [self._fights[pairing] for pairing in pairings]
        self._is_over = not pairings
        self._rounds += bool(pairings)
        return [FightGoal(fight, self._question.played) for fight in self._playing]

    def result(self, fights: Sequence[Fought]) -> TournamentResult:
        """Return the record of the tournament, with its answer. It ranks by the values."""
        of_pairs = of_two(fights)
        sequential = [replace(fight, is_sequential=True) for fight in of_pairs]
        played = tournament_of(sequential, self._setting.schedule, self._setting.left_out)
        answered = self._answered(of_pairs)
        values = {row.player: row.value for row in answered.players}
        rows = _ranked(played.standings, values)
        if self._top is None:
            rows = _spanned(rows, answered.players)
        ratings = without_intervals(played.ratings)
        return replace(played, standings=rows, ratings=ratings, until=answered)

    def _named(self) -> list[str]:
        names: dict[int, str] = {}
        for pairing in self._pairings:
            names[id(pairing.a)], names[id(pairing.b)] = pairing.names
        return [names[player] for player in self._places]

    def _pair(self, fight: int) -> tuple[int, int]:
        """Return the places of both entrants of a fight, A's first."""
        pairing = self._pairings[fight]
        return self._places[id(pairing.a)], self._places[id(pairing.b)]

    def _see_out(self, totals: Sequence[Counts]) -> None:
        """Take players out of the field that cannot be started or forfeit all their games."""
        places = {self._places[player] for player in total_forfeiters(self._pairings, totals)}
        for fight, counts in enumerate(totals):
            both = zip(self._pair(fight), counts.players, strict=True)
            places |= {place for place, player in both if player.withdrawn is not None}
        for place in places.intersection(self._question.entrants):
            self._question.leave(place)

    def _look(self, fight: int, counts: Counts) -> PairingSample:
        """Return what the last round has shown of a fight."""
        assert isinstance(counts, PairCounts)
        result = counts.result(self._pairings[fight], PlayedBy(), decided=True)
        observations, before = observed(result), self._seen[fight]
        self._seen[fight] = observations
        if result.repeats and result.pairs >= LOOK_PAIRS:
            self._repeating.add(fight)
        is_void = sum(void.killed for void in result.void_pairs) >= MAX_VOID
        counts_before = dict(zip(before.scores, before.counts, strict=True))
        both = zip(observations.counts, observations.scores, strict=True)
        new = [count - counts_before.get(score, 0) for count, score in both]
        return PairingSample(new, observations.scores, is_void or _is_through(result))

    def _answered(self, fights: Sequence[FightResult]) -> Answered:
        answer = self._question.answer()
        is_decided = self._is_over and answer.is_decided
        groups = tuple(
            tuple(self._names[i] for i in sorted(group, key=lambda i: (-values[i], i)))
            for values in [self._question.field.values]
            for group in answer.groups
        )
        repeating = [self._pairings[fight].names for fight in sorted(self._repeating)]
        return Answered(
            rule=str(self._until),
            margin=self._margin,
            alpha=self._until.alpha,
            cap=self._cap,
            decision="decided" if is_decided else "undecided",
            reason="" if is_decided else self._reason(),
            answer=groups[0] if self._top is not None else tuple(chain.from_iterable(groups)),
            groups=groups,
            repeating=tuple(repeating),
            out=tuple(
                name
                for place, name in enumerate(self._names)
                if place not in self._question.entrants
            ),
            rounds=self._rounds,
            games=sum(fight.total.games for fight in fights),
            players=self._valued(answer.above),
        )

    def _reason(self) -> str:
        if not self._is_over:
            return INTERRUPTED
        return REPEATS if self._question.played < self._cap else CAP

    def _valued(self, above: Relation) -> tuple[Valued, ...]:
        """Return the values of all entrants, the best first. ``above`` is that of the answer."""
        field, inside = self._question.field, self._question.entrants
        intervals = zip(field.values.tolist(), field.low.tolist(), field.high.tolist(), strict=True)
        valued = [
            Valued(name, *limits, *self._rank(place, above))
            if place in inside
            else Valued(name, None)
            for place, (name, limits) in enumerate(zip(self._names, intervals, strict=True))
        ]
        return tuple(sorted(valued, key=lambda row: 1.0 if row.value is None else -row.value))

    def _rank(
        self, place: int, above: Relation
    ) -> tuple[int, int, tuple[str, ...]] | tuple[None, None, tuple[str, ...]]:
        """Return the ranks that an order leaves to an entrant, and those that it is above."""
        if self._top is not None:
            return None, None, ()
        values = self._question.field.values
        below = sorted(above[place].nonzero()[0].tolist(), key=lambda i: (-values[i], i))
        low, high = 1 + int(above[:, place].sum()), len(self._question.entrants) - len(below)
        return low, high, tuple(self._names[i] for i in below)


def _is_through(fight: FightResult) -> bool:
    """Return whether more pairs of a fight have nothing new to tell, as for a sequential test."""
    if fight.openings and fight.paid is not None:
        return False
    if not fight.openings:
        return fight.repeats and fight.pairs >= LOOK_PAIRS
    if fight.listed:
        return fight.different_openings >= fight.listed
    return fight.pairs >= LOOK_PAIRS * fight.different_openings


def _ranked(
    standings: Sequence[Standing], values: Mapping[str, float | None]
) -> tuple[Standing, ...]:
    """Return the rows by the values: their entrants have not met all others equally often."""
    value_of = {row.player: values.get(row.player) for row in standings}
    rows = sorted(standings, key=lambda row: -(value_of[row.player] or 0.0))
    inside = [row for row in rows if value_of[row.player] is not None]
    ranked = [replace(row, rank=place) for place, row in enumerate(inside, start=1)]
    return (*ranked, *(replace(row, rank=None) for row in rows if value_of[row.player] is None))


def _spanned(rows: Sequence[Standing], valued: Sequence[Valued]) -> tuple[Standing, ...]:
    """Return the rows with the ranks that the games leave."""
    spans = {row.player: (row.rank_low, row.rank_high) for row in valued}
    with_spans = ((row, *spans[row.player]) for row in rows)
    return tuple(replace(row, rank_low=low, rank_high=high) for row, low, high in with_spans)
