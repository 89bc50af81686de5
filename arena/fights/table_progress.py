"""Say how far the tables of a run are, for displays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.fights.counts import Counts
from arena.fights.pairing import Pairing
from arena.records.base import Tally
from arena.records.observers import Progress


class RunningPayoffs:
    """The mean payoffs of all players, calculated when a display asks for them."""

    def __init__(self, pairings: Sequence[Pairing], most_blocks: int | None = None) -> None:
        self._pairings = pairings
        blocks = sum(pairing.pairs for pairing in pairings) if most_blocks is None else most_blocks
        self._total = pairings[0].games_a_pair * blocks
        #: The tables that have changed since, and of all others the games that are done and played,
        #: and the sums of the payoffs.
        self._changed: dict[int, Counts] = {}
        self._totals: dict[int, tuple[int, int, list[Fraction]]] = {}

    def note(self, fight: int, counts: Counts) -> None:
        """Note the counts of a table, which :meth:`progress` reads."""
        self._changed[fight] = counts

    def progress(self) -> Progress:
        """Return the state of the run."""
        from arena.fights.block_counts import BlockCounts

        for fight, counts in self._changed.items():
            assert isinstance(counts, BlockCounts)
            done, played = (counts.games_a_block * n for n in (counts.done, counts.pairs))
            self._totals[fight] = done, played, counts.paid
        self._changed.clear()
        sums: dict[str, tuple[Fraction, int]] = {}
        for fight, (_, played, payoffs) in self._totals.items():
            for name, paid in zip(self._pairings[fight].all_names, payoffs, strict=True):
                total, before = sums.get(name, (Fraction(0), 0))
                sums[name] = total + paid, before + played
        done = sum(done for done, _, _ in self._totals.values())
        means = [(name, float(total / games)) for name, (total, games) in sums.items() if games]
        best = tuple(sorted(means, key=lambda mean: (-mean[1], mean[0])))
        return Progress(done, max(done, self._total), Tally(), payoffs=best)
