"""The fair clock, with numbers instead of time: who is forgiven how much."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox import fairness
from arena.sandbox.fairness import (
    MAX_OFF_TURN_SECONDS,
    MAX_SHORT_BREAK_SECONDS,
    MAX_SHORT_SECONDS,
    MAX_WAIT_RATIO,
    MEAN_LOOK_SECONDS,
    CpuUsage,
    TurnUsage,
    forgiven,
)

SECONDS = st.floats(0, 1000)
ZERO = CpuUsage(0.0, 0.0)


@given(SECONDS, SECONDS, SECONDS)
def test_nobody_computes_beyond_the_limit(wall: float, waited: float, computed: float) -> None:
    counted = wall - forgiven(wall, ZERO, CpuUsage(waited, computed))
    assert 0 <= counted <= wall
    assert counted >= min(computed, wall) - 1e-9
    assert counted >= wall - waited - 1e-9


@given(SECONDS, SECONDS)
def test_who_has_one_thread_is_judged_by_its_computing(computed: float, waited: float) -> None:
    lost = forgiven(computed + waited, ZERO, CpuUsage(waited, computed))
    assert lost == pytest.approx(waited)


def test_who_sleeps_is_forgiven_nothing() -> None:
    assert forgiven(60, ZERO, ZERO) == 0


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_who_keeps_itself_waiting_is_forgiven_nothing(cores: int) -> None:
    threads, wall = 31, 0.25
    waited = wall * max(0.0, 1 - cores / threads)
    assert forgiven(wall, CpuUsage(3, 5), CpuUsage(3 + waited, 5 + wall * cores)) == 0


def test_who_shares_with_others_is_forgiven_what_they_take_alone() -> None:
    # Two of its threads and two of others' on one core, for a second: a quarter for each.
    assert forgiven(1, ZERO, CpuUsage(waited=0.75, computed=0.5)) == 0.5


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Set the time that a turn is told, which the test changes."""
    time = [100.0]
    monkeypatch.setattr(fairness, "now", lambda: time[0])
    return time


def begun(used: list[CpuUsage], limit: float) -> TurnUsage:
    turns = TurnUsage(lambda: used[0])
    turns.begin(limit)
    return turns


def test_a_turn_ends_when_its_limit_was_the_players_own(times: list[float]) -> None:
    used = [CpuUsage(1, 7)]
    turns = begun(used, 10)
    assert turns.deadline() == 110
    times[0], used[0] = 109, CpuUsage(5, 8)
    assert turns.deadline() == 110  # what was lost is asked for at the end alone
    times[0], used[0] = 110, CpuUsage(5, 13)
    assert (turns.forgiven(), turns.deadline()) == (4, 114)
    times[0], used[0] = 114, CpuUsage(5, 17)
    assert (turns.forgiven(), turns.deadline()) == (4, 114)
    assert turns.end(114) == 10


def test_no_turn_is_waited_for_without_end(times: list[float]) -> None:
    used = [ZERO]
    turns = begun(used, 10)
    times[0], used[0] = 1100, CpuUsage(1000, 0)
    assert turns.deadline() == 100 + MAX_WAIT_RATIO * 10


def computing(times: list[float], used: list[CpuUsage], turns: TurnUsage, share: float) -> float:
    """Have a player compute for a share of the time; return its seconds when the turn ends."""
    begun = times[0]
    while times[0] < (end := turns.deadline()):
        seconds, times[0] = end - times[0], end
        waited, computed, _ = used[0]
        used[0] = CpuUsage(waited + seconds * (1 - share), computed + seconds * share)
    return times[0] - begun


@pytest.mark.parametrize("share", [1.0, 0.5, 2 / 9, 0.1, 0.06])
def test_a_player_that_computes_for_all_of_its_limit_is_late_whatever_the_load(
    times: list[float], share: float
) -> None:
    used = [ZERO]
    turns = begun(used, 2)
    assert computing(times, used, turns, share) == pytest.approx(2 / share)
    assert used[0].computed == pytest.approx(2)
    assert turns.waited_in_vain() is None


@pytest.mark.parametrize("share", [0.0, 0.01, 0.04])
def test_a_player_that_does_not_get_its_limit_to_compute_waited_in_vain(
    times: list[float], share: float
) -> None:
    used = [ZERO]
    turns = begun(used, 2)
    assert computing(times, used, turns, share) == pytest.approx(MAX_WAIT_RATIO * 2)
    waiting = turns.waited_in_vain()
    assert waiting is not None
    assert waiting == pytest.approx((6 * (1 - share), 6))


def test_a_turn_that_is_waited_for_by_its_pace_has_an_end(times: list[float]) -> None:
    used = [ZERO]
    turns = begun(used, 2)
    times[0], used[0] = 110, CpuUsage(9, 1)
    assert turns.deadline() == 111
    times[0], used[0] = 119, CpuUsage(18, 1)
    assert turns.deadline() == 120
    times[0], used[0] = 200, CpuUsage(99, 1)
    assert turns.deadline() == 100 + MAX_WAIT_RATIO * 2
    assert turns.waited_in_vain() == (99, 100)
    turns.begin(2)
    assert turns.waited_in_vain() is None


def test_what_others_use_between_its_turns_is_not_the_players(times: list[float]) -> None:
    used = [CpuUsage(1, 7)]
    turns = begun(used, 10)
    used[0] = CpuUsage(5, 13)
    times[0] = 110
    assert turns.end(110) == 6
    times[0] = 200
    turns.begin(10)
    times[0], used[0] = 210, CpuUsage(8, 20)
    assert turns.deadline() == 213
    assert turns.end(210) == 7
    assert (turns.charged, turns.off_turns) == (0, 0)


