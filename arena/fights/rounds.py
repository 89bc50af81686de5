"""Play a tournament round by round: what a round plays follows from the results before it.

A round is some pairs of some fights. The next one is chosen when all of them are played, from the
counts alone. So it is the same for any number of workers, and for a run that was interrupted: when
it is taken up again it chooses its rounds again, and finds their pairs in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arena.executors.base import Executor
from arena.executors.endings import undisturbed
from arena.fights.absences import Absences, settle, spread
from arena.fights.counts import Counts
from arena.fights.engines import MAX_CHUNK_PAIRS, CallsEngine
from arena.fights.feed import Chunk, Feed, missing_of
from arena.fights.first_games import hopeless
from arena.fights.journal import PairJournal
from arena.fights.play import (
    MAX_SPOILT,
    Interrupted,
    OnProgress,
    forfeited,
    kept,
    playing,
    result_of,
)
from arena.match.record import PlayedPair
from arena.records.fights import UNPLAYED, FightResult

if TYPE_CHECKING:
    from arena.records.tournaments import TournamentResult


class Goal(NamedTuple):
    """A fight that a round plays on, and the number of its last pair in that round."""

    fight: int
    last: int


class Rounds(Protocol):
    """Choose what a tournament plays, round by round, and return its results.

    Every pair of entrants has a fight; a fight is named by its place among the pairings.
    """

    @property
    def most_pairs(self) -> int:
        """The most pairs that all rounds play, for displays."""

    def next_round(self, totals: Sequence[Counts]) -> Sequence[Goal]:
        """Return which fights go on, by the counts of all; none if the tournament is over.

        A player that cannot be started is ``withdrawn`` in the counts of all its fights. Called
        once a round, in their order; the counts alone may decide.
        """

    @property
    def fault(self) -> str:
        """The reason why it stopped early, by no fault of a player; empty if it did not."""

    def result(self, fights: Sequence[FightResult]) -> TournamentResult:
        """Return the record of the fights that have begun, as far as the rounds went."""


class Known(Protocol):
    """The known pairs of the fights of a run: a journal has those of an earlier part."""

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """Return the played pairs of a fight, ascending by their numbers."""

    def missed(self, fight: int) -> Counts:
        """Return the void pairs of a fight, and which of its players is withdrawn."""


class Part(NamedTuple):
    """The pairs of one fight in a round: all of them, and those that are not known."""

    fight: int
    pairs: range
    missing: Sequence[range]


#: Told the pairs of a round, each with its fight, in the order in which observers hear of them.
OnRound = Callable[[Iterable[tuple[int, int]]], None]


class Course:
    """Follow a tournament: what its rounds asked for, and what of it is counted."""

    def __init__(
        self, rounds: Rounds, engines: Sequence[CallsEngine], known: Known | None = None
    ) -> None:
        self.engines, self.rounds = engines, rounds
        self.totals = [Counts() for _ in engines]
        #: The last pair of every fight that a round asked for, 0 for none.
        self._lasts = [0] * len(engines)
        self._known = known
        self._pairs: dict[int, Sequence[PlayedPair]] = {}

    def next_round(self) -> list[Part]:
        """Begin the next round, and count what is known of it; no part if it is all over."""
        spread([engine.pairing for engine in self.engines], self.totals)
        return [self._part(*goal) for goal in self.rounds.next_round(self.totals)]

    def _part(self, fight: int, last: int) -> Part:
        pairs = range(self._lasts[fight] + 1, last + 1)
        self._lasts[fight] = last
        if self._known is None:
            return Part(fight, pairs, [pairs])
        if fight not in self._pairs:
            self._pairs[fight] = self._known.pairs(fight)
        missed = self._known.missed(fight)
        played = [pair for pair in self._pairs[fight] if pair.pair in pairs]
        void = [found for found in missed.void_pairs if found.first in pairs]
        self.totals[fight].add(Counts.of_pairs(played))
        self.totals[fight].add(Counts(void_pairs=void))
        done = [pair.pair for pair in played]
        done += [pair for found in void for pair in range(found.first, found.last + 1)]
        missing = missing_of(last, sorted(done), pairs.start)
        if sum(found.killed for found in missed.void_pairs) >= MAX_SPOILT:
            missing = []  # the rest of it was given up
        if missing:  # a player that left the run later has played these
            for player, own in zip(self.totals[fight].both, missed.both, strict=True):
                player.withdraw(own.withdrawn)
        return Part(fight, pairs, missing)

    def results(self) -> dict[int, FightResult]:
        """Return the results of the fights that have begun, by their places."""
        settle([engine.pairing for engine in self.engines], self.totals)
        return {
            fight: result_of(self.totals[fight], _as_long_as(self.engines[fight], last))
            for fight, last in enumerate(self._lasts)
            if last
        }


def _as_long_as(engine: CallsEngine, pairs: int) -> CallsEngine:
    """Return the engine of a fight of this many pairs."""
    return replace(engine, pairing=replace(engine.pairing, pairs=pairs))


def play_rounds(
    course: Course,
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: PairJournal | None = None,
    on_round: OnRound | None = None,
) -> dict[int, FightResult]:
    """Play a tournament to its end, and return the results of its fights by their places.

    A player that cannot be started does not play any more, as in
    :func:`arena.fights.play.play_fights`. A player that has forfeited all its games when a round
    ends, for one reason, forfeits the later ones unplayed. Interrupted, with all that was finished,
    on Ctrl-C.
    """
    engines, totals = course.engines, course.totals
    pairings = [engine.pairing for engine in engines]
    feed = Feed([[] for _ in engines], [MAX_CHUNK_PAIRS] * len(engines), [1] * len(engines))
    absences = Absences(pairings, totals, feed)
    games = 2 * course.rounds.most_pairs
    parts = course.next_round()
    try:
        with playing(engines, executor, feed, journal is not None) as work:
            written = map(partial(kept, journal), work)
            while parts:
                if on_round is not None:
                    on_round(_in_turns(parts))
                _hand_out(parts, course, feed, absences)
                for chunk, counts in chain(_round(written, feed), forfeited(absences, journal)):
                    with undisturbed():
                        totals[chunk.pairing].add(counts)
                    absences.note(chunk, counts)
                    if on_progress is not None:
                        on_progress(chunk.pairing, totals[chunk.pairing], games)
                if not pairings[0].keep_going:
                    for player, why in hopeless(pairings, totals).items():
                        absences.put_out(player, UNPLAYED, f"not played: it forfeited {why}")
                parts = course.next_round()
            next(written, None)  # the queue is empty: the workers leave by themselves
    except KeyboardInterrupt as cause:
        raise Interrupted(list(course.results().values()), cause) from None
    return course.results()


def _hand_out(parts: Sequence[Part], course: Course, feed: Feed, absences: Absences) -> None:
    """Play what is missing of a round, but for the pairs of absent players."""
    absences.recall(course.totals)
    for fight, _, missing in parts:
        pairing = course.engines[fight].pairing
        if absences.is_absent(pairing.a) or absences.is_absent(pairing.b):
            absences.leave(fight, missing)
        else:
            feed.extend(fight, missing)


def _round(written: Iterator[tuple[Chunk, Counts]], feed: Feed) -> Iterator[tuple[Chunk, Counts]]:
    """Yield what is finished, until nothing of the round is left."""
    while not feed.is_idle and (found := next(written, None)) is not None:
        yield found


def _in_turns(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return all pairs of a round, the first of every fight first, each with its fight."""
    return [
        (part.pairs[turn], part.fight)
        for turn in range(max(len(part.pairs) for part in parts))
        for part in parts
        if turn < len(part.pairs)
    ]


def recount(course: Course) -> list[FightResult]:
    """Return the results of the fights as far as their pairs are known."""
    while (parts := course.next_round()) and not any(
        part.missing and not any(p.withdrawn for p in course.totals[part.fight].both)
        for part in parts
    ):
        pass
    return list(course.results().values())
