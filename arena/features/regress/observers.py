"""The games of a regression, told to observers as fights of the player with each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.features.regress.baseline import PairPoints
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine
from arena.fights.observers import tell_pair
from arena.fights.pairing import Pairing
from arena.match.record import PlayedPair
from arena.plugin.observers import Audience
from arena.records.base import Tally
from arena.records.observers import Progress

#: The points of a player's pairs against each opponent of a series.
Points = Sequence[Sequence[PairPoints]]


class Watch:
    """Keep the games that workers send, and tell those that count when all are played."""

    def __init__(
        self, all_pairings: Sequence[Sequence[Pairing]], audience: Audience | None
    ) -> None:
        self._all_pairings, self._audience = all_pairings, audience
        #: Whether workers must send games; else they send points alone.
        self.wants_games = audience is not None and audience.wants(
            "arena_game_end", "arena_fight_end"
        )
        self._kept: dict[tuple[int, int], dict[int, PlayedPair]] = {
            (series, index): {}
            for series, pairings in enumerate(all_pairings)
            for index, _ in enumerate(pairings)
        }

    def keep(self, series: int, index: int, pairs: Sequence[PlayedPair | PairPoints]) -> None:
        """Keep pairs against one opponent of a series, where they are games and not points."""
        games = {played.pair: played for played in pairs if isinstance(played, PlayedPair)}
        self._kept[series, index].update(games)

    def show(self, all_points: Sequence[Points]) -> None:
        """Tell displays of the points so far. They may be all: a series can be decided early."""
        if self._audience is not None:
            self._audience.show(lambda: self._progress(all_points))

    def _progress(self, all_points: Sequence[Points]) -> Progress:
        halves = [half for series in all_points for one in series for pair in one for half in pair]
        total = sum(2 * pairing.pairs for pairings in self._all_pairings for pairing in pairings)
        tally = Tally(halves.count(2), halves.count(1), halves.count(0))
        return Progress(len(halves), total, tally)

    def finish(self, all_points: Sequence[Points], failures: Sequence[str]) -> None:
        """Tell of every opponent of every series, in their order, with the pairs that count."""
        if self._audience is None or not self.wants_games:
            return
        for fight, (series, index) in enumerate(self._kept):
            pairs = self._kept[series, index]
            counted = [pairs[number + 1] for number, _ in enumerate(all_points[series][index])]
            engine = CallsEngine(self._all_pairings[series][index])
            for played in counted:
                tell_pair(self._audience, fight, engine.pairing, played)
            result = Counts.of_pairs(counted).result(
                engine.pairing, engine.name, engine.sampler, engine.reason
            )
            result = replace(result, planned=result.pairs, unfinished=failures[series] or None)
            self._audience.tell("arena_fight_end", result=result)
