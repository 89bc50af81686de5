"""Play fights: cut pairs of games into chunks, have an executor play them, and count.

A rule says which pairs come next, whether they are enough, and what they answer. :func:`play_by` is
the one loop that plays by it. The rules are in :mod:`arena.fights.plain` (all pairs),
:mod:`arena.fights.sequential` (until a test decides), :mod:`arena.fights.rounds` (round by round)
and :mod:`arena.features.regress.series` (a player against a panel).

Every game's randomness depends on its id alone, so the result is the same for any number of
workers, however the pairs are cut, and whether a run was interrupted and resumed or not.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from typing import Generic, TypeVar, overload

from arena import escape
from arena.dataclass import dataclass
from arena.errors import OutOfBudget, Unavailable, Unusable, UsageError
from arena.executors.base import SECONDS_A_TASK, Executor, TaskFailed, seconds_a_task
from arena.executors.endings import undisturbed
from arena.fights.batch import BatchEngine
from arena.fights.chunks import Chunk, ChunkQueue, ChunkResult
from arena.fights.counting import counts_of
from arena.fights.counts import Counts, PlayedBy
from arena.fights.dropouts import Dropouts, finalize
from arena.fights.engines import CallsEngine, Engine
from arena.fights.journal import PairJournal
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import BATCH, Pairing, game_id
from arena.match import play_game
from arena.match.record import GameRecord, PlayedPair
from arena.player.prints import LocalPrintCapture, PrintCapture, Prints
from arena.proof import tables
from arena.proof.policy import Policy
from arena.records.base import Record
from arena.records.fights import CALLED_PAIRS, FightResult
from arena.records.fought import Fought
from arena.records.void import VoidPairs
from arena.rng import Stream
from arena.sandbox.cores import shared_with

logger = logging.getLogger(__name__)

#: After this many pairs that keep killing workers the rest of a fight is not played.
MAX_VOID = 10


#: The errors that end a run with what is known.
ENDS = (Unavailable, OutOfBudget, Unusable)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during fights, a player that stays unavailable or unusable, or a spent budget.

    ``results`` has the finished part.
    """

    def __init__(
        self,
        results: Sequence[Fought],
        cause: KeyboardInterrupt | Unavailable | OutOfBudget | Unusable,
    ) -> None:
        super().__init__("interrupted")
        self.results = results
        #: The cause: Ctrl-C itself, Terminated, or one of ENDS.
        self.cause = cause
        #: The record of them all, to show.
        self.partial: Record | None = None
        #: The store and the number of the run that can be resumed, if games were kept.
        self.run = ""
        #: The command that resumes it.
        self.resume = ""


#: Told the index of a pairing, its counts whenever they have grown, and the games of all pairings.
OnProgress = Callable[[int, Counts, int], None]


Answer = TypeVar("Answer")


class Rule(ABC, Generic[Answer]):
    """A rule of play: which pairs come next, whether they are enough, and what they answer.

    It queues its pairs, and counts them in ``totals``, which may have those of an earlier part of
    the run. A player that does not start drops out (:mod:`arena.fights.dropouts`).
    """

    #: Pairs between two looks, None for a rule that looks at all pairs at once.
    batch: int | None = None
    #: Whether it needs no more pairs, although some may be left.
    is_over = False

    def __init__(
        self, engines: Sequence[Engine], queue: ChunkQueue, totals: Sequence[Counts]
    ) -> None:
        self.engines, self.queue, self.totals = engines, queue, totals
        self.pairings = [engine.pairing for engine in engines]
        self.dropouts = Dropouts(self.pairings, totals, queue)

    @cached_property
    def games(self) -> int:
        """The most games that it plays, for displays."""
        return sum(pairing.games_a_pair * pairing.pairs for pairing in self.pairings)

    def rounds(self) -> Iterator[None]:
        """Queue one round after the other, each when the one before is played."""
        yield

    def note(self, part: ChunkResult) -> None:
        """Count some pairs, each once."""
        self.totals[part.chunk.pairing].add(part.counts)
        self.dropouts.note(part.chunk, part.counts)

    def forfeits(self) -> Iterable[ChunkResult]:
        """Return the pairs that dropouts forfeit when everything else of a round is played."""
        return self.dropouts.forfeits(self.batch)

    def fights(self) -> Sequence[Fought]:
        """Return the results so far of the fights that have begun."""
        return results_of(self.totals, self.engines)

    @abstractmethod
    def answer(self) -> Answer:
        """Return what the pairs that were counted answer."""


