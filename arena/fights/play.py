"""Play fights: cut pairs of games into chunks, have an executor play them, and count.

Every game's randomness depends on its id alone, so the result is the same for any number of
workers, however the pairs are cut, and whether a run was interrupted and taken up again or not.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain

from arena import escape
from arena.errors import UsageError
from arena.executors.base import SECONDS_A_TASK, Executor, TaskFailed, seconds_a_task
from arena.executors.endings import undisturbed
from arena.fights.absences import Absences, settle
from arena.fights.batch import BatchEngine
from arena.fights.counts import Counts
from arena.fights.engines import MAX_CHUNK_PAIRS, CallsEngine, Engine
from arena.fights.feed import Chunk, Feed, missing_of
from arena.fights.first_games import Finished, FirstGames
from arena.fights.journal import PairJournal
from arena.fights.pairing import BATCH, Pairing, game_id
from arena.fights.schedule import in_rounds
from arena.match import play_game
from arena.match.record import GameRecord, PlayedPair
from arena.player.prints import Catching, Listening, Prints
from arena.proof import tables
from arena.proof.policy import Policy
from arena.records.base import Record
from arena.records.fights import CALLED_PAIRS, FightResult
from arena.records.void import VoidPairs
from arena.rng import Stream
from arena.sandbox.cores import shared_with

logger = logging.getLogger(__name__)

#: The most pairs of a chunk before arena knows how long one takes.
MAX_FIRST_CHUNK_PAIRS = 125

#: After this many pairs that keep killing workers the rest of a fight is not played.
MAX_SPOILT = 10


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during fights; ``results`` has the finished part."""

    def __init__(self, results: list[FightResult], cause: KeyboardInterrupt) -> None:
        super().__init__("interrupted")
        self.results = results
        #: The cause: Ctrl-C itself, or Terminated.
        self.cause = cause
        #: The record of them all, to show.
        self.partial: Record | None = None
        #: The store and the number of the run that can be resumed, if games were kept.
        self.run = ""
        #: The command that resumes it.
        self.resume = ""


#: Told the index of a pairing, its counts whenever they have grown, and the games of all pairings.
OnProgress = Callable[[int, Counts, int], None]


def play_fights(
    engines: Sequence[Engine],
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: PairJournal | None = None,
    hopeless: str = "play",
) -> list[FightResult]:
    """Play the pairing of every engine and return the results in the same order.

    With a journal only what it does not have is played, and written to it. Pairs that keep killing
    workers are given up, after ``MAX_SPOILT`` of them the whole fight, which says so in
    ``unfinished``; the others go on. A pair that is void because the machine is too busy is played
    again, and from then on one game at a time. A player that never starts is withdrawn from all its
    fights, and these are not played; a player that has played and does not start again forfeits
    what is left. If a player forfeits all its first games for one reason, ``hopeless`` says whether
    to ``play`` on, to ``stop``, or to have it ``forfeit`` the others unplayed. Interrupted, with
    all that was finished, on Ctrl-C.
    """
    totals, feed, first, absences = take_up(engines, journal, hopeless != "play")
    games = 2 * sum(engine.pairing.pairs for engine in engines)
    if hopeless == "stop" and first.has_failed:
        return results_of(totals, engines)
    try:
        with playing(engines, executor, feed, journal is not None) as work:
            written = map(partial(kept, journal), work)
            for chunk, counts in chain(written, forfeited(absences, journal)):
                with undisturbed():
                    totals[chunk.pairing].add(counts)
                absences.note(chunk, counts)
                first.judge(chunk, counts, absences)
                if on_progress is not None:
                    on_progress(chunk.pairing, totals[chunk.pairing], games)
                if hopeless == "stop" and first.has_failed:
                    break
    except KeyboardInterrupt as cause:
        raise Interrupted(results_of(totals, engines), cause) from None
    return results_of(totals, engines)


def take_up(
    engines: Sequence[Engine], journal: PairJournal | None, is_watched: bool
) -> tuple[list[Counts], Feed, FirstGames, Absences]:
    """Return what a journal has of the fights, counted, and what is still to be played.

    ``is_watched`` says whether players have to pass their first games.
    """
    pairings = [engine.pairing for engine in engines]
    known = [list(journal.pairs(i)) if journal is not None else [] for i in range(len(engines))]
    totals = [Counts.of_pairs(played) for played in known]
    missing = [
        missing_of(pairing.pairs, [pair.pair for pair in played])
        for pairing, played in zip(pairings, known, strict=True)
    ]
    sizes = [engine.chunk_size if journal is None else MAX_CHUNK_PAIRS for engine in engines]
    sizes_first = [_first_size(engine, len(engines), journal) for engine in engines]
    order = order_of(engines)
    first = FirstGames(pairings, order if is_watched else [])
    feed = Feed(missing, sizes, sizes_first, rounds=order if len(engines) > 1 else (), gate=first)
    absences = Absences(pairings, totals, feed)
    for fight, played in enumerate(known):
        first.take_up(fight, played, absences)
    return totals, feed, first, absences


