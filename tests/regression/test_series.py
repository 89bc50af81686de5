"""A series looks at its pairs after every span of each opponent, and the interval allows for it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import arena
from arena.executors.serial import SerialExecutor
from arena.fights.pairing import Pairing
from arena.player import PlayerInfo
from arena.regression.baseline import Recorded
from arena.regression.falls import stopped_fall
from arena.regression.nonregression import NonRegression
from arena.regression.sampled import Rematch
from arena.regression.series import PAIRS_AT_ONCE, Played, Series, play_all
from tests.simple import anything

SEED = 7


class Recorder:
    """Plays a series, and notes the pairs of each opponent at every look."""

    def __init__(self, series: Series) -> None:
        self.series, self.looks = series, list[list[int]]()

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        return self.series.pairings

    def is_decided(self, played: Played) -> bool:
        self.looks.append([len(points) for points in played.points])
        return self.series.is_decided(played)


def rematch(pairs: tuple[int, ...], margin: float = 0.02) -> Rematch:
    """Return one player against an opponent for each number of pairs; all play at random."""
    game = arena.get_game("tictactoe")
    opponents = [PlayerInfo(f"opponent{index}", anything) for index in range(len(pairs))]
    player = PlayerInfo("player", anything)
    pairings = [Pairing(game, player, b, n, SEED) for b, n in zip(opponents, pairs, strict=True)]
    rng = random.Random(3)
    before = {
        pairing.b.name: Recorded(SEED, tuple(rng.choice([1, 2, 3]) for _ in range(pairing.pairs)))
        for pairing in pairings
    }
    return Rematch(player, game, before, NonRegression(margin, 0.05), tuple(pairings), False)


def played(series: Series) -> Played:
    [found] = play_all([series], SerialExecutor(1))
    return found


@pytest.mark.parametrize(
    ("pairs", "looks"),
    [
        ((12,), [[5], [10], [12]]),
        ((12, 12, 12), [[5, 5, 5], [10, 10, 10], [12, 12, 12]]),
        ((12, 3), [[5, 3], [10, 3], [12, 3]]),
    ],
)
def test_looks_come_when_each_opponent_has_played_a_span_more(
    pairs: tuple[int, ...], looks: list[list[int]]
) -> None:
    recorder = Recorder(rematch(pairs))
    assert [len(points) for points in played(recorder).points] == looks[-1]
    assert recorder.looks == looks


def test_a_series_ends_at_the_look_that_decides() -> None:
    recorder = Recorder(rematch((200, 200), margin=0.5))
    points = played(recorder).points
    assert recorder.looks[-1] == [len(one) for one in points] < [200, 200]
    assert [recorder.series.is_decided(part(points, look)) for look in recorder.looks] == [
        *[False] * (len(recorder.looks) - 1),
        True,
    ]


def part(points: list[list[tuple[int, int]]], look: list[int]) -> Played:
    """Return the pairs at an earlier look."""
    found = Played(rematch((200, 200)).pairings)
    found.points = [one[:n] for one, n in zip(points, look, strict=True)]
    return found


@pytest.mark.parametrize("opponents", [2, 3])
def test_the_interval_allows_for_the_looks_that_there_were(opponents: int) -> None:
    series = rematch((40,) * opponents)
    recorder = Recorder(series)
    found = played(recorder)
    comparison = series.conclude(found)
    counts = [0, *map(sum, recorder.looks)]
    [step] = {later - earlier for earlier, later in pairwise(counts)}
    assert step == opponents * PAIRS_AT_ONCE
    differences = [
        sum(new) - old
        for one, points in zip(series.pairings, found.points, strict=True)
        for new, old in zip(points, series.before[one.b.name].points, strict=True)
    ]
    state = series.test.of(differences)
    assert comparison.fall == stopped_fall(differences, state, step)
    assert comparison.fall != stopped_fall(differences, state, PAIRS_AT_ONCE)
    assert comparison.fall is not None
    assert comparison.fall.method == "stopped"
