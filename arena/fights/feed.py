"""Cut the remaining pairs into chunks on demand.

A pair's result depends on its number alone, so chunks may be as large as measured speed advises.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

#: Seconds that a chunk should take to play: what a crash may cost, and a display may wait for.
PACE = 0.1


#: A worker that tells less has not played.
MIN_SECONDS = 1e-9


class Chunk(NamedTuple):
    """Some pairs of one of several pairings: ``start`` to ``stop`` - 1, counted from 1."""

    pairing: int
    start: int
    stop: int

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.stop - self.start


class Feed:
    """A queue of tasks: the pairs of several pairings, each once, in order.

    ``missing`` has the pairs of each pairing that are to be played, ``most`` the most pairs that a
    chunk of it may have, and ``first`` how many it has until :meth:`pace` knows better. No chunk
    has pairs from both sides of a multiple of ``batch``.
    """

    def __init__(
        self,
        missing: Sequence[Sequence[range]],
        most: Sequence[int],
        first: Sequence[int] | None = None,
        batch: int | None = None,
    ) -> None:
        self._most, self._sizes, self._batch = most, list(first or most), batch
        self._left = deque((i, pairs) for i, ranges in enumerate(missing) for pairs in ranges)
        self._again: list[Chunk] = []

    def next_task(self) -> Chunk | None:
        """Cut the next chunk. Return None if all pairs are handed out; splitting may make more."""
        if self._again:
            return self._again.pop()
        if not self._left:
            return None
        pairing, pairs = self._left.popleft()
        stop = min(pairs.stop, pairs.start + self._sizes[pairing])
        if self._batch is not None:
            stop = min(stop, pairs.start + self._batch - (pairs.start - 1) % self._batch)
        if stop < pairs.stop:
            self._left.appendleft((pairing, range(stop, pairs.stop)))
        return Chunk(pairing, pairs.start, stop)

    def pace(self, chunk: Chunk, seconds: float) -> None:
        """Learn how long a chunk took, and cut the pairing's next ones to take ``PACE`` seconds.

        A chunk that took no time, as one of void pairs, teaches nothing; nor does what no clock
        can have told.
        """
        if not MIN_SECONDS <= seconds < inf:
            return
        fitting = int(PACE * chunk.pairs / seconds)
        self._sizes[chunk.pairing] = max(1, min(self._most[chunk.pairing], fitting))

    def split(self, chunk: Chunk) -> None:
        """Hand the pairs of a chunk out again, one by one."""
        singles = [Chunk(chunk.pairing, n, n + 1) for n in range(chunk.start, chunk.stop)]
        self._again += reversed(singles)

    def give_up(self, pairing: int) -> list[range]:
        """Drop the remaining pairs of a pairing, and return them."""
        dropped = [pairs for index, pairs in self._left if index == pairing]
        dropped += [range(c.start, c.stop) for c in self._again if c.pairing == pairing]
        self._left = deque(entry for entry in self._left if entry[0] != pairing)
        self._again = [chunk for chunk in self._again if chunk.pairing != pairing]
        return dropped


def missing_of(pairs: int, played: Sequence[int]) -> list[range]:
    """Return the pairs from 1 to ``pairs`` that are not among the played ones, which ascend.

    >>> missing_of(9, [1, 2, 5])
    [range(3, 5), range(6, 10)]
    """
    ends = [0, *played, pairs + 1]
    return [range(a + 1, b) for a, b in pairwise(ends) if a + 1 < b]