def order_of(engines: Sequence[Engine]) -> list[int]:
    """Return the places of the pairings that are played in rounds, in their order in a round.

    A table plays all pairs of a pairing in no time, or cannot cut them: it is left out.
    """
    called = [i for i, engine in enumerate(engines) if isinstance(engine, CallsEngine)]
    pairings = [engines[i].pairing for i in called]
    met = [(id(pairing.a), id(pairing.b)) for pairing in pairings]
    return [called[place] for place in in_rounds(met)]


def _first_size(engine: Engine, engines: int, journal: PairJournal | None) -> int:
    """Return how many pairs to play at a time before arena knows how long one takes."""
    if not isinstance(engine, CallsEngine):
        return engine.chunk_size
    is_alone = journal is None and engines == 1
    few = min(-(-engine.chunk_size // 4), MAX_FIRST_CHUNK_PAIRS) if is_alone else 1
    return max(few, engine.at_once)


def kept(journal: PairJournal | None, finished: Finished) -> tuple[Chunk, Counts]:
    """Return a chunk and its counts, once the journal, if there is one, has them."""
    chunk, counts, pairs = finished
    if journal is not None:
        with undisturbed():
            if pairs is None:
                journal.miss(chunk.pairing, counts)
            else:
                journal.write(chunk.pairing, pairs)
    return chunk, counts


@contextmanager
def playing(
    engines: Sequence[Engine],
    executor: Executor,
    feed: Feed,
    keep: bool,
    batch: int | None = None,
) -> Iterator[Iterator[Finished]]:
    """Play what the feed hands out; the pairs of it that are finished come with games to ``keep``.

    They come in parts for looks after each ``batch`` of pairs, see :meth:`Chunk.parts`. No
    generator stands between the results and the executor: a player's error passes few frames.
    """
    feed.seconds_a_task = partial(seconds_a_task, executor)
    play = _Play(tuple(engines), keep or batch is not None)
    with closing(executor.run(play, feed)) as work:
        yield chain.from_iterable(map(_Finishing(engines, feed, batch), work))


class _Finishing:
    """Makes of an executor's results what is finished, and tells the feed how it went."""

    def __init__(self, engines: Sequence[Engine], feed: Feed, batch: int | None) -> None:
        self._engines, self._feed, self._batch = engines, feed, batch
        self._spoilt: Counter[int] = Counter()

    def __call__(
        self, result: tuple[Chunk, Counts | list[PlayedPair] | TaskFailed]
    ) -> list[Finished]:
        """Return the result of a chunk; nothing if parts of it must be played again."""
        chunk, played = result
        was_alone = self._feed.take_back()
        if isinstance(played, TaskFailed):
            return self._failed(chunk, played.reason)
        engine = self._engines[chunk.pairing]
        if isinstance(played, Counts):
            found = [Finished(chunk, played)]
        else:
            assert isinstance(engine, CallsEngine)
            found = list(self._parts(chunk, played, engine))
        seconds = sum(part.counts.seconds for part in found)
        if isinstance(engine, CallsEngine):
            seconds *= SECONDS_A_TASK / engine.seconds_a_chunk
            seconds *= min(1, chunk.pairs / engine.at_once)
        self._feed.pace(chunk, seconds)
        return found if was_alone else list(filter(None, map(self._without_void, found)))

    def _without_void(self, part: Finished) -> Finished | None:
        """Return a part without its void pairs, which arena plays once more, one game at a time.

        None if nothing is left. Beside a withdrawn player they stay void.
        """
        chunk, counts, pairs = part
        if not counts.void_pairs or any(own.withdrawn is not None for own in counts.both):
            return part
        if self._feed.go_alone():
            reason = escape.line(counts.void_pairs[0].reason)
            logger.warning("arena: %s; games are played one at a time from here on", reason)
        for void in counts.void_pairs:
            self._feed.split(Chunk(chunk.pairing, void.first, void.last + 1))
        counts.void_pairs = []
        if not counts.pairs:
            return None
        return Finished(chunk, counts, pairs and [pair for pair in pairs if not pair.void])

    def _parts(
        self, chunk: Chunk, pairs: list[PlayedPair], engine: CallsEngine
    ) -> Iterator[Finished]:
        """Yield the parts of a chunk; the one in which a player is withdrawn is the last."""
        for part in chunk.parts(self._batch):
            own = pairs[part.start - chunk.start : part.stop - chunk.start]
            is_last = own[-1].withdrawn is not None
            counts = engine.counter(part.start)(own)
            yield Finished(part._replace(stop=chunk.stop) if is_last else part, counts, own)
            if is_last:
                return

    def _failed(self, chunk: Chunk, reason: str) -> list[Finished]:
        if chunk.pairs > 1 and not self._is_given_up(chunk.pairing):
            self._feed.split(chunk)  # some of its pairs did it, and not all
            return []
        self._spoilt[chunk.pairing] += 1
        if self._is_given_up(chunk.pairing):
            self._feed.give_up(chunk.pairing)
        void = VoidPairs(chunk.start, chunk.stop - 1, reason, killed=True)
        return [Finished(chunk, Counts(void_pairs=[void]))]

    def _is_given_up(self, pairing: int) -> bool:
        plays = isinstance(self._engines[pairing], CallsEngine)
        return self._spoilt[pairing] >= MAX_SPOILT or not plays


def forfeited(
    absences: Absences, journal: PairJournal | None, batch: int | None = None
) -> Iterator[tuple[Chunk, Counts]]:
    """Yield what absent players forfeit when everything else is played, once it is written."""
    for chunk, pairs in absences.forfeits(batch):
        if journal is not None:
            with undisturbed():
                journal.write(chunk.pairing, pairs)
        yield chunk, Counts.of_pairs(pairs)


def results_of(totals: Sequence[Counts], engines: Sequence[Engine]) -> list[FightResult]:
    """Return the results of fights with these counts."""
    settle([engine.pairing for engine in engines], totals)
    return list(map(result_of, totals, engines))


def result_of(counts: Counts, engine: Engine, decided: bool | None = None) -> FightResult:
    """Return the result of a fight with these counts; ``decided`` as in Counts.result."""
    return counts.result(engine.pairing, engine.name, engine.sampler, engine.reason, decided)


def play_one(
    pairing: Pairing, engine: str, pair: int, swapped: bool, prints: Listening | None = None
) -> GameRecord:
    """Play one game of a fight: the same game that the fight plays with that engine.

    It is played to its end, also where the fight adjudicates. ``prints`` is another way to take
    what the players print.
    """
    players = (pairing.b, pairing.a) if swapped else (pairing.a, pairing.b)
    if engine == "table":
        if pair <= CALLED_PAIRS:
            raise UsageError(
                f"pairs 1 to {CALLED_PAIRS} of a fight through tables are played by calls: leave"
                " 'table/' out of the id"
            )
        first, second = (Policy(player, pairing.game) for player in players)
        moves, outcome = tables.play_one(first, second, f"{pairing.path}/table", pair, swapped)
        return GameRecord(moves, outcome, None)
    if engine == BATCH:
        return BatchEngine(pairing).play_one(pair, swapped)
    opening = pairing.opening(pair)
    name = game_id(pairing.path, opening, pair, swapped)
    with prints or Catching(Prints(programs=True)) as taken:
        return play_game(pairing.game, players, name, (Stream(), Stream()), opening, prints=taken)


@dataclass(frozen=True)
class _Play:
    """The work of an executor: returns counts, or the games if a store or a look needs them."""

    engines: tuple[Engine, ...]
    keep: bool

    def __call__(self, chunk: Chunk) -> Counts | list[PlayedPair]:
        engine = self.engines[chunk.pairing]
        with shared_with(engine.pairing.a, engine.pairing.b):
            if not self.keep or not isinstance(engine, CallsEngine):
                return engine.play(chunk.start, chunk.stop)
            return list(engine.pairs(chunk.start, chunk.stop))

    @property
    def rounds_by_machine(self) -> bool:
        """Return whether a player is asked for a block of moves, which it computes by matrices."""
        pairings = [engine.pairing for engine in self.engines]
        asked = [own for own in pairings if own.engine == BATCH]
        return any(own.choose_batch is not None for each in asked for own in (each.a, each.b))

    def on_silence(self, chunk: Chunk) -> str:
        """Return what to say when a chunk takes long; nothing where every move has a limit."""
        pairing = self.engines[chunk.pairing].pairing
        if pairing.a.remote is not None and pairing.b.remote is not None:
            return ""
        (a, b), last = pairing.names, chunk.stop - 1
        pairs = f"pair {last}" if chunk.pairs == 1 else f"pairs {chunk.start} to {last}"
        unlimited = dict.fromkeys(own.name for own in (pairing.a, pairing.b) if own.remote is None)
        verb, own = ("has", "it shares") if len(unlimited) == 1 else ("have", "they share")
        return (
            f"{a} against {b} is still at {pairs}: {' and '.join(unlimited)} {verb} no time limit,"
            f" because {own} a process with arena's code; --isolate gives every player one"
        )
