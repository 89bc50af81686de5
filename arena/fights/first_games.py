"""Judge players by their first games: who forfeits them all for one reason has no more played.

A player's first games are those of its first pairs in the order of the schedule, whoever finishes
them when. What is played beyond them is held back until both of its players have passed, so that
the outcome does not depend on which worker is quicker: from the first games on, a player that has
not passed forfeits every game unplayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.fights.absences import Absences
from arena.fights.counts import Counts
from arena.fights.feed import Chunk
from arena.fights.pairing import Pairing
from arena.match import PlayedPair
from arena.records.fights import FIRST_PAIRS, UNPLAYED


class Finished(NamedTuple):
    """What a chunk came to: its counts, and its pairs if somebody keeps them."""

    chunk: Chunk
    counts: Counts
    pairs: list[PlayedPair] | None = None


@dataclass
class _Trial:
    """What is known of a player's first games while they are all forfeits."""

    #: How many of its first pairs are not known yet.
    left: int = FIRST_PAIRS
    reason: str = ""
    #: The fight and the pair of the first of the known forfeits, and its message.
    first: tuple[int, int, str] | None = None

    def goes_on(self, fight: int, counts: Counts, place: int) -> bool:
        """Take in more of the games; return whether all were forfeits for the same reason."""
        own = counts.both[place]
        reasons = {*own.forfeits, *filter(None, [self.reason])}
        game = own.first_forfeit
        if game is None or own.forfeits.total() < 2 * counts.pairs or len(reasons) > 1:
            return False
        [self.reason] = reasons
        assert game.record is not None
        assert game.record.forfeit is not None
        found = (fight, game.pair, game.record.forfeit.message)
        self.first = found if self.first is None else min(self.first, found)
        self.left -= counts.pairs
        return True


def first_places(pairings: Sequence[Pairing]) -> list[tuple[int, int]]:
    """Return of every fight how many of its first pairs are among A's first ones, and B's.

    None of a player that has no others: there is nothing to be left unplayed.
    """
    planned: Counter[int] = Counter()
    for pairing in pairings:
        planned.update(dict.fromkeys((id(pairing.a), id(pairing.b)), pairing.pairs))
    left = {who: FIRST_PAIRS * (pairs > FIRST_PAIRS) for who, pairs in planned.items()}
    places = []
    for pairing in pairings:
        a, b = (min(pairing.pairs, left[id(player)]) for player in (pairing.a, pairing.b))
        places.append((a, b))
        left |= {id(pairing.a): left[id(pairing.a)] - a, id(pairing.b): left[id(pairing.b)] - b}
    return places


def cut(ranges: Sequence[range], edges: Iterable[int]) -> list[range]:
    """Cut numbers of pairs after each of the edges.

    >>> cut([range(1, 5), range(8, 20)], (10, 3))
    [range(1, 4), range(4, 5), range(8, 11), range(11, 20)]
    """
    for edge in set(edges):
        parts = (
            (range(r.start, min(r.stop, edge + 1)), range(max(r.start, edge + 1), r.stop))
            for r in ranges
        )
        ranges = [part for both in parts for part in both if part]
    return list(ranges)


class FirstGames:
    """Follow a run: hold results back, and put out whoever does not pass.

    ``places`` are those of :func:`first_places`; where all are 0, everybody passes.
    """

    def __init__(
        self, pairings: Sequence[Pairing], places: Sequence[tuple[int, int]], absences: Absences
    ) -> None:
        self.absences = absences
        self._players, self._places = [(id(p.a), id(p.b)) for p in pairings], places
        self._trials = {
            who: _Trial()
            for players, own in zip(self._players, places, strict=True)
            for who, first in zip(players, own, strict=True)
            if first
        }
        self._held: list[Finished] = []
        #: Whether somebody did not pass.
        self.has_failed = False

    def take_up(self, fight: int, played: Iterable[PlayedPair]) -> None:
        """Take in the pairs that an earlier part of the run has played."""
        for pair in played:
            if pair.pair > max(self._places[fight]):
                return
            chunk = Chunk(fight, pair.pair, pair.pair + 1)
            self._judge(Finished(chunk, Counts.of_pairs([pair])))

    def pass_on(self, finished: Finished) -> Iterator[Finished]:
        """Take a result, and yield those that count now."""
        self._held.append(finished)
        yield from self._settled()

    def rest(self) -> Iterator[Finished]:
        """Yield what is held back when nothing more is played."""
        self._trials.clear()
        yield from self._settled()

    def _settled(self) -> Iterator[Finished]:
        is_moving = True
        while is_moving:
            is_moving = False
            for finished in list(self._held):
                if not self._waits(finished.chunk):
                    is_moving = True
                    self._held.remove(finished)
                    if self._is_void(finished.chunk):
                        self._drop(finished.chunk)
                    else:
                        self._judge(finished)
                        yield finished

    def _beyond(self, chunk: Chunk) -> list[int]:
        """Return the players of whose first games the chunk is not a part."""
        players, firsts = self._players[chunk.pairing], self._places[chunk.pairing]
        return [who for who, first in zip(players, firsts, strict=True) if chunk.start > first]

    def _waits(self, chunk: Chunk) -> bool:
        beyond = self._beyond(chunk)
        return not self._is_void(chunk) and any(who in self._trials for who in beyond)

    def _is_void(self, chunk: Chunk) -> bool:
        return any(self.absences.is_out(who) for who in self._beyond(chunk))

    def _drop(self, chunk: Chunk) -> None:
        """Leave pairs to be forfeited unplayed, which are no forfeits of the opponent's."""
        self.absences.leave(chunk)
        for who in set(self._players[chunk.pairing]) - set(self._beyond(chunk)):
            self._trials.pop(who, None)

    def _judge(self, finished: Finished) -> None:
        """Have players pass, or fail, by a result that counts."""
        chunk, counts = finished.chunk, finished.counts
        for place, who in enumerate(self._players[chunk.pairing]):
            trial = self._trials.get(who)
            if trial is None or chunk.start > self._places[chunk.pairing][place]:
                continue
            is_whole = counts.pairs == chunk.pairs
            if not is_whole or not trial.goes_on(chunk.pairing, counts, place):
                del self._trials[who]
            elif not trial.left:
                self._fail(who, trial)

    def _fail(self, who: int, trial: _Trial) -> None:
        del self._trials[who]
        assert trial.first is not None
        games = f"its first {2 * FIRST_PAIRS} games ({trial.reason}: {trial.first[2]})"
        self.has_failed = True
        for chunk in self.absences.put_out(who, UNPLAYED, f"not played: it forfeited {games}"):
            self._drop(chunk)
