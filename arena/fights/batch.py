"""Play the games of a pairing in lockstep, asking for many moves at once: the engine ``batch``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from arena.clock import now
from arena.dataclass import dataclass
from arena.errors import Unavailable, VoidGame, Withdrawn
from arena.fights.counts import OneGame, PlayerCounts
from arena.fights.engines import NO_RECORDS, CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import BATCH
from arena.fights.patience import Patience
from arena.game import Side
from arena.match.record import GameRecord, PlayedPair
from arena.player.prints import LocalPrintCapture
from arena.records.joint import Joint

if TYPE_CHECKING:
    from arena.arrays import Bools
    from arena.fights.lockstep import Half


#: A fight is cut into this many chunks at least, where a chunk would not become too small.
MIN_BATCH_CHUNKS = 4


@dataclass(frozen=True)
class BatchEngine(CallsEngine):
    """Plays the first games of many pairs in lockstep, then the second ones.

    It cuts more pairs than the largest chunk in two, for an executor may give it a longer one.
    What a player prints is dropped: its game could not be told.
    """

    name: ClassVar[str] = BATCH
    #: It bounds the memory: this many boards at a time, and the moves of twice as many.
    largest_chunk: ClassVar[int] = 4096
    #: One block for each move.
    at_once: ClassVar[int] = 256
    #: Longer, for games side by side cost less than games one after the other.
    seconds_a_chunk: ClassVar[float] = 1.0

    @property
    def chunk_size(self) -> int:
        """Largest number of pairs to play at a time."""
        few = -(-self.pairing.pairs // MIN_BATCH_CHUNKS)
        return min(max(few, self.at_once), self.largest_chunk)

    def play(self, start: int, stop: int) -> PairCounts:
        """Play pairs in lockstep, and count games without making a record of each.

        An isolated player may keep pairs from being played, which only records tell.
        """
        if self.pairing.a.remote is not None or self.pairing.b.remote is not None:
            return PairCounts.of_pairs(self.pairs(start, stop))
        if stop - start > self.largest_chunk:
            middle = (start + stop) // 2
            counts = self.play(start, middle)
            counts.add(self.play(middle, stop))
            return counts
        first, second, seconds = self._halves(start, stop)
        if first.forfeits or second.forfeits or self.pairing.openings is not None:
            return PairCounts.of_pairs(self._pairs(start, first, second, seconds))
        counts = _count((first, second), start)
        counts.seconds = sum(seconds)
        return counts

    def pairs(self, start: int, stop: int) -> Iterator[PlayedPair]:
        """Play pairs in lockstep, and have them all, up to one for which a player is withdrawn.

        If the machine is too busy, the pairs are cut in two. A pair alone is void then.
        """
        if stop - start > self.largest_chunk:
            yield from self._in_parts(start, stop)
            return
        try:
            pairs = self._pairs(start, *self._halves(start, stop))
        except Withdrawn as error:
            withdrawn = Side(error.player != self.pairing.a.name), error.problem
            pairs = [PlayedPair(start, NO_RECORDS, (0.0, 0.0), withdrawn=withdrawn)]
        except Unavailable:
            raise
        except VoidGame as error:
            if stop - start > 1:
                yield from self._in_parts(start, stop)
                return
            pairs = [PlayedPair(start, NO_RECORDS, (0.0, 0.0), str(error))]
        yield from pairs

    def _in_parts(self, start: int, stop: int) -> Iterator[PlayedPair]:
        middle = (start + stop) // 2
        for pair in chain(self.pairs(start, middle), self.pairs(middle, stop)):
            yield pair
            if pair.withdrawn is not None:
                return

    def _halves(self, start: int, stop: int) -> tuple[Half, Half, tuple[float, float]]:
        """Return the games of both halves, and how long they took.

        Raises Unavailable if a player is unavailable every time.
        """
        patience = Patience()
        while True:
            try:
                return self._played_halves(start, stop)
            except Unavailable as error:
                patience.tries_again(error)

    def _played_halves(self, start: int, stop: int) -> tuple[Half, Half, tuple[float, float]]:
        from arena.fights.lockstep import play_half
        from arena.sandbox.players import is_absent

        for player in self.pairing.players:
            if is_absent(player):
                player.player()  # raises Withdrawn
        with LocalPrintCapture():
            started_at = now()
            first = play_half(self.pairing, False, start, stop)
            between = now()
            second = play_half(self.pairing, True, start, stop)
            return first, second, (between - started_at, now() - between)

    def _pairs(
        self, start: int, first: Half, second: Half, seconds: tuple[float, float]
    ) -> list[PlayedPair]:
        from arena.fights.lockstep import pairs_of

        number = len(first.plies)
        each = seconds[0] / number, seconds[1] / number
        return pairs_of(self.pairing, (first, second), start, each)

    def play_one(self, pair: int, swapped: bool) -> GameRecord:
        """Play one game, the same that it plays among others."""
        from arena.fights.lockstep import play_half

        with LocalPrintCapture():
            return play_half(self.pairing, swapped, pair, pair + 1).record(0)


def _count(halves: tuple[Half, Half], start: int) -> PairCounts:
    """Return what :meth:`PairCounts.of_pairs` does for games from the start, without forfeits."""
    import numpy as np

    first, second = halves
    joint = np.bincount(first.points * 3 + (2 - second.points), minlength=9)
    a, b = (
        PlayerCounts(first_lost=_first_lost(first.points == lost, second.points == 2 - lost, start))
        for lost in (0, 2)
    )
    games = set(chain(*_games(first, b"\0"), *_games(second, b"\1")))
    counts = PairCounts(a=a, b=b, joint=Joint(*joint.tolist()), games=games)
    counts.openings.add("", counts.joint, counts.joint)
    return counts


def _first_lost(first: Bools, second: Bools, start: int) -> OneGame | None:
    """Return the first of the games that are true. The arrays of both halves have the shape
    (pairs,).
    """
    import numpy as np

    lost = np.flatnonzero(np.stack([first, second], axis=1))
    return OneGame(start + int(lost[0]) // 2, bool(lost[0] & 1)) if len(lost) else None


def _games(half: Half, mark: bytes) -> Iterator[list[bytes]]:
    """Yield the games as :attr:`PairCounts.games` has them, those of one length at a time."""
    import numpy as np

    for plies in np.unique(half.plies).tolist():
        moves = np.ascontiguousarray(half.moves[half.plies == plies, :plies]).view(np.uint8)
        marked = np.full((len(moves), 1 + moves.shape[1]), mark[0], np.uint8)
        marked[:, 1:] = moves
        yield marked.view(f"V{marked.shape[1]}").ravel().tolist()
