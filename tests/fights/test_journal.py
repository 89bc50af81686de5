"""The journal that fights write: anything that keeps the protocol will do, without a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from arena.errors import StoreError
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine
from arena.fights.journal import Journal
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.match.record import PlayedPair
from arena.plugin.catalogue import Catalogue
from arena.records.fought import Fought
from arena.records.sequential import Hypotheses
from arena.records.until import Until
from tests.fights.executors import Interrupting
from tests.golden import Wording


class Memory:
    """A journal in memory."""

    def __init__(self, fights: int) -> None:
        self.kept: list[dict[int, PlayedPair]] = [{} for _ in range(fights)]
        self.gaps: list[Counts] = [PairCounts() for _ in range(fights)]
        self.results: list[Fought] = []

    address = "memory 1"

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        return [pair for _, pair in sorted(self.kept[fight].items())]

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        for pair in pairs:
            assert pair.pair not in self.kept[fight]
            self.kept[fight][pair.pair] = pair

    def void_counts(self, fight: int) -> Counts:
        return self.gaps[fight]

    def miss(self, fight: int, counts: Counts) -> None:
        self.gaps[fight].add(counts)

    def finish(
        self, results: Mapping[int, Fought], is_over: bool = True, by_rounds: bool = False
    ) -> None:
        self.results = list(results.values()) if is_over else []


class Full(Memory):
    """A journal whose disk is full."""

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        raise StoreError("the disk is full")


SETTINGS = [
    RunSetting("fight"),
    RunSetting("round robin"),
    RunSetting("fight", Hypotheses(-60, 60)),
    RunSetting("fight", until=Until("width", 0.1)),
]


def engines_of(catalogue: Catalogue, setting: RunSetting) -> list[CallsEngine]:
    game = catalogue.game("tictactoe")
    a, b, c = (catalogue.player(name) for name in ("tictactoe2", "triples", "monkey"))
    pairings = [(a, b)] if setting.schedule == "fight" else [(a, b), (a, c), (b, c)]
    return [CallsEngine(Pairing(game, one, other, 30, 4)) for one, other in pairings]


@pytest.mark.parametrize("setting", SETTINGS, ids=["fight", "tournament", "sprt", "until"])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_run_goes_on_from_any_journal(
    catalogue: Catalogue, setting: RunSetting, after: int
) -> None:
    engines = engines_of(catalogue, setting)
    whole = runs.play(setting, engines, SerialExecutor())
    memory = Memory(len(engines))
    with pytest.raises(Interrupted) as interrupted:
        runs.play(setting, engines, Interrupting(after), journal=memory)
    assert interrupted.value.run == memory.address
    assert memory.results == []
    assert runs.play(setting, engines, SerialExecutor(), journal=memory) == whole
    assert memory.results == list(runs.fights_of(whole))
    played = [len(memory.pairs(place)) for place in range(len(engines))]
    assert played == [fight.pairs for fight in runs.fights_of(whole)]


def test_a_journal_that_fails_says_how_to_go_on(catalogue: Catalogue, wording: Wording) -> None:
    journal: Journal = Full(1)
    engines = engines_of(catalogue, SETTINGS[0])
    with wording.raises(StoreError):
        runs.play(SETTINGS[0], engines, SerialExecutor(), journal=journal)
