"""Fights: pairs of games between two players, cut into chunks, played by an executor, counted.

How a fight is cut depends on its length and its engine alone, and every game's randomness on its id
alone, so the result is the same for any number of workers.
"""

from __future__ import annotations

import signal
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from arena.counts import Counts
from arena.engines import Engine
from arena.executors.base import Executor, TaskFailed
from arena.match import GameRecord, play_game
from arena.pairing import Pairing
from arena.proof import tables
from arena.proof.policy import Policy
from arena.results import FightResult, TournamentResult
from arena.rng import Stream


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during fights; ``results`` has what was finished until then."""

    def __init__(self, results: list[FightResult], cause: KeyboardInterrupt) -> None:
        super().__init__("interrupted")
        self.results = results
        #: What interrupted: Ctrl-C itself, or Terminated.
        self.cause = cause
        #: The record of them all, for whoever wants to show it.
        self.partial: FightResult | TournamentResult | None = None


class Chunk(NamedTuple):
    """Some pairs of one of several pairings: ``start`` to ``stop`` - 1, counted from 1."""

    pairing: int
    start: int
    stop: int


#: Told the index of a pairing, its counts whenever they have grown, and the games of all pairings.
OnProgress = Callable[[int, Counts, int], None]


def play_fights(
    engines: Sequence[Engine], executor: Executor, on_progress: OnProgress | None = None
) -> list[FightResult]:
    """Play the pairing of every engine and return the results in the same order.

    A fight whose players keep killing workers is cut short and says so in ``unfinished``; the
    others go on. Interrupted, with all that was finished, on Ctrl-C.
    """
    totals = [Counts() for _ in engines]
    pairs = [engine.pairing.pairs for engine in engines]
    play: Callable[[Chunk], Counts] = partial(_play_chunk, tuple(engines))
    work = executor.run(play, _Chunks(pairs, [engine.chunk_size for engine in engines]))
    try:
        for chunk, played in work:
            counts = _spoilt(chunk, played) if isinstance(played, TaskFailed) else played
            with _undisturbed():
                totals[chunk.pairing].add(counts)
            if on_progress is not None:
                on_progress(chunk.pairing, totals[chunk.pairing], 2 * sum(pairs))
    except KeyboardInterrupt as cause:
        work.close()
        raise Interrupted(_results(totals, engines), cause) from None
    return _results(totals, engines)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no signal in while counts are added up; where that cannot be had, go without."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def play_one(pairing: Pairing, engine: str, pair: int, swapped: bool) -> GameRecord:
    """Play one game of a fight: the same game that the fight plays with that engine."""
    players = (pairing.b, pairing.a) if swapped else (pairing.a, pairing.b)
    if engine == "table":
        first, second = (Policy(player, pairing.game) for player in players)
        moves, outcome = tables.play_one(first, second, f"{pairing.path}/table", pair, swapped)
        return GameRecord(moves, outcome, None)
    name = f"{pairing.path}/{pair}.{swapped + 1}"
    return play_game(pairing.game, players, name, (Stream(), Stream()))


def _play_chunk(engines: Sequence[Engine], chunk: Chunk) -> Counts:
    """The work that an executor is given."""
    return engines[chunk.pairing].play(chunk.start, chunk.stop)


class _Chunks(Sequence[Chunk]):
    """The chunks of several pairings, each made when it is asked for: there may be millions."""

    def __init__(self, pairs: Sequence[int], sizes: Sequence[int]) -> None:
        self._pairs, self._sizes = pairs, sizes
        counts = [-(-n // size) for n, size in zip(pairs, sizes, strict=True)]
        self._ends = list(accumulate(counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        pairing = bisect_right(self._ends, index)
        at = index - (self._ends[pairing - 1] if pairing else 0)
        start = 1 + at * self._sizes[pairing]
        return Chunk(pairing, start, min(start + self._sizes[pairing], self._pairs[pairing] + 1))


def _spoilt(chunk: Chunk, failed: TaskFailed) -> Counts:
    pairs = f"pairs {chunk.start} to {chunk.stop - 1}"
    failure = f"workers died again and again while they played {pairs}: {failed.reason}"
    return Counts(void=2 * (chunk.stop - chunk.start), failure=failure)


def _results(totals: list[Counts], engines: Sequence[Engine]) -> list[FightResult]:
    return [
        counts.result(engine.pairing, engine.name, engine.sampler, engine.reason)
        for counts, engine in zip(totals, engines, strict=True)
    ]
