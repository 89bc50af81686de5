"""Play fights until a rule says that the games tell enough: a sequential test, or a question.

The rule looks at the counts after every batch of pairs, in the order of the pairs, so that it
decides at the same pair whichever worker is quicker. Pairs that were played beyond do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.fights.batches import FightBatches
from arena.fights.chunks import Chunk, ChunkQueue, ChunkResult, missing_of
from arena.fights.counts import PlayerCounts
from arena.fights.engines import CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.play import Rule, result_of
from arena.fights.stopping import LOOK_PAIRS, Aim, Question, SequentialTest
from arena.match.record import PlayedPair
from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.until import Until, UntilFight


class OrderedResults(Rule[SprtFight | UntilFight]):
    """Plays one fight until a sequential test decides, or a question is answered.

    It counts all pairs before the first that is missing, at most those of the engine's pairing. It
    also ends when the players turn out to play the same two games over and over, from every
    opening: more of them would decide nothing. ``played`` and ``void_counts`` have the pairs of an
    earlier part of the run. Raises UsageError if the test makes no sense.
    """

    batch = LOOK_PAIRS

    def __init__(
        self,
        engine: CallsEngine,
        aim: Aim,
        played: Sequence[PlayedPair] = (),
        void_counts: Iterable[PairCounts] = (),
    ) -> None:
        missing = missing_of(engine.pairing.pairs, [pair.pair for pair in played])
        first = 1 if engine.is_waiting else max(LOOK_PAIRS, engine.at_once)
        queue = ChunkQueue([missing], [engine.chunk_size], [first])
        self.total = PairCounts()
        super().__init__([engine], queue, [self.total])
        self.dropouts.recall([PairCounts.of_pairs(played)])
        self._engine = engine
        self._end = Question(aim) if isinstance(aim, Until) else SequentialTest(aim)
        self._batches = FightBatches({0: engine.pairing}, LOOK_PAIRS)
        for pair in played:
            self.add(_part(pair.pair, PairCounts.of_pairs([pair])))
        for counts in void_counts:
            for void in counts.void_pairs:
                self.add(_part(void.first, PairCounts(void_pairs=[void])))
            a, b = (PlayerCounts(withdrawn=player.withdrawn) for player in counts.players)
            self.add(_part(1, PairCounts(a, b)))

    def note(self, part: ChunkResult) -> None:
        """Count some pairs as soon as none is missing before them."""
        self.add(part)
        self.dropouts.note(part.chunk, part.counts)

    def add(self, part: ChunkResult) -> None:
        """Add some pairs of one batch. It does not count them once it is over."""
        for player, counts in zip(self.total.players, part.counts.players, strict=True):
            player.withdraw(counts.withdrawn)
        self._batches.add(part)
        while not self.is_over and (batch := next(self._batches.ready(), None)) is not None:
            self.totals[0].add(batch.counts)
            self.is_over = self._ends()

    def _ends(self) -> bool:
        fight = self._fight()
        is_at_end = not fight.not_played or fight.killed_workers or self._is_through(fight)
        return is_at_end or self._end.is_decided(fight)

    def _is_through(self, fight: FightResult) -> bool:
        """Return whether more pairs from the same openings would say little.

        Ten pairs from each opening tell enough of it. Openings that are met later are rare. Where
        a batch of pairs from a list that is through repeats the same games, one pair tells all.
        """
        openings = self._engine.pairing.openings
        if fight.pairs >= LOOK_PAIRS * fight.different_openings:
            return fight.repeats or fight.different_openings > 1
        listed = openings.listed if openings is not None else 0
        return fight.repeats and 0 < listed <= fight.pairs - LOOK_PAIRS

    def _fight(self, decided: bool | None = None) -> FightResult:
        return result_of(self.total, self._engine, decided)

    def fights(self) -> list[FightResult]:
        """Return the result of the pairs so far that have no gap before them."""
        return [self.answer().fight]

    def answer(self) -> SprtFight | UntilFight:
        """Return the fight so far, with nothing missing once it is over."""
        is_withdrawn = any(player.withdrawn is not None for player in self.total.players)
        if is_withdrawn and not self.is_over:
            for batch in self._batches.rest():  # what is missing before them will not be played
                self.totals[0].add(batch.counts)
        played = self._end.played(self._fight(), self._engine.pairing.pairs)
        if self.is_over and not played.fight.killed_workers:
            return replace(played, fight=self._fight(decided=played.is_decided))
        return played


def _part(pair: int, counts: PairCounts) -> ChunkResult:
    """Return counts as those of one pair, or of void pairs from that one on."""
    return ChunkResult(Chunk(0, pair, pair + 1), counts)
