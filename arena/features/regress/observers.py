"""The games of a regression, told to observers as fights of the player with each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from arena.fights.choosing import engine_of
from arena.fights.counts import Counts
from arena.fights.observers import tell_pair
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.fights.play import result_of
from arena.match.record import PlayedPair
from arena.plugin.observers import Audience
from arena.records.base import Tally
from arena.records.observers import Progress

if TYPE_CHECKING:
    from arena.records.fights import FightResult


class SeriesObserver:
    """Show the pairs that count so far, and tell their games when all are played.

    ``totals`` are the counts of every fight, which grow.
    """

    def __init__(
        self, pairings: Sequence[Pairing], totals: Sequence[Counts], audience: Audience | None
    ) -> None:
        self._pairings, self._totals, self._audience = pairings, totals, audience
        self._pairs: list[list[PlayedPair]] = [[] for _ in pairings]
        self.show()

    def note(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep pairs that count, if an observer wants games."""
        if self._audience is not None and self._audience.wants("arena_game_end"):
            self._pairs[fight] += pairs

    def show(self) -> None:
        """Tell displays of the points so far. They may be all: a series can be decided early."""
        if self._audience is not None:
            self._audience.show(self._progress)

    def _progress(self) -> Progress:
        of_two = [counts for counts in self._totals if isinstance(counts, PairCounts)]
        total = sum((counts.joint.total for counts in of_two), Tally())
        games = zip(self._pairings, self._totals, strict=True)
        done = sum(pairing.games_a_pair * counts.pairs for pairing, counts in games)
        most = sum(pairing.games_a_pair * pairing.pairs for pairing in self._pairings)
        return Progress(done, most, total)

    def finish(self, failures: Sequence[str]) -> None:
        """Tell of every fight in their order, with the pairs that count."""
        for fight, pairing in enumerate(self._pairings):
            if self._audience is None:
                return
            for played in self._pairs[fight]:
                tell_pair(self._audience, fight, pairing, played)
            result = cast("FightResult", result_of(self._totals[fight], engine_of(pairing)))
            result = replace(result, planned=result.pairs, unfinished=failures[fight] or None)
            self._audience.tell("arena_fight_end", result=result)
