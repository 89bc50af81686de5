"""The processes of a player: which they are, that all of them stop, and what they compute."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import clock
from arena.sandbox.family import Accounts, Family, Member, computed
from tests.processes import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of processes")

#: Starts a family of seven, half of it in threads; all print their numbers and compute a little.
SEVEN = """
import os, subprocess, sys, threading, time
def start(depth):
    code = sys.argv[1]
    command = [sys.executable, "-c", code, code, str(depth)]
    return subprocess.Popen(command, stdout=1)
depth = int(sys.argv[2])
if depth:
    start(depth - 1)
    thread = threading.Thread(target=lambda: (start(depth - 1), threading.Event().wait()))
    thread.daemon = True
    thread.start()
os.write(1, b"%d\\n" % os.getpid())
while True: time.sleep(0.001)
"""


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, 9)


def lines(process: subprocess.Popen[bytes], number: int) -> set[int]:
    assert process.stdout is not None
    return {int(process.stdout.readline()) for _ in range(number)}


@pytest.fixture
def closed() -> Iterator[Callable[[Family], Family]]:
    """Close a family with the test, after which no file is left open."""
    before = os.listdir("/proc/self/fd")
    families: list[Family] = []

    def close_later(family: Family) -> Family:
        families.append(family)
        return family

    yield close_later
    for family in families:
        family.close()
    assert os.listdir("/proc/self/fd") == before


def children_of(pid: int) -> list[int]:
    member = Member(pid)
    try:
        return member.children()
    finally:
        member.close()


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def stands_still(family: Family) -> bool:
    before = family.used().computed
    time.sleep(0.05)
    return family.used().computed == before


@pytest.mark.slow
def test_a_whole_family_stops_and_goes_on(closed: Callable[[Family], Family]) -> None:
    with running(SEVEN, SEVEN, "2") as process:
        seven = lines(process, 7)
        family = closed(Family(process.pid, 0, alone=False))
        for _ in range(2):
            family.stop()
            assert wait_until(lambda: {state(pid) for pid in seven} == {"T"})
            # A thread computes until it is on its way to the stop that its process is in.
            assert wait_until(lambda: stands_still(family))
            before = family.used().computed
            assert before > 0
            family.resume()
            assert wait_until(lambda: "T" not in {state(pid) for pid in seven})
            assert wait_until(lambda: family.used().computed > before)  # noqa: B023


@pytest.mark.slow
def test_who_is_not_looked_for_stops_with_its_group(closed: Callable[[Family], Family]) -> None:
    """Nothing keeps a Python player in tier process from starting others."""
    with running(SEVEN, SEVEN, "2") as process:
        seven = lines(process, 7)
        family = closed(Family(process.pid, 0, alone=True))
        family.stop()
        assert wait_until(lambda: {state(pid) for pid in seven} == {"T"})
        family.resume()
        assert wait_until(lambda: "T" not in {state(pid) for pid in seven})


def test_the_player_is_so_many_generations_below(closed: Callable[[Family], Family]) -> None:
    with running(SEVEN, SEVEN, "1") as process:
        lines(process, 3)
        below = closed(Family(process.pid, 1, alone=True))
        assert below.player in children_of(process.pid)
        nobody = closed(Family(process.pid, 3, alone=True))
        assert nobody.player is None
        nobody.stop()
        assert nobody.used() == (0, 0, False)


def test_a_member_that_has_ended_tells_nothing_and_is_forgotten(
    closed: Callable[[Family], Family],
) -> None:
    with running("print(1, flush=True); input()") as process:
        lines(process, 1)
        family, member = closed(Family(process.pid, 0, alone=False)), Member(process.pid)
        family.stop()
        seen = family.used().computed
        assert seen > 0
    assert member.children() == []
    with pytest.raises(OSError, match="No such"):
        member.seconds_of_ended_children()
    member.close()
    family.resume()
    family.stop()
    assert computed(process.pid) == 0
    assert family.used().computed == pytest.approx(seen, abs=0.02)  # it is not forgotten
    with pytest.raises(OSError, match="No such"):
        Member(process.pid)


def test_what_another_process_has_computed_is_known() -> None:
    work = "import time\nwhile time.process_time() < 0.1: pass\nprint(1, flush=True)\ninput()"
    with running(work) as process:
        lines(process, 1)
        assert 0.1 <= computed(process.pid) < 0.3
        assert computed(process.pid) == clock.computed(process.pid)
    assert computed(process.pid) == 0  # it is gone
    with pytest.raises(OSError, match="Invalid argument"):
        clock.computed(process.pid)


@pytest.mark.slow
def test_what_ended_children_have_computed_counts() -> None:
    member = Member(os.getpid())
    before = member.seconds_of_ended_children()
    subprocess.run([sys.executable, "-c", "for _ in range(10**7): pass"], check=True)
    assert member.seconds_of_ended_children() - before > 0.1
    member.close()


#: What a process did between two looks: seconds of its own, and which of its children ended how.
STEPS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans(), st.booleans()), min_size=1
)


@pytest.mark.slow
@given(STEPS)
def test_what_vanishes_is_what_no_process_waited_for(
    steps: list[tuple[float, float, bool, bool]],
) -> None:
    """A parent has one child after the other: it ends at a look or not, is waited for or not."""
    accounts = Accounts()
    own = ended = child = lost = total = 0.0
    pid = 2
    accounts.enter({1: (own, ended), pid: (child, 0.0)})
    for seconds, of_child, has_ended, is_waited_for in steps:
        own += seconds
        child += of_child
        total += seconds + of_child
        accounts.enter({1: (own, ended), pid: (child, 0.0)})
        if has_ended:
            if is_waited_for:
                ended += child
            else:
                lost += child
            pid, child = pid + 1, 0.0
        result = accounts.enter({1: (own, ended), pid: (child, 0.0)})
        assert result == pytest.approx(total)  # in all, nothing is ever forgotten
    assert accounts.missing == pytest.approx(lost)


def test_a_process_may_end_while_the_arena_looks() -> None:
    accounts = Accounts()
    accounts.enter({1: (1.0, 0.0), 2: (0.5, 0.0)})
    accounts.enter({1: (1.0, 0.5), 2: (0.5, 0.0)})  # it is still in the list, but waited for
    accounts.enter({1: (1.0, 0.5)})
    assert accounts.missing == 0
    accounts.enter({1: (1.0, 0.5), 3: (0.2, 0.0)})
    accounts.enter({1: (1.0, 0.5)})
    assert accounts.missing == pytest.approx(0.2)
