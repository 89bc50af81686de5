"""A series looks at its pairs after every span of each opponent, and the interval allows for it."""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import pytest

import arena
from arena.executors.base import TaskFailed
from arena.executors.serial import SerialExecutor
from arena.features.regress.baseline import BaselinePairs, PairPoints
from arena.features.regress.drops import stopped_drop
from arena.features.regress.nonregression import NonRegression
from arena.features.regress.record import RegressionVerdict
from arena.features.regress.rematches import Rematch
from arena.features.regress.series import PAIRS_AT_ONCE, Panel, Series, SeriesPairs
from arena.fights.chunks import Chunk
from arena.fights.pairing import Pairing
from arena.fights.play import play_by
from arena.player import PlayerInfo
from tests.fights.test_busy import Busy
from tests.golden import Wording
from tests.simple import anything

SEED = 7


class Recorder:
    """Plays a series, and notes the pairs of each opponent at every look."""

    def __init__(self, series: Series) -> None:
        self.series, self.looks = series, list[list[int]]()

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        return self.series.pairings

    def is_decided(self, played: SeriesPairs) -> bool:
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
        pairing.b.name: BaselinePairs(
            SEED, tuple(rng.choice([1, 2, 3]) for _ in range(pairing.pairs))
        )
        for pairing in pairings
    }
    return Rematch(player, game, before, NonRegression(margin, 0.05), tuple(pairings), False)


def played(series: Series) -> SeriesPairs:
    [result] = play_by(Panel([series]), SerialExecutor(1))
    return result


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
    [result] = play_by(Panel([recorder]), Noting())
    counted = sum(map(len, result.points))
    assert counted <= sum(chunk.pairs for chunk in handed) < counted + PAIRS_AT_ONCE < 2 * 200


def part(points: list[list[PairPoints]], look: list[int]) -> SeriesPairs:
    """Return the pairs at an earlier look."""
    result = SeriesPairs(rematch((200, 200)).pairings)
    result.points = [one[:n] for one, n in zip(points, look, strict=True)]
    return result


@pytest.mark.parametrize("opponents", [2, 3])
def test_the_interval_allows_for_the_looks_that_there_were(opponents: int) -> None:
    series = rematch((40,) * opponents)
    recorder = Recorder(series)
    result = played(recorder)
    comparison = series.conclude(result)
    counts = [0, *map(sum, recorder.looks)]
    [step] = {later - earlier for earlier, later in pairwise(counts)}
    assert step == opponents * PAIRS_AT_ONCE
    differences = [
        sum(new) - old
        for one, points in zip(series.pairings, result.points, strict=True)
        for new, old in zip(points, series.before[one.b.name].points, strict=True)
    ]
    state = series.test.of(differences)
    assert comparison.fall == stopped_drop(differences, state, step)
    assert comparison.fall != stopped_drop(differences, state, PAIRS_AT_ONCE)
    assert comparison.fall is not None
    assert comparison.fall.method == "stopped"


def test_the_panel_has_the_scores_of_the_pairs_that_both_have() -> None:
    series = rematch((6, 4))
    result = played(series)
    assert 0 <= result.seconds < 60
    panel = series.conclude(result).panel
    assert [score.opponent for score in panel] == ["opponent0", "opponent1"]
    for score, points in zip(panel, result.points, strict=True):
        games = 4 * len(points)
        assert score.after == Fraction(sum(map(sum, points)), games)
        assert score.before == Fraction(sum(series.before[score.opponent].points), games)


def test_the_game_that_shows_a_fall_is_of_the_pair_that_fell_most() -> None:
    series = rematch((40, 40), margin=0.3)
    won = {name: BaselinePairs(SEED, (4,) * 40) for name in series.before}
    series = replace(series, before=won)
    result = played(series)
    comparison = series.conclude(result)
    assert comparison.verdict == RegressionVerdict.WEAKER
    pairs = [
        (sum(pair), index, n)
        for index, one in enumerate(result.points)
        for n, pair in enumerate(one)
    ]
    _, index, number = min(pairs)
    first, second = result.points[index][number]
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
    points: list[list[PairPoints]], first: tuple[int, int, bool] | None
) -> None:
    result = SeriesPairs(rematch((9,) * len(points)).pairings)
    result.points = points
    assert result.first_lost() == first


class Killing:
    """Does tasks in any order; those with one pair of a fight end their worker."""

    def __init__(self, seed: int, fight: int, pair: int) -> None:
        self.rng, self.fight, self.pair = random.Random(seed), fight, pair

    def run(self, work: Any, tasks: Any) -> Generator[tuple[Any, Any], None, None]:
        out: list[Chunk] = []
        while True:
            out += islice(iter(tasks.next_task, None), 4 - len(out))
            if not out:
                return
            task = out.pop(self.rng.randrange(len(out)))
            kills = task.pairing == self.fight and task.start <= self.pair < task.stop
            yield task, TaskFailed("exit code 3") if kills else work(task)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pair", [1, 7, 12])
def test_a_pair_that_cannot_be_played_ends_its_series_there_and_no_other(
    seed: int, pair: int, wording: Wording
) -> None:
    one, other = rematch((12, 12)), rematch((12,))
    whole = [played(one), played(other)]
    ended, unharmed = play_by(Panel([one, other]), Killing(seed, 1, pair))
    wording(ended.failure)
    before = (pair - 1) // PAIRS_AT_ONCE * PAIRS_AT_ONCE
    first = min(before + PAIRS_AT_ONCE, 12)
    assert ended.points == [whole[0].points[0][:first], whole[0].points[1][:before]]
    assert (unharmed.failure, unharmed.points) == ("", whole[1].points)


def test_a_series_whose_player_kills_every_worker_has_failed(wording: Wording) -> None:
    class Deadly:
        def run(self, work: Any, tasks: Any) -> Generator[tuple[Any, Any], None, None]:
            handed = list(iter(tasks.next_task, None))
            while handed:
                yield handed.pop(), TaskFailed("exit code 3")
                handed += iter(tasks.next_task, None)

    [ended] = play_by(Panel([rematch((200,))]), Deadly())
    wording(ended.failure)
    assert ended.points == [[]]


@pytest.mark.parametrize(("times", "failure"), [(3, ""), (9, "opponent0: ")])
def test_a_pair_that_a_busy_machine_voids_is_played_again(
    times: int, failure: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    series = rematch((12,))
    whole = played(series).points
    monkeypatch.setattr("arena.fights.engines.play_game", Busy({8: times}))
    monkeypatch.setattr("arena.fights.engines.compiled", lambda room: None)
    result = played(series)
    assert bool(result.failure) == bool(failure)
    wording(result.failure, failure)
    assert result.points == ([whole[0][:5]] if failure else whole)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_pairs_arrive_changes_nothing(seed: int) -> None:
    nothing = Killing(seed, -1, 0)
    all_series = [rematch((40, 23), margin=0.3), rematch((7,)), rematch((30, 30, 30))]
    result = play_by(Panel(all_series), nothing)
    assert [one.points for one in result] == [played(series).points for series in all_series]