def play_by(
    rule: Rule[Answer],
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: PairJournal | None = None,
) -> Answer:
    """Play the pairs that a rule asks for, and return its answer.

    What is finished is written to the journal before it counts. Pairs that keep killing workers are
    given up, after ``MAX_VOID`` of them the whole fight, which says so in ``unfinished``. The
    others go on. A pair that is void because the machine is too busy is played again, and from then
    on one game at a time. Raises Interrupted, with all that was finished, on Ctrl-C, if a player
    stays unavailable, and if a budget is spent.
    """
    queue = rule.queue
    try:
        with _working(rule, executor, journal is not None) as work:
            for _ in rule.rounds():
                while not (rule.is_over or queue.is_idle):
                    if (parts := next(work, None)) is None:
                        break
                    _count(rule, parts, on_progress, journal)
                if not rule.is_over:
                    _count(rule, rule.forfeits(), on_progress, journal)
            if queue.is_idle:
                next(work, None)  # the workers leave by themselves
    except (KeyboardInterrupt, *ENDS) as cause:
        raise Interrupted(rule.fights(), cause) from None
    return rule.answer()


def _count(
    rule: Rule[Answer],
    parts: Iterable[ChunkResult],
    on_progress: OnProgress | None,
    journal: PairJournal | None,
) -> None:
    """Write pairs to the journal and count them, until the rule is over."""
    for part in parts:
        fight = part.chunk.pairing
        with undisturbed():
            if journal is not None and part.pairs is not None:
                journal.write(fight, part.pairs)
            elif journal is not None:
                journal.miss(fight, part.counts)
            rule.note(part)
        if on_progress is not None:
            on_progress(fight, rule.totals[fight], rule.games)
        if rule.is_over:
            return


@contextmanager
def _working(
    rule: Rule[Answer], executor: Executor, keep: bool
) -> Iterator[Iterator[list[ChunkResult]]]:
    """Play what the queue hands out. The pairs that are finished come with games to ``keep``.

    They come in parts for looks after each batch of pairs, see :meth:`Chunk.parts`. No generator
    stands between the results and the executor: a player's error passes few frames.
    """
    rule.queue.seconds_a_task = partial(seconds_a_task, executor)
    play = _Play(tuple(rule.engines), keep or rule.batch is not None)
    with closing(executor.run(play, rule.queue)) as work:
        yield map(_Finisher(rule.engines, rule.queue, rule.batch), work)


class _Finisher:
    """Turns the results of an executor into finished pairs, and tells the queue how it went."""

    def __init__(self, engines: Sequence[Engine], queue: ChunkQueue, batch: int | None) -> None:
        self._engines, self._queue, self._batch = engines, queue, batch
        self._void: Counter[int] = Counter()

    def __call__(
        self, result: tuple[Chunk, Counts | list[PlayedPair] | TaskFailed]
    ) -> list[ChunkResult]:
        """Return the result of a chunk, or nothing if parts of it must be played again."""
        chunk, played = result
        was_alone = self._queue.take_back()
        if isinstance(played, TaskFailed):
            return self._failed(chunk, played.reason)
        engine = self._engines[chunk.pairing]
        if isinstance(played, Counts):
            parts = [ChunkResult(chunk, played)]
        else:
            assert isinstance(engine, CallsEngine)
            parts = list(self._parts(chunk, played, engine))
        seconds = sum(part.counts.seconds for part in parts)
        if isinstance(engine, CallsEngine):
            seconds *= SECONDS_A_TASK / engine.seconds_a_chunk
            seconds *= min(1, chunk.pairs / engine.at_once)
        self._queue.pace(chunk, seconds)
        return parts if was_alone else list(filter(None, map(self._without_void, parts)))

    def _without_void(self, part: ChunkResult) -> ChunkResult | None:
        """Return a part without its void pairs, which arena plays once more, one game at a time.

        None if nothing remains. If a player is withdrawn they stay void.
        """
        chunk, counts, pairs = part
        if not counts.void_pairs or any(player.withdrawn is not None for player in counts.players):
            return part
        if self._queue.go_alone():
            reason = escape.line(counts.void_pairs[0].reason)
            logger.warning("arena: %s; games are played one at a time from here on", reason)
        for void in counts.void_pairs:
            self._queue.split(Chunk(chunk.pairing, void.first, void.last + 1))
        counts.void_pairs = []
        if not counts.pairs:
            return None
        return ChunkResult(chunk, counts, pairs and [pair for pair in pairs if not pair.void])

    def _parts(
        self, chunk: Chunk, pairs: list[PlayedPair], engine: CallsEngine
    ) -> Iterator[ChunkResult]:
        """Yield the parts of a chunk. The one in which a player is withdrawn is the last."""
        for part in chunk.parts(self._batch):
            played = pairs[part.start - chunk.start : part.stop - chunk.start]
            is_last = played[-1].withdrawn is not None
            counts = engine.counter(part.start)(played)
            yield ChunkResult(part._replace(stop=chunk.stop) if is_last else part, counts, played)
            if is_last:
                return

    def _failed(self, chunk: Chunk, reason: str) -> list[ChunkResult]:
        if chunk.pairs > 1 and not self._is_given_up(chunk.pairing):
            self._queue.split(chunk)  # some of its pairs did it, and not all
            return []
        self._void[chunk.pairing] += 1
        if self._is_given_up(chunk.pairing):
            self._queue.give_up(chunk.pairing)
        void = VoidPairs(chunk.start, chunk.stop - 1, reason, killed=True)
        counts = counts_of(self._engines[chunk.pairing].pairing)
        counts.void_pairs.append(void)
        return [ChunkResult(chunk, counts)]

    def _is_given_up(self, pairing: int) -> bool:
        plays = isinstance(self._engines[pairing], CallsEngine)
        return self._void[pairing] >= MAX_VOID or not plays


