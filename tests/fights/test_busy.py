"""A machine that is too busy: void pairs are played again, one game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from arena.errors import VoidGame
from arena.executors.serial import SerialExecutor
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import GameId
from arena.match import play_game
from arena.match.record import GameRecord, PlayedPair
from arena.plugin.catalogue import Catalogue
from arena.records.fights import FightResult
from tests.fights.playing import play_fights
from tests.fights.test_play import pairing
from tests.golden import Wording


@pytest.fixture(scope="module")
def result(catalogue: Catalogue) -> FightResult:
    engine = CallsEngine(pairing(catalogue, "tictactoe1", "monkey", 200))
    return play_fights([engine], SerialExecutor())[0]


class Kept:
    """A journal in memory that has nothing at first."""

    def __init__(self) -> None:
        self.written: list[PlayedPair] = []

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        return []

    def void_counts(self, fight: int) -> Counts:
        return PairCounts()

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        self.written += pairs

    def miss(self, fight: int, counts: Counts) -> None:
        raise AssertionError("no worker died")


class Busy:
    """Plays as ever, but the machine is too busy for these pairs, this often."""

    def __init__(self, pairs: dict[int, int]) -> None:
        self.left, self.attempts = Counter(pairs), Counter[int]()

    def __call__(self, game: Any, players: Any, name: str, *rest: Any) -> GameRecord:
        pair = int(GameId.parse(name).pair)
        self.attempts[pair] += name.endswith(".1")
        if self.left[pair] > 0:
            self.left[pair] -= 1
            raise VoidGame("the machine is too busy")
        return play_game(game, players, name, *rest)


@pytest.mark.parametrize("keep", [False, True])
def test_a_pair_that_is_void_is_played_again_alone(
    keep: bool,
    result: FightResult,
    catalogue: Catalogue,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    busy = Busy({3: 2, 7: 3, 8: 3, 150: 2})
    monkeypatch.setattr("arena.fights.engines.play_game", busy)
    monkeypatch.setattr("arena.fights.engines.compiled", lambda room: None)
    engine = CallsEngine(pairing(catalogue, "tictactoe1", "monkey", 200))
    journal = Kept() if keep else None
    assert play_fights([engine], SerialExecutor(), journal=journal)[0] == result
    [record] = caplog.records
    wording(record.getMessage())
    assert [busy.attempts[pair] for pair in (3, 7, 8, 9)] == [3, 4, 4, 1]
    if journal is not None:
        assert sorted(pair.pair for pair in journal.written) == [*range(1, 201)]


def test_a_pair_that_is_void_alone_too_stays_so(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Busy({1: 10**6, 2: 10**6})
    monkeypatch.setattr("arena.fights.engines.play_game", busy)
    monkeypatch.setattr("arena.fights.engines.compiled", lambda room: None)
    monkeypatch.setattr(CallsEngine, "chunk_size", 1)
    engine = CallsEngine(pairing(catalogue, "tictactoe1", "monkey", 9))
    [answer] = play_fights([engine], SerialExecutor())
    assert [void.first for void in answer.void_pairs] == [1, 2]
    assert answer.pairs == 7
    assert (busy.attempts[1], busy.attempts[2]) == (6, 3)
