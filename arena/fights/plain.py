"""Play all pairs of some fights: the rule of a fight, and of a tournament in which all meet."""

from __future__ import annotations

from collections.abc import Sequence

from arena.fights.chunks import ChunkQueue, ChunkResult, missing_of
from arena.fights.counting import counts_of
from arena.fights.early_forfeits import EarlyForfeits
from arena.fights.engines import MAX_CHUNK_PAIRS, CallsEngine, Engine
from arena.fights.journal import PairJournal
from arena.fights.play import Rule
from arena.fights.schedule import in_rounds
from arena.records.fought import Fought

#: The most pairs of a chunk before arena knows how long one takes.
MAX_FIRST_CHUNK_PAIRS = 125


class PlainFights(Rule[list[Fought]]):
    """Plays the pairs of every engine's pairing that the journal, if there is one, does not have.

    If a player forfeits all its first games for one reason, ``on_forfeits`` says whether to
    ``play`` on, to ``stop``, or to have it ``forfeit`` the others unplayed. Its answer has the
    results in the order of the engines.
    """

    def __init__(
        self,
        engines: Sequence[Engine],
        journal: PairJournal | None = None,
        on_forfeits: str = "play",
    ) -> None:
        pairings = [engine.pairing for engine in engines]
        played = [[] if journal is None else journal.pairs(i) for i in range(len(engines))]
        order = order_of(engines)
        self._stops = on_forfeits == "stop"
        self._early = EarlyForfeits(pairings, [] if on_forfeits == "play" else order)
        queue = ChunkQueue(
            [
                missing_of(pairing.pairs, [pair.pair for pair in pairs])
                for pairing, pairs in zip(pairings, played, strict=True)
            ],
            [_most(engine, journal) for engine in engines],
            [_first_size(engine, len(engines), journal) for engine in engines],
            rounds=order if len(engines) > 1 else (),
            gate=self._early,
            at_once=[e.at_once if isinstance(e, CallsEngine) else 1 for e in engines],
        )
        super().__init__(engines, queue, list(map(counts_of, pairings, played)))
        for fight, pairs in enumerate(played):
            self._early.resume_from(fight, pairs, self.dropouts)
        self.is_over = self._stops and self._early.has_failed

    def note(self, part: ChunkResult) -> None:
        """Count some pairs, and judge their players by them."""
        super().note(part)
        self._early.judge(part.chunk, part.counts, self.dropouts)
        self.is_over = self._stops and self._early.has_failed

    def answer(self) -> list[Fought]:
        """Return the results of the fights."""
        return list(self.fights())


def order_of(engines: Sequence[Engine]) -> list[int]:
    """Return the places of the pairings that are played in rounds, in their order in a round.

    A table plays all pairs of a pairing in no time, or cannot cut them: it is left out.
    """
    called = [i for i, engine in enumerate(engines) if isinstance(engine, CallsEngine)]
    pairings = [engines[i].pairing for i in called]
    if any(pairing.others for pairing in pairings):  # the schedule has them in order
        return called
    players = [(id(pairing.a), id(pairing.b)) for pairing in pairings]
    return [called[place] for place in in_rounds(players)]


def _most(engine: Engine, journal: PairJournal | None) -> int:
    """Return the most pairs to play at a time: with a journal no counts are merged."""
    is_waiting = isinstance(engine, CallsEngine) and engine.is_waiting
    return engine.chunk_size if journal is None or is_waiting else MAX_CHUNK_PAIRS


def _first_size(engine: Engine, engines: int, journal: PairJournal | None) -> int:
    """Return how many pairs to play at a time before arena knows how long one takes."""
    if not isinstance(engine, CallsEngine):
        return engine.chunk_size
    is_alone = journal is None and engines == 1
    few = min(-(-engine.chunk_size // 4), MAX_FIRST_CHUNK_PAIRS) if is_alone else 1
    return max(few, engine.at_once)
