"""Put what workers finish in any order back into the order of the pairs, for rules that look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.fights.chunks import Chunk, ChunkResult
from arena.fights.counting import counts_of
from arena.fights.pairing import Pairing


class FightBatches:
    """The batches of some fights: the first of every fight, then the second of every fight, ...

    A batch is ready when all its pairs are known, and those of all batches before it. So a rule
    that looks at batches decides at the same pair, whichever worker is quicker. ``pairings`` are
    those of every fight.
    """

    def __init__(self, pairings: Mapping[int, Pairing], size: int) -> None:
        self._pairings, self._size = pairings, size
        most = max((pairing.pairs for pairing in pairings.values()), default=0)
        # One after the other: a fight may be asked for more batches than memory holds.
        self._turns = ((start, fight) for start in range(1, most + 1, size) for fight in pairings)
        #: The first pair and the fight of the batch whose turn it is; None after the last.
        self._turn = next(self._turns, None)
        self._waiting: dict[tuple[int, int], ChunkResult] = {}

    def add(self, part: ChunkResult) -> None:
        """Take some pairs of one batch."""
        fight, start, *_ = part.chunk
        _, counts, pairs = self._batch(start - (start - 1) % self._size, fight)
        counts.add(part.counts)
        if pairs is not None and part.pairs is not None:
            pairs += part.pairs

    def ready(self) -> Iterator[ChunkResult]:
        """Hand out the batches that are ready, each once."""
        while self._turn is not None:
            batch = self._batch(*self._turn)
            if batch.counts.done < batch.chunk.pairs:
                return
            del self._waiting[self._turn]
            self._turn = next(self._turns, None)
            yield batch

    def rest(self) -> list[ChunkResult]:
        """Hand out the others in their order, which lack pairs or come after one that does."""
        rest = [self._waiting[turn] for turn in sorted(self._waiting)]
        self._waiting.clear()
        return rest

    def _batch(self, start: int, fight: int) -> ChunkResult:
        pairing = self._pairings[fight]
        stop = max(start, min(start + self._size, pairing.pairs + 1))
        batch = ChunkResult(Chunk(fight, start, stop), counts_of(pairing), [])
        return self._waiting.setdefault((start, fight), batch)