def test_a_turn_is_charged_with_what_the_player_computed_before_it(times: list[float]) -> None:
    used = [ZERO]
    turns = begun(used, 10)
    times[0], used[0] = 102, CpuUsage(0, 2)
    assert turns.end(102) == 2
    for begin, count in ((110, 1), (120, 2), (130, 3)):
        times[0], used[0] = begin, CpuUsage(0, used[0].computed + 3)
        turns.begin(10)
        assert (turns.charged, turns.off_turns) == (3, count)
        assert turns.deadline() == begin + 7
        times[0], used[0] = begin + 1, CpuUsage(0, used[0].computed + 1)
        assert turns.end(begin + 1) == 4
    turns.forget()
    times[0] = 140
    turns.begin(10)
    assert (turns.charged, turns.off_turns) == (0, 0)


def test_the_system_may_take_a_while_to_stop_a_player(times: list[float]) -> None:
    used = [ZERO]
    turns = begun(used, 10)
    times[0], used[0] = 101.004, CpuUsage(0, 1.004)  # it computed until it was stopped
    assert turns.end(101) == 1
    for begin in (110, 111, 112):
        times[0], used[0] = begin, CpuUsage(0, used[0].computed + MAX_OFF_TURN_SECONDS * 0.3)
        turns.begin(10)
        assert turns.charged == 0
        turns.end(begin)
    times[0], used[0] = 113, CpuUsage(0, used[0].computed + MAX_OFF_TURN_SECONDS * 0.3)
    turns.begin(10)
    assert turns.charged == pytest.approx(MAX_OFF_TURN_SECONDS * 1.2)  # little by little is much


def test_a_player_may_use_all_its_processors_in_its_turn(times: list[float]) -> None:
    used = [ZERO]
    turns = TurnUsage(lambda: used[0], cores=8)
    turns.begin(10)
    times[0], used[0] = 100.0009, CpuUsage(0, 0.0072)
    turns.end(100.0009)
    times[0] = 200
    turns.begin(10)
    assert turns.charged == 0


def test_breaks_too_short_for_a_look_add_up(times: list[float]) -> None:
    used = [ZERO]
    turns = begun(used, 10)
    for _ in range(5):
        times[0] += 0.0001
        turns.end(times[0])
        times[0] += 0.001
        used[0] = CpuUsage(0, used[0].computed + 0.0015)
        turns.begin(10)
    times[0] += 0.003
    turns.end(times[0])
    times[0] += 0.001
    turns.begin(10)
    assert turns.off_turns == 0  # 7.5 ms in turns of 3.5 ms are 4 ms
    times[0] += 0.0001
    turns.end(times[0])
    times[0], used[0] = times[0] + 0.01, CpuUsage(0, used[0].computed + 0.002)
    turns.begin(10)
    assert turns.charged == pytest.approx(0.0059)


def test_a_player_that_hides_what_it_computes_is_forgiven_nothing() -> None:
    assert forgiven(1, ZERO, CpuUsage(waited=0.75, computed=0.1)) == 0.75
    assert forgiven(1, ZERO, CpuUsage(waited=0.75, computed=0.1, is_hidden=True)) == 0


def test_a_player_with_processes_is_looked_at_at_moments_that_it_cannot_foresee(
    times: list[float],
) -> None:
    looks = []
    turns = TurnUsage(lambda: looks.append(times[0]) or ZERO, alone=False)  # type: ignore[func-returns-value]
    turns.begin(1)
    while (deadline := turns.deadline()) < 101:
        times[0] = deadline
    gaps = [b - a for a, b in pairwise(looks)]
    assert 33 <= len(looks) <= 101
    assert all(0.5 * MEAN_LOOK_SECONDS <= gap <= 1.5 * MEAN_LOOK_SECONDS + 1e-9 for gap in gaps)
    assert max(gaps) - min(gaps) > MEAN_LOOK_SECONDS / 2


@pytest.mark.slow
@given(st.lists(st.tuples(*[st.floats(0, 3 * MAX_SHORT_SECONDS)] * 3), min_size=1))
def test_short_turns_count_together_what_they_count_one_by_one(
    shares: list[tuple[float, float, float]],
) -> None:
    """A turn has three parts: it computes, waits for a processor, and sleeps."""
    count = 0

    def use() -> CpuUsage:
        nonlocal count
        count += 1
        return used

    used, time, counted, own = ZERO, 50.0, 0.0, 0.0
    turns = TurnUsage(use)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness, "now", lambda: time)
        for computes, waits, sleeps in [*shares, (0.0, 0.0, MAX_SHORT_SECONDS)]:
            turns.begin(10)
            time += computes + waits + sleeps
            used = CpuUsage(used.waited + waits, used.computed + computes)
            counted += turns.end(time)
            own += computes + sleeps
            time += MAX_SHORT_BREAK_SECONDS / 2  # others' turns
    assert own - 1e-9 <= counted <= own + MAX_SHORT_SECONDS * len(shares)
    assert count <= 2 + sum(map(sum, shares)) / MAX_SHORT_SECONDS
    if all(sum(parts) >= MAX_SHORT_SECONDS for parts in shares):
        assert counted == pytest.approx(own)


def test_a_file_that_is_not_there_tells_of_no_waiting() -> None:
    assert fairness.waited(-1) == 0
