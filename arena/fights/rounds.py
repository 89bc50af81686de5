"""Play a tournament round by round: what a round plays follows from the results before it.

A round is some pairs of some fights. The next one is chosen when all of them are played, from the
counts alone. So it is the same for any number of workers, and for a run that was interrupted: when
it is taken up again it chooses its rounds again, and finds their pairs in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arena.fights.chunks import ChunkQueue, missing_of
from arena.fights.counting import counts_of
from arena.fights.counts import Counts
from arena.fights.dropouts import finalize, spread
from arena.fights.early_forfeits import total_forfeiters
from arena.fights.engines import MAX_CHUNK_PAIRS, CallsEngine
from arena.fights.journal import PairRecord
from arena.fights.play import MAX_VOID, Rule, result_of
from arena.match.record import PlayedPair
from arena.records.fights import FightResult
from arena.records.fought import Fought

if TYPE_CHECKING:
    from arena.records.played import Played


class FightGoal(NamedTuple):
    """A fight that a round plays on, and the number of its last pair in that round."""

    fight: int
    last: int


class RoundChooser(Protocol):
    """Choose what a tournament plays, round by round, and return its results.

    Every pair of entrants has a fight. A fight is named by its place among the pairings.
    """

    @property
    def most_pairs(self) -> int:
        """The most pairs that all rounds play, for displays."""

    def next_round(self, totals: Sequence[Counts]) -> Sequence[FightGoal]:
        """Return which fights go on, by the counts of all, or none if the tournament is over.

        A player that cannot be started is ``withdrawn`` in the counts of all its fights. Called
        once a round, in their order. The counts alone may decide.
        """

    @property
    def fault(self) -> str:
        """The reason why it stopped early, by no fault of a player. It is empty if it did not."""

    def result(self, fights: Sequence[Fought]) -> Played:
        """Return the record of the fights that have begun, as far as the rounds went."""


def of_two(results: Iterable[Fought]) -> list[FightResult]:
    """Return the fights of two players among these."""
    return [fight for fight in results if isinstance(fight, FightResult)]


class RoundPart(NamedTuple):
    """The pairs of one fight in a round: all of them, and those that are not known."""

    fight: int
    pairs: range
    missing: Sequence[range]


#: Told the pairs of a round, each with its fight, in the order in which observers hear of them.
OnRound = Callable[[Iterable[tuple[int, int]]], None]


class RoundRule(Rule[Mapping[int, Fought]]):
    """Plays a tournament round by round to its end.

    A player that has forfeited all its games when a round ends, for one reason, forfeits the later
    ones unplayed. ``record`` has the pairs of an earlier part. Its answer has the results of the
    fights that have begun, by their places.
    """

    engines: Sequence[CallsEngine]

    def __init__(
        self,
        schedule: RoundChooser,
        engines: Sequence[CallsEngine],
        record: PairRecord | None = None,
        on_round: OnRound | None = None,
    ) -> None:
        queue = ChunkQueue(
            [[] for _ in engines], [MAX_CHUNK_PAIRS] * len(engines), [1] * len(engines)
        )
        super().__init__(engines, queue, [counts_of(engine.pairing) for engine in engines])
        #: The last pair of every fight that a round asked for, 0 for none.
        self._lasts = [0] * len(engines)
        self._schedule, self._record, self._on_round = schedule, record, on_round
        self._pairs: dict[int, Sequence[PlayedPair]] = {}

    @property
    def games(self) -> int:
        """The most games that all rounds play."""
        return self.pairings[0].games_a_pair * self._schedule.most_pairs

    def rounds(self) -> Iterator[None]:
        """Queue the missing pairs of one round after the other."""
        while parts := self.next_round():
            if self._on_round is not None:
                self._on_round(_in_turns(parts))
            for fight, _, missing in parts:
                self.queue.extend(fight, missing)
            self.dropouts.recall(self.totals)
            yield
            if not self.pairings[0].plays_on:
                for player, why in total_forfeiters(self.pairings, self.totals).items():
                    self.dropouts.put_out(player, why)

    def next_round(self) -> list[RoundPart]:
        """Begin the next round, and count what is known of it. There is no part if all is over."""
        spread(self.pairings, self.totals)
        return [self._part(*goal) for goal in self._schedule.next_round(self.totals)]

    def _part(self, fight: int, last: int) -> RoundPart:
        pairs = range(self._lasts[fight] + 1, last + 1)
        self._lasts[fight] = last
        if self._record is None:
            return RoundPart(fight, pairs, [pairs])
        if fight not in self._pairs:
            self._pairs[fight] = self._record.pairs(fight)
        void_counts = self._record.void_counts(fight)
        played = [pair for pair in self._pairs[fight] if pair.pair in pairs]
        void = [part for part in void_counts.void_pairs if part.first in pairs]
        stored = counts_of(self.pairings[fight], played)
        stored.void_pairs += void
        self.totals[fight].add(stored)
        done = [pair.pair for pair in played]
        done += [pair for part in void for pair in range(part.first, part.last + 1)]
        missing = missing_of(last, sorted(done), pairs.start)
        if sum(part.killed for part in void_counts.void_pairs) >= MAX_VOID:
            missing = []  # the rest of it was given up
        if missing:  # a player that left the run later has played these
            for player, counts in zip(self.totals[fight].players, void_counts.players, strict=True):
                player.withdraw(counts.withdrawn)
        return RoundPart(fight, pairs, missing)

    def fights(self) -> list[Fought]:
        """Return the results of the fights that have begun."""
        return list(self.answer().values())

    def answer(self) -> Mapping[int, Fought]:
        """Return the results of the fights that have begun, by their places."""
        finalize(self.pairings, self.totals)
        return {
            fight: result_of(self.totals[fight], _as_long_as(self.engines[fight], last))
            for fight, last in enumerate(self._lasts)
            if last
        }


def _as_long_as(engine: CallsEngine, pairs: int) -> CallsEngine:
    """Return the engine of a fight of this many pairs."""
    return replace(engine, pairing=replace(engine.pairing, pairs=pairs))


def _in_turns(parts: Sequence[RoundPart]) -> list[tuple[int, int]]:
    """Return all pairs of a round, the first of every fight first, each with its fight."""
    return [
        (part.pairs[turn], part.fight)
        for turn in range(max(len(part.pairs) for part in parts))
        for part in parts
        if turn < len(part.pairs)
    ]


def recount(course: RoundRule) -> list[Fought]:
    """Return the results of the fights as far as their pairs are known."""
    while (parts := course.next_round()) and not any(
        part.missing and not any(p.withdrawn for p in course.totals[part.fight].players)
        for part in parts
    ):
        pass
    return course.fights()
