"""Play fights until a rule says that the games tell enough: a sequential test, or a question.

The rule looks at the counts after every batch of pairs, in the order of the pairs, so
that it decides at the same pair whichever worker is quicker; pairs that were played beyond do not
count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import chain

from arena.executors.base import Executor
from arena.executors.endings import undisturbed
from arena.fights.absences import Absences
from arena.fights.counts import Counts, PlayerCounts
from arena.fights.engines import CallsEngine, Engine
from arena.fights.feed import Feed, missing_of
from arena.fights.journal import PairJournal
from arena.fights.play import Interrupted, OnProgress, forfeited, kept, playing, result_of
from arena.fights.stopping import LOOK_PAIRS, Aim, rule_of
from arena.match.record import PlayedPair
from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.until import UntilFight


def play_until_decided(
    aim: Aim,
    engine: CallsEngine,
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: PairJournal | None = None,
) -> SprtFight | UntilFight:
    """Play until the rule of this aim has decided, at most the pairs of the engine's pairing.

    It also ends when the players turn out to play the same two games over and over, from every
    opening: more of them would decide nothing. Interrupted, with what was finished in order, on
    Ctrl-C.
    """
    rule_of(aim)  # refuses what makes no sense before a game is read
    played = journal.pairs(0) if journal is not None else []
    line = InOrder(engine, aim, played)
    missing = missing_of(engine.pairing.pairs, [pair.pair for pair in played])
    feed = Feed([missing], [engine.chunk_size], [max(LOOK_PAIRS, engine.at_once)])
    absences = Absences([engine.pairing], [Counts.of_pairs(played)], feed)
    try:
        with playing([engine], executor, feed, journal is not None, LOOK_PAIRS) as work:
            written = map(partial(kept, journal), work)
            chunks = chain(written, forfeited(absences, journal, LOOK_PAIRS))
            while not line.is_over and (found := next(chunks, None)) is not None:
                chunk, counts = found
                with undisturbed():
                    line.add(chunk.start, counts)
                absences.note(chunk, counts)
                if on_progress is not None:
                    on_progress(0, line.total, 2 * engine.pairing.pairs)
    except KeyboardInterrupt as cause:
        raise Interrupted([line.result().fight], cause) from None
    return line.result()


class InOrder:
    """The counts of all pairs before the first that is missing, and the rule that looks at them."""

    def __init__(
        self,
        engine: Engine,
        aim: Aim,
        played: Iterable[PlayedPair] = (),
        missed: Iterable[Counts] = (),
    ) -> None:
        self.total = Counts()
        #: Whether it was decided, or all pairs were played, or one cannot be.
        self.is_over = False
        self._engine, self._rule = engine, rule_of(aim)
        self._waiting: dict[int, Counts] = {}
        self._batch = 0
        for pair in played:
            self.add(pair.pair, Counts.of_pairs([pair]))
        for counts in missed:
            for void in counts.void_pairs:
                self.add(void.first, Counts(void_pairs=[void]))
            a, b = (PlayerCounts(withdrawn=player.withdrawn) for player in counts.both)
            self.add(1, Counts(a, b))

    def add(self, pair: int, counts: Counts) -> None:
        """Add some pairs of one batch, of which ``pair`` is one; in vain once it is over."""
        for player, own in zip(self.total.both, counts.both, strict=True):
            player.withdraw(own.withdrawn)
        self._waiting.setdefault((pair - 1) // LOOK_PAIRS, Counts()).add(counts)
        while not self.is_over and self._is_complete():
            self.total.add(self._waiting.pop(self._batch))
            self._batch += 1
            self.is_over = self._ends()

    def _is_complete(self) -> bool:
        counts = self._waiting.get(self._batch)
        size = min(LOOK_PAIRS, self._engine.pairing.pairs - self._batch * LOOK_PAIRS)
        return counts is not None and counts.pairs + counts.void // 2 >= size

    def _ends(self) -> bool:
        fight = self._fight()
        if not fight.not_played or fight.killed_workers:
            return True
        if self._is_through(fight):
            return True
        return self._rule.is_decided(fight)

    def _is_through(self, fight: FightResult) -> bool:
        """Return whether more pairs from the same openings would say little.

        Ten pairs from each opening tell enough of it; openings that are met later are rare. Where
        a batch of pairs from a list that is through repeats the same games, one pair tells all.
        """
        openings = self._engine.pairing.openings
        if fight.pairs >= LOOK_PAIRS * fight.different_openings:
            return fight.repeats or fight.different_openings > 1
        listed = openings.listed if openings is not None else 0
        return fight.repeats and 0 < listed <= fight.pairs - LOOK_PAIRS

    def _fight(self, decided: bool | None = None) -> FightResult:
        return result_of(self.total, self._engine, decided)

    def result(self) -> SprtFight | UntilFight:
        """Return the fight so far, with nothing missing once it is over."""
        if self._is_someone_withdrawn() and not self.is_over:
            for batch in sorted(self._waiting):  # what is missing before them will not be played
                self.total.add(self._waiting.pop(batch))
        found = self._rule.played(self._fight(), self._engine.pairing.pairs)
        if self.is_over and not found.fight.killed_workers:
            return replace(found, fight=self._fight(decided=found.is_decided))
        return found

    def _is_someone_withdrawn(self) -> bool:
        return any(player.withdrawn is not None for player in self.total.both)
