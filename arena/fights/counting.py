"""Choose how the games of a pairing are counted: by pairs, or by blocks of more than two."""

from __future__ import annotations

from collections.abc import Iterable

from arena.fights.counts import Counts
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.match.record import PlayedPair


def counts_of(pairing: Pairing, pairs: Iterable[PlayedPair] = ()) -> Counts:
    """Return the counts of these pairs, or blocks, of a pairing."""
    if not pairing.others:
        return PairCounts.of_pairs(pairs)
    from arena.fights.block_counts import BlockCounts  # most fights have two players

    return BlockCounts.of_blocks(pairing, pairs)


def no_counts(players: int, seatings: str) -> Counts:
    """Return the counts of no games of that many players."""
    if players == 2:
        return PairCounts()
    from arena.fights.block_counts import BlockCounts

    return BlockCounts.of_none(players, seatings)
