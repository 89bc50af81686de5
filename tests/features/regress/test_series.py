"""A series looks at its pairs after every span of each opponent, and the interval allows for it."""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import arena
from arena.executors.serial import SerialExecutor
from arena.features.regress.baseline import Recorded
from arena.features.regress.falls import stopped_fall
from arena.features.regress.nonregression import NonRegression
from arena.features.regress.record import Verdict
from arena.features.regress.sampled import Rematch
from arena.features.regress.series import PAIRS_AT_ONCE, Played, Series, play_all
from arena.fights.pairing import Pairing
from arena.player import PlayerInfo
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


def test_a_series_that_is_decided_asks_for_no_more_pairs() -> None:
    class Noting:
        """Plays each task before it takes the next one."""

        def run(self, work: Any, tasks: Any) -> Generator[tuple[Any, Any], None, None]:
            for task in iter(tasks.next_task, None):
                handed.append(task)
                yield task, work(task)

    handed: list[Any] = []
    recorder = Recorder(rematch((200, 200), margin=0.5))
    play_all([recorder], Noting())
    assert len(handed) == 2 * len(recorder.looks) < 2 * 200 // PAIRS_AT_ONCE


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


def test_the_panel_has_the_scores_of_the_pairs_that_both_have() -> None:
    series = rematch((6, 4))
    found = played(series)
    assert 0 <= found.seconds < 60
    panel = series.conclude(found).panel
    assert [score.opponent for score in panel] == ["opponent0", "opponent1"]
    for score, points in zip(panel, found.points, strict=True):
        games = 4 * len(points)
        assert score.after == Fraction(sum(map(sum, points)), games)
        assert score.before == Fraction(sum(series.before[score.opponent].points), games)


def test_the_game_that_shows_a_fall_is_of_the_pair_that_fell_most() -> None:
    series = rematch((40, 40), margin=0.3)
    won = {name: Recorded(SEED, (4,) * 40) for name in series.before}
    series = replace(series, before=won)
    found = played(series)
    comparison = series.conclude(found)
    assert comparison.verdict == Verdict.WEAKER
    pairs = [
        (sum(pair), index, n)
        for index, one in enumerate(found.points)
        for n, pair in enumerate(one)
    ]
    _, index, number = min(pairs)
    first, second = found.points[index][number]
    swapped = second < first
    assert comparison.line is not None
    game_id = series.pairings[index].game_id(number + 1, swapped)
    assert comparison.line.command == f"arena replay {game_id}"
    assert comparison.line.side == ("second" if swapped else "first")


@pytest.mark.parametrize(
    ("points", "first"),
    [
        ([[(2, 2)], [(1, 1), (2, 0)]], (1, 2, True)),
        ([[(1, 2), (0, 2)], [(0, 0)]], (0, 2, False)),
        ([[(0, 0)]], (0, 1, False)),
        ([[(1, 1)], []], None),
    ],
)
def test_the_first_lost_game_is_by_opponent_pair_and_half(
    points: list[list[tuple[int, int]]], first: tuple[int, int, bool] | None
) -> None:
    found = Played(rematch((9,) * len(points)).pairings)
    found.points = points
    assert found.first_lost() == first
