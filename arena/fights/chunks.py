"""Cut the remaining pairs into chunks on demand.

A pair's result depends on its number alone, so chunks may be as large as measured speed advises.
The pairings of a tournament are played in rounds, so that its table is fair at any time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import inf
from typing import NamedTuple, Protocol

from arena.executors.base import SECONDS_A_TASK
from arena.fights.counts import Counts
from arena.match.record import PlayedPair

#: Seconds that a round should take to play: by so much a table may be ahead for some players.
ROUND = 1.0

#: The least seconds of a round's chunks on average: shorter ones would be played no faster.
MIN_CHUNK_SECONDS = 0.005

#: The last chunks have this many times what is left for each chunk that is out, so that no worker
#: ends late, but at least this share of a usual chunk: benchmarks/cluster.py simulates others.
LAST_RATIO, MIN_LAST = 2, 1 / 3

#: A worker that tells less has not played.
MIN_TOLD_SECONDS = 1e-9


class Chunk(NamedTuple):
    """Some pairs of one of several pairings: ``start`` to ``stop`` - 1, counted from 1."""

    pairing: int
    start: int
    stop: int
    #: The players that sit out, at a table of more than two: their places, and why they forfeit.
    out: tuple[tuple[int, str], ...] = ()

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.stop - self.start

    def parts(self, batch: int | None) -> Iterator[Chunk]:
        """Yield its parts between multiples of a number of pairs, or all of it for None.

        >>> [part[1:3] for part in Chunk(0, 8, 23).parts(10)]
        [(8, 11), (11, 21), (21, 23)]
        """
        ends = [] if batch is None else range(self.start + -self.start % batch, self.stop, batch)
        starts = [self.start, *(end + 1 for end in ends if end + 1 < self.stop)]
        for start, stop in pairwise([*starts, self.stop]):
            yield self._replace(start=start, stop=stop)


class ChunkResult(NamedTuple):
    """The result of a chunk: its counts, and its pairs if a caller keeps them."""

    chunk: Chunk
    counts: Counts
    pairs: list[PlayedPair] | None = None


class Gate(Protocol):
    """Keep pairs back until others are played. Their caller waits for one in play."""

    def stop(self, fight: int, pairs: range) -> int:
        """Return the end of those of the pairs that may be played now, the start if none may."""

    def give_up(self, fight: int, dropped: Sequence[range]) -> None:
        """Take note that these pairs will not be played."""


class ChunkQueue:
    """A queue of tasks: the pairs of several pairings, each once.

    ``missing`` has the pairs of each pairing that are to be played, ``most`` the most pairs that a
    chunk of it may have, and ``first`` how many it has until :meth:`pace` knows better. The
    pairings in ``rounds`` come first, a few pairs of each in that order and then the next few. Then
    come the others, one by one. A ``gate`` may keep pairs back.

    ``at_once`` has how many pairs of each pairing take as long as one: a round of slow pairings
    does not cut them, and such a pairing waits until the others have played as many.
    """

    def __init__(
        self,
        missing: Sequence[Sequence[range]],
        most: Sequence[int],
        first: Sequence[int] | None = None,
        rounds: Sequence[int] = (),
        gate: Gate | None = None,
        at_once: Sequence[int] = (),
    ) -> None:
        self._at_once = at_once or [1] * len(most)
        self._most, self._first, self._gate = most, first or most, gate
        self._remaining = [deque(ranges) for ranges in missing]
        #: Returns the seconds that a chunk should take to play: an executor may ask for more.
        self.seconds_a_task: Callable[[], float] = lambda: SECONDS_A_TASK
        #: Seconds of a pair, where they are known.
        self._seconds: dict[int, float] = {}
        self._places = {pairing: place for place, pairing in enumerate(rounds)}
        self._heap = [self._turn(i) for i, ranges in enumerate(self._remaining) if ranges]
        heapify(self._heap)
        #: The players that sit out, by pairing.
        self._out_of: dict[int, tuple[tuple[int, str], ...]] = {}
        #: The first pair after the round that is on.
        self._round_stop = 0
        self._retries: list[Chunk] = []
        #: How many chunks are handed out and not returned.
        self._out = 0
        #: Whether one chunk is played at a time, and how many of those out were handed out before.
        self._is_alone, self._out_before = False, 0

    def _turn(self, pairing: int) -> tuple[bool, int, int, int]:
        """Return what the pairings with pairs are ordered by, and the pairing."""
        if pairing in self._places:
            return False, self._remaining[pairing][0].start, self._places[pairing], pairing
        return True, 0, pairing, pairing

    def next_task(self) -> Chunk | None:
        """Cut the next chunk. Return None without one at present: a result may make more."""
        if self._is_alone and self._out:
            return None
        chunk = self._retries.pop() if self._retries else self._next()
        self._out += chunk is not None
        return chunk

    def _next(self) -> Chunk | None:
        """Cut the next chunk of the pairing whose turn it is."""
        put_back = []
        chunk = None
        while self._heap and chunk is None:
            entry = heappop(self._heap)
            chunk = self._cut(entry[-1])
            if chunk is None:
                put_back.append(entry)
            elif self._remaining[entry[-1]]:
                put_back.append(self._turn(entry[-1]))
        for entry in put_back:
            heappush(self._heap, entry)
        return chunk

    def _cut(self, pairing: int) -> Chunk | None:
        """Cut the next chunk of a pairing. Return None if its pairs are kept back."""
        remaining = self._remaining[pairing]
        pairs = remaining[0]
        stop = pairs.stop if self._gate is None else self._gate.stop(pairing, pairs)
        if stop == pairs.start:
            return None
        stop = min(stop, pairs.start + self._size(pairing))
        if pairing in self._places:
            least = pairs.start + self._at_once[pairing]
            stop = min(stop, max(least, self._end_of_round(pairs.start, pairing)))
        remaining.popleft()
        if stop < pairs.stop:
            remaining.appendleft(range(stop, pairs.stop))
        return Chunk(pairing, pairs.start, stop, self._out_of.get(pairing, ()))

    def _size(self, pairing: int) -> int:
        """Return the most pairs of the next chunk of a pairing."""
        seconds = self._seconds.get(pairing)
        if seconds is None:
            return self._first[pairing]
        longer = max(1.0, self.seconds_a_task() / SECONDS_A_TASK)
        usual = min(self._most[pairing], int(SECONDS_A_TASK / seconds))
        return max(1, usual if longer == 1 else self._longer(pairing, longer, seconds))

    def _longer(self, pairing: int, longer: float, seconds: float) -> int:
        """Return the most pairs of a chunk that takes this many times as long, until the last."""
        usual = longer * SECONDS_A_TASK / seconds
        remaining = sum(map(len, self._remaining[pairing]))
        last = max(MIN_LAST * usual, LAST_RATIO * remaining / max(1, self._out))
        return int(min(self._most[pairing] * longer, usual, last))

    def _end_of_round(self, start: int, pairing: int) -> int:
        """Return the first pair after the round. It begins a round if that pair is in none yet."""
        if start >= self._round_stop:
            playing = [pairing, *(entry[-1] for entry in self._heap if not entry[0])]
            seconds = [self._seconds[i] for i in playing if i in self._seconds]
            mean = sum(seconds) / len(seconds) if seconds else inf
            wanted = self.seconds_a_task()
            least = wanted if wanted > SECONDS_A_TASK else MIN_CHUNK_SECONDS
            pairs = max(ROUND / len(playing), least) / mean
            self._round_stop = start + max(1, int(pairs))
        return self._round_stop

    def extend(self, pairing: int, missing: Sequence[range]) -> None:
        """Add pairs of a pairing, which come after all that it had."""
        had_some = bool(self._remaining[pairing])
        self._remaining[pairing].extend(missing)
        if missing and not had_some:
            heappush(self._heap, self._turn(pairing))

    def take_back(self) -> bool:
        """Note that a chunk has come back, whatever its result. Return whether it was alone."""
        self._out -= 1
        was_alone = self._is_alone and not self._out_before
        self._out_before = max(0, self._out_before - 1)
        return was_alone

    def go_alone(self) -> bool:
        """Hand out one chunk at a time from now on. Return whether this is new."""
        is_new = not self._is_alone
        if is_new:
            self._is_alone, self._out_before = True, self._out
        return is_new

    @property
    def is_idle(self) -> bool:
        """Return whether all chunks came back and no pair is left."""
        return not (self._out or self._retries or self._heap)

    def pace(self, chunk: Chunk, seconds: float) -> None:
        """Learn how long a chunk took, and cut the pairing's next ones to take as many as wanted.

        A chunk that took no time, such as one of void pairs, teaches nothing. Nor does a time that
        no clock can have measured.
        """
        if MIN_TOLD_SECONDS <= seconds < inf:
            self._seconds[chunk.pairing] = seconds / chunk.pairs

    def split(self, chunk: Chunk) -> None:
        """Hand the pairs of a chunk out again, one by one."""
        singles = [chunk._replace(start=n, stop=n + 1) for n in range(chunk.start, chunk.stop)]
        self._retries += reversed(singles)

    def sit_out(self, pairing: int, place: int, why: str) -> None:
        """Let a player of a pairing forfeit all games that are still to be handed out."""
        self._out_of[pairing] = (*self._out_of.get(pairing, ()), (place, why))

    def give_up(self, pairing: int) -> list[range]:
        """Drop the remaining pairs of a pairing, and return them."""
        dropped = [*self._remaining[pairing]]
        dropped += [range(c.start, c.stop) for c in self._retries if c.pairing == pairing]
        self._remaining[pairing].clear()
        self._heap = [entry for entry in self._heap if entry[-1] != pairing]
        heapify(self._heap)
        self._retries = [chunk for chunk in self._retries if chunk.pairing != pairing]
        if self._gate is not None:
            self._gate.give_up(pairing, dropped)
        return dropped


def missing_of(pairs: int, played: Sequence[int], first: int = 1) -> list[range]:
    """Return the pairs from ``first`` to ``pairs`` that are not among the played ones.

    The played ones ascend.

    >>> missing_of(9, [1, 2, 5])
    [range(3, 5), range(6, 10)]
    """
    ends = [first - 1, *played, pairs + 1]
    return [range(a + 1, b) for a, b in pairwise(ends) if a + 1 < b]
