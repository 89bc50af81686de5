"""The fair clock, with numbers instead of time: who is forgiven how much."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.clock import computed
from arena.sandbox import fairness
from arena.sandbox.fairness import PATIENCE, Turn, Used, forgiven
from arena.testing import FakeClock

SECONDS = st.floats(0, 1000)
ZERO = Used(0.0, 0.0)


@given(SECONDS, SECONDS, SECONDS)
def test_nobody_computes_beyond_the_limit(wall: float, waited: float, computed: float) -> None:
    counted = wall - forgiven(wall, ZERO, Used(waited, computed))
    assert 0 <= counted <= wall
    assert counted >= min(computed, wall) - 1e-9
    assert counted >= wall - waited - 1e-9


@given(SECONDS, SECONDS)
def test_who_has_one_thread_is_judged_by_its_computing(computed: float, waited: float) -> None:
    lost = forgiven(computed + waited, ZERO, Used(waited, computed))
    assert lost == pytest.approx(waited)


def test_who_sleeps_is_forgiven_nothing() -> None:
    assert forgiven(60, ZERO, ZERO) == 0


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_who_keeps_itself_waiting_is_forgiven_nothing(cores: int) -> None:
    threads, wall = 31, 0.25
    waited = wall * max(0.0, 1 - cores / threads)
    assert forgiven(wall, Used(3, 5), Used(3 + waited, 5 + wall * cores)) == 0


def test_who_shares_with_others_is_forgiven_what_they_take_alone() -> None:
    # Two of its threads and two of others' on one core, for a second: a quarter for each.
    assert forgiven(1, ZERO, Used(waited=0.75, computed=0.5)) == 0.5


@pytest.fixture
def time() -> Iterator[FakeClock]:
    with FakeClock() as fake:
        yield fake


def test_a_turn_ends_when_its_limit_was_the_players_own(time: FakeClock) -> None:
    used = [Used(1, 7)]
    turn = Turn(lambda: used[0])
    assert turn.deadline(10) == 10
    time.advance(9)
    used[0] = Used(5, 8)
    assert turn.deadline(10) == 10  # what was lost is asked for at the end alone
    time.advance(1)
    used[0] = Used(5, 13)
    assert (turn.forgiven(), turn.took(), turn.deadline(10)) == (4, 6, 14)
    time.advance(4)
    used[0] = Used(5, 17)
    assert (turn.forgiven(), turn.took(), turn.deadline(10)) == (4, 10, 14)


def test_no_turn_is_waited_for_without_end(time: FakeClock) -> None:
    used = [ZERO]
    turn = Turn(lambda: used[0])
    time.advance(1000)
    used[0] = Used(1000, 0)
    assert turn.deadline(10) == PATIENCE * 10


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_what_another_process_has_computed_is_known() -> None:
    work = "import sys, time\nwhile time.process_time() < 0.1: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 0.1 <= computed(process.pid) < 0.3
        assert fairness.computed([process.pid], alone=True) == computed(process.pid)
        process.communicate(b"\n")
    assert fairness.computed([process.pid], alone=True) == 0  # it is gone
    with pytest.raises(OSError, match="Invalid argument"):
        computed(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_what_ended_children_have_computed_counts() -> None:
    before = fairness.computed([os.getpid()], alone=False)
    subprocess.run([sys.executable, "-c", "for _ in range(10**7): pass"], check=True)
    after = fairness.computed([os.getpid()], alone=False)
    assert after - before > 0.1
    assert fairness.waited(-1) == 0  # no such file
