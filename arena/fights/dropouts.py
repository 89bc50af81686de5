"""Track absent players: which are withdrawn, and which forfeit their unplayed games.

A player that never started in a run is withdrawn: no other played it, and its games are not played.
A player that has played in the run and then does not start again has left of its own accord, as far
as arena can tell. It forfeits all its games from then on. Otherwise it would keep the games that
it won, and leave before it loses others.

At a table of more than two the others play on: a player that does not start forfeits each game.

The process that keeps the score decides this when everything else is played, from what was counted
in all workers. So it does not matter which worker noticed the absence, and when.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import chain

from arena.fights.chunks import Chunk, ChunkQueue, ChunkResult
from arena.fights.counts import Counts, PlayerCounts
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.game import Side
from arena.match.record import GameRecord, PlayedPair, forfeit_by, not_again
from arena.records.entrants import UNPLAYED

#: Why a player is not there that was taken out of a tournament.
TAKEN_OUT = "it was withdrawn from the tournament"

#: The most pairs that are handed out as forfeits at a time.
MAX_ABSENT_PAIRS = 5000


class Dropouts:
    """Follow a run: its players, the absent ones, and the games that these leave unplayed.

    A player may also be put out, with a reason for the games that it forfeits from then on.

    ``totals`` has what an earlier part of the run has played of each pairing. That counts.
    """

    def __init__(
        self, pairings: Sequence[Pairing], totals: Sequence[Counts], queue: ChunkQueue
    ) -> None:
        self._pairings, self._queue = pairings, queue
        self._have_played = _have_played(pairings, totals)
        self._problems: dict[int, str] = {}
        self._unplayed: list[list[range]] = [[] for _ in pairings]
        #: The players that were put out, with the reason and the message of their forfeits.
        self._out: dict[int, tuple[str, str]] = {}

    def put_out(self, player: int, why: str) -> None:
        """Play no more games of a player, which forfeits them when all others are played."""
        message = f"not played: it forfeited {why}"
        self._out[player] = UNPLAYED, message
        self._give_up({player})
        for index, pairing in enumerate(self._pairings):
            for place, each in enumerate(pairing.players):
                if pairing.others and id(each) == player:
                    self._queue.sit_out(index, place, message)

    def recall(self, totals: Sequence[Counts]) -> None:
        """Take the pairs of dropouts from the queue: of those in these counts too.

        The counts are those of all fights, as from an earlier part of the run.
        """
        self._have_played |= _have_played(self._pairings, totals)
        self._problems = {**_absent(self._pairings, totals), **self._problems}
        self._give_up(self._problems.keys() | self._out.keys())

    def note(self, chunk: Chunk, counts: Counts) -> None:
        """Take in the result of a chunk, and play no more games of an absent player."""
        self._have_played |= _have_played([self._pairings[chunk.pairing]], [counts])
        absent = _absent([self._pairings[chunk.pairing]], [counts])
        if not absent:
            return
        done = counts.done  # the worker stops at the first pair that it misses
        self._unplayed[chunk.pairing].append(range(chunk.start + done, chunk.stop))
        self._problems = {**absent, **self._problems}
        self._give_up(absent.keys())

    def _give_up(self, players: Set[int]) -> None:
        for index, pairing in enumerate(self._pairings):
            if players & {id(pairing.a), id(pairing.b)} and not pairing.others:
                self._unplayed[index] += self._queue.give_up(index)

    def forfeits(self, batch: int | None = None) -> Iterator[ChunkResult]:
        """Hand out the pairs that absent players forfeit, after all others.

        ``batch`` is as for :meth:`Chunk.parts`. The pairs of a player that never played are not
        among them, whatever the opponent is.
        """
        reasons = {
            player: (UNPLAYED, TAKEN_OUT) if why == TAKEN_OUT else ("crash", not_again(why))
            for player, why in self._problems.items()
            if player in self._have_played
        }
        withdrawn = self._problems.keys() - reasons.keys()
        reasons = {**self._out, **reasons}
        unplayed = [
            [] if withdrawn & {id(pairing.a), id(pairing.b)} else sorted(ranges, key=_start)
            for pairing, ranges in zip(self._pairings, self._unplayed, strict=True)
        ]
        self._unplayed = [[] for _ in self._pairings]
        chunks = iter(ChunkQueue(unplayed, [MAX_ABSENT_PAIRS] * len(unplayed)).next_task, None)
        for chunk in chain.from_iterable(chunk.parts(batch) for chunk in chunks):
            pairing = self._pairings[chunk.pairing]
            pairs = [_forfeited(pairing, n, reasons) for n in range(chunk.start, chunk.stop)]
            yield ChunkResult(chunk, PairCounts.of_pairs(pairs), pairs)


def spread(pairings: Sequence[Pairing], totals: Sequence[Counts]) -> None:
    """Mark a player as absent in all its fights, if it is in one of them."""
    absent = _absent(pairings, totals)
    for player, counts in _seats(pairings, totals) if absent else ():
        counts.withdraw(absent.get(player))


def finalize(pairings: Sequence[Pairing], totals: Sequence[Counts]) -> None:
    """Decide for all fights of a player whether it is withdrawn: not if it played in any."""
    absent, have_played = _absent(pairings, totals), _have_played(pairings, totals)
    for player, counts in _seats(pairings, totals):
        counts.withdrawn = None if player in have_played else absent.get(player)


def _have_played(pairings: Sequence[Pairing], totals: Sequence[Counts]) -> set[int]:
    """Return the identities of the players with counted games."""
    counted = [p for p, counts in zip(pairings, totals, strict=True) if counts.pairs]
    return {id(player) for pairing in counted for player in pairing.players}


def _absent(pairings: Sequence[Pairing], totals: Sequence[Counts]) -> dict[int, str]:
    """Return why players cannot be started, by identity, the same one of several reasons."""
    absent: dict[int, str] = {}
    for player, counts in _seats(pairings, totals):
        if counts.withdrawn is not None:
            absent[player] = min(counts.withdrawn, absent.get(player, counts.withdrawn))
    return absent


def _seats(
    pairings: Sequence[Pairing], totals: Sequence[Counts]
) -> Iterator[tuple[int, PlayerCounts]]:
    """Yield the players of every fight by identity, with their counts in it."""
    for pairing, counts in zip(pairings, totals, strict=True):
        yield from zip(map(id, pairing.players), counts.players, strict=True)


def _forfeited(pairing: Pairing, pair: int, reasons: dict[int, tuple[str, str]]) -> PlayedPair:
    """Return a pair whose games the absent player loses, or the first seated if both are absent.

    >>> from arena import get_game, get_player
    >>> pairing = Pairing(get_game("tictactoe"), get_player("monkey"), get_player("triples"), 9, 1)
    >>> pair = _forfeited(pairing, 3, {id(pairing.a): ("crash", "no file")})
    >>> [int(record.forfeit.side) for record in pair.records]
    [0, 1]
    """
    opening = pairing.opening(pair)
    players = (pairing.a, pairing.b)
    games = (_lost(players, reasons), _lost(players[::-1], reasons))
    return PlayedPair(pair, games, (0.0, 0.0), opening="" if opening is None else str(opening))


def _lost(players: Sequence[object], reasons: dict[int, tuple[str, str]]) -> GameRecord:
    side = next(side for side in Side if id(players[side]) in reasons)
    return forfeit_by((), side, *reasons[id(players[side])])


def _start(pairs: range) -> int:
    return pairs.start
