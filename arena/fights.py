"""Fights: pairs of games between two players, cut into chunks, played by an executor, counted.

How a fight is cut depends on its length alone and every game's randomness on its id alone, so the
result is the same for any number of workers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from arena.counts import Counts
from arena.executors.base import Executor, TaskFailed
from arena.match import GameRecord, play_game
from arena.pairing import Pairing
from arena.results import FightResult, TournamentResult
from arena.rng import Stream

#: Chunks that a fight is cut into, as long as none is larger than LARGEST_CHUNK pairs.
CHUNKS = 64
LARGEST_CHUNK = 500


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during fights; ``results`` has what was finished until then."""

    def __init__(self, results: list[FightResult]) -> None:
        super().__init__("interrupted")
        self.results = results
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
    pairings: Sequence[Pairing], executor: Executor, on_progress: OnProgress | None = None
) -> list[FightResult]:
    """Play every pairing and return their results in the same order.

    A fight whose players keep killing workers is cut short and says so in ``unfinished``; the
    others go on. Interrupted, with all that was finished, on Ctrl-C.
    """
    totals = [Counts() for _ in pairings]
    games = 2 * sum(pairing.pairs for pairing in pairings)
    play: Callable[[Chunk], Counts] = partial(_play_chunk, tuple(pairings))
    work = executor.run(play, _Chunks([pairing.pairs for pairing in pairings]))
    try:
        for chunk, played in work:
            counts = _spoilt(chunk, played) if isinstance(played, TaskFailed) else played
            totals[chunk.pairing].add(counts)
            if on_progress is not None:
                on_progress(chunk.pairing, totals[chunk.pairing], games)
    except KeyboardInterrupt:
        work.close()
        raise Interrupted(_results(totals, pairings)) from None
    return _results(totals, pairings)


def play_one(pairing: Pairing, pair: int, swapped: bool) -> GameRecord:
    """Play one game of a fight: the same game that the fight plays."""
    players = (pairing.b, pairing.a) if swapped else (pairing.a, pairing.b)
    name = f"{pairing.path}/{pair}.{swapped + 1}"
    return play_game(pairing.game, players, name, (Stream(), Stream()))


def _play_chunk(pairings: Sequence[Pairing], chunk: Chunk) -> Counts:
    """The work that an executor is given: play a chunk's pairs and count them."""
    pairing = pairings[chunk.pairing]
    counts, path, game = Counts(), pairing.path, pairing.game
    players, swapped = (pairing.a, pairing.b), (pairing.b, pairing.a)
    streams = (Stream(), Stream())
    for pair in range(chunk.start, chunk.stop):
        a_first = play_game(game, players, f"{path}/{pair}.1", streams)
        b_first = play_game(game, swapped, f"{path}/{pair}.2", streams)
        counts.add_pair(pair, (a_first, b_first))
    return counts


class _Chunks(Sequence[Chunk]):
    """The chunks of several pairings, each made when it is asked for: there may be millions."""

    def __init__(self, pairs: Sequence[int]) -> None:
        self._pairs = pairs
        self._sizes = [min(-(-n // CHUNKS), LARGEST_CHUNK) for n in pairs]
        counts = [-(-n // size) for n, size in zip(pairs, self._sizes, strict=True)]
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


def _results(totals: list[Counts], pairings: Sequence[Pairing]) -> list[FightResult]:
    return [counts.result(pairing) for counts, pairing in zip(totals, pairings, strict=True)]