def results_of(totals: Sequence[Counts], engines: Sequence[Engine]) -> list[Fought]:
    """Return the results of fights with these counts."""
    finalize([engine.pairing for engine in engines], totals)
    return list(map(result_of, totals, engines))


@overload
def result_of(counts: PairCounts, engine: Engine, decided: bool | None = None) -> FightResult: ...
@overload
def result_of(counts: Counts, engine: Engine, decided: bool | None = None) -> Fought: ...
def result_of(counts: Counts, engine: Engine, decided: bool | None = None) -> Fought:
    """Return the result of a fight with these counts. ``decided`` is as in Counts.result."""
    return counts.result(
        engine.pairing, PlayedBy(engine.name, engine.sampler, engine.reason), decided
    )


def play_one(
    pairing: Pairing, engine: str, pair: int, half: int, prints: PrintCapture | None = None
) -> GameRecord:
    """Play one game of a fight: the same game that the fight plays with that engine.

    It is played to its end, also where the fight adjudicates. ``prints`` is another way to take
    what the players print.
    """
    if pairing.others:
        from arena.fights.blocks import BlocksEngine  # most games are of two

        with prints or LocalPrintCapture(Prints(programs=True)) as heard:
            return BlocksEngine(pairing).game(pair, half, heard)
    swapped = half == 1
    players = (pairing.b, pairing.a) if swapped else (pairing.a, pairing.b)
    if engine == "table":
        if pair <= CALLED_PAIRS:
            raise UsageError(
                f"pairs 1 to {CALLED_PAIRS} of a fight through tables are played by calls: leave"
                " 'table/' out of the id"
            )
        first, second = (Policy(player, pairing.game, is_traced=False) for player in players)
        moves, outcome = tables.play_one(first, second, f"{pairing.path}/table", pair, swapped)
        return GameRecord(moves, outcome, None)
    if engine == BATCH:
        return BatchEngine(pairing).play_one(pair, swapped)
    opening = pairing.opening(pair)
    name = game_id(pairing.path, opening, pair, swapped)
    with prints or LocalPrintCapture(Prints(programs=True)) as heard:
        return play_game(pairing.game, players, name, (Stream(), Stream()), opening, prints=heard)


@dataclass(frozen=True)
class _Play:
    """The work of an executor: returns counts, or the games if a store or a look needs them."""

    engines: tuple[Engine, ...]
    keep: bool

    def __call__(self, chunk: Chunk) -> Counts | list[PlayedPair]:
        engine = self.engines[chunk.pairing]
        if isinstance(engine, CallsEngine) and chunk.out:
            engine = engine.without(chunk.out)
        with shared_with(*engine.pairing.players):
            if not self.keep or not isinstance(engine, CallsEngine):
                return engine.play(chunk.start, chunk.stop)
            return list(engine.pairs(chunk.start, chunk.stop))

    @property
    def rounds_by_machine(self) -> bool:
        """Return whether a player is asked for a block of moves, which it computes by matrices."""
        pairings = [engine.pairing for engine in self.engines]
        by_batch = [pairing for pairing in pairings if pairing.engine == BATCH]
        return any(
            p.choose_batch is not None for pairing in by_batch for p in (pairing.a, pairing.b)
        )

    def on_stall(self, chunk: Chunk, waits_for: str = "") -> str:
        """Return what to say when a chunk takes long, or nothing where every move has a limit.

        ``waits_for`` says what its worker waits for. Without it a player that has no limit may be
        the one that does not answer.
        """
        pairing = self.engines[chunk.pairing].pairing
        unlimited = dict.fromkeys(p.name for p in pairing.players if p.remote is None)
        if not unlimited:
            return ""
        (a, *others), last = pairing.all_names, chunk.stop - 1
        b, unit = ", ".join(others), "block" if pairing.others else "pair"
        pairs = f"{unit} {last}" if chunk.pairs == 1 else f"{unit}s {chunk.start} to {last}"
        still = f"{a} against {b} is still at {pairs}"
        if waits_for:
            return f"{still}: {waits_for}"
        verb, shares = ("has", "it shares") if len(unlimited) == 1 else ("have", "they share")
        return (
            f"{still}: {' and '.join(unlimited)} {verb} no time limit, because {shares} a process"
            " with arena's code; --isolate gives every player one"
        )
