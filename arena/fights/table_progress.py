"""Say how far the tables of a run are, for displays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.fights.counts import Counts
from arena.fights.pairing import Pairing
from arena.records.base import Tally
from arena.records.observers import Progress


class TableScore:
    """The mean payoffs of all players, calculated when a display asks for them."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self._pairings = pairings
        self._total = sum(pairing.games_a_pair * pairing.pairs for pairing in pairings)
        self._counts: dict[int, Counts] = {}

    def note(self, fight: int, counts: Counts) -> None:
        """Note the counts of a table, which :meth:`progress` reads."""
        self._counts[fight] = counts

    def progress(self) -> Progress:
        """Return the state of the run."""
        from arena.fights.block_counts import BlockCounts

        done, sums = 0, dict[str, tuple[Fraction, int]]()
        for fight, counts in self._counts.items():
            assert isinstance(counts, BlockCounts)
            done += counts.games_a_block * counts.done
            games = counts.games_a_block * counts.pairs
            for name, paid in zip(self._pairings[fight].all_names, counts.paid, strict=True):
                total, before = sums.get(name, (Fraction(0), 0))
                sums[name] = total + paid, before + games
        means = [(name, float(total / games)) for name, (total, games) in sums.items() if games]
        payoffs = tuple(sorted(means, key=lambda mean: (-mean[1], mean[0])))
        return Progress(done, max(done, self._total), Tally(), payoffs=payoffs)
