"""Whose turn it is to be checked, without a process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from arena.features.contest import runner
from arena.features.contest.checking import CannotCheck
from arena.features.contest.hand_ins import ContestRun
from arena.features.contest.hosted import HostedContest
from arena.features.contest.runner import ContestRunner
from arena.features.hand_in.record import NOT_CHECKED, PASSED, REPLACED, HandIn
from tests.features.contest.packages import BOT
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.features.contest.conftest import Open

#: The name of an entrant and the number of its hand-in.
Checked = list[tuple[str, int]]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Have a check pass at once; the list says whose began."""
    began: Checked = []

    async def check(contest: HostedContest, hand_in: HandIn, lock: int) -> None:
        began.append((hand_in.entrant, hand_in.number))
        await asyncio.sleep(0)
        contest.finalize(hand_in, PASSED, None, "", 0.0)

    monkeypatch.setattr(runner, "check", check)
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.001)
    return began


async def run_until(contest: HostedContest, until: Callable[[], object]) -> None:
    """Run the contest until something holds."""
    running = asyncio.create_task(ContestRunner(contest).run())
    while not until():
        assert not running.done()
        await asyncio.sleep(0.001)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.slow
def test_an_entrant_that_hands_in_again_and_again_slows_nobody(
    opened: Open, checked: Checked
) -> None:
    contest = opened(checks=1)
    contest.hand_in("alice", "bot.py", BOT)
    asyncio.run(run_until(contest, lambda: not contest.status().waiting))
    for entrant in ("alice", "alice", "bob", "alice", "carol"):
        contest.hand_in(entrant, "bot.py", BOT)

    async def once() -> None:
        running = ContestRunner(contest)
        running._turns = {"alice": 1}  # as it was before
        lock = contest.lock()
        while contest.waiting():
            await running._begin_checks(lock)
            await asyncio.sleep(0.001)
        os.close(lock)

    asyncio.run(once())
    assert checked[0] == ("alice", 1)
    assert sorted(checked[1:3]) == [("bob", 1), ("carol", 1)]
    assert checked[3:] == [("alice", 4)]


def test_a_fault_of_arenas_is_a_line_for_the_owner_and_the_contest_goes_on(
    opened: Open, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = opened()
    real, calls = contest.wanted, []

    def failing(reload: bool = False) -> object:
        calls.append(reload)
        if len(calls) == 1:
            raise ZeroDivisionError("nobody expects it")
        return real(reload)

    monkeypatch.setattr(contest, "wanted", failing)
    contest.hand_in("alice", "bot.py", BOT)
    asyncio.run(run_until(contest, lambda: len(calls) > 1 and not contest.status().waiting))
    assert [problem.text for problem in contest.status().problems] == [
        "ZeroDivisionError: nobody expects it"
    ]


def test_a_check_that_the_machine_fails_is_tried_again_and_the_owner_is_told(
    opened: Open, checked: Checked, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest, tries = opened(), []
    passing = vars(runner)["check"]

    async def check(contest: HostedContest, hand_in: HandIn, lock: int) -> None:
        tries.append(contest.hand_ins()[0])
        if len(tries) < 3:
            raise CannotCheck("isolation bwrap does not work here: play at all: no answer")
        await passing(contest, hand_in, lock)

    monkeypatch.setattr(runner, "check", check)
    monkeypatch.setattr(runner, "MIN_RESTART_SECONDS", 0.002)
    contest.hand_in("alice", "bot.py", BOT)
    asyncio.run(run_until(contest, lambda: not contest.status().waiting))
    assert [each.problem for each in tries] == ["", NOT_CHECKED, NOT_CHECKED]
    [settled] = contest.hand_ins()
    assert (settled.state, settled.problem) == (PASSED, "")
    [problem] = contest.status().problems
    reason = "isolation bwrap does not work here: play at all: no answer"
    wording(problem.text, "hand-in 1", "alice", reason)


def test_a_check_that_fails_makes_room_for_a_later_hand_in(
    opened: Open, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = opened()
    passing = vars(runner)["check"]

    async def check(contest: HostedContest, hand_in: HandIn, lock: int) -> None:
        if hand_in.number == 1:
            contest.hand_in("alice", "bot.py", BOT)
            raise CannotCheck("the memory is used up")
        await passing(contest, hand_in, lock)

    monkeypatch.setattr(runner, "check", check)
    monkeypatch.setattr(runner, "MIN_RESTART_SECONDS", 0.002)
    contest.hand_in("alice", "bot.py", BOT)
    asyncio.run(run_until(contest, lambda: not contest.status().waiting))
    assert [(each.state, each.problem) for each in contest.hand_ins()] == [
        (PASSED, ""),
        (REPLACED, ""),
    ]


def test_a_player_that_cannot_be_started_is_told_once_and_again_when_it_comes_back(
    opened: Open, checked: Checked, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest, looks = opened(), []
    absent = [{"bot": "no such file"}, {"bot": "no such file"}, {}, {"bot": "no such file"}]

    def playing(_setup: object) -> ContestRun:
        looks.append(1)
        return ContestRun(1, {"bot": "./bot.py"}, True, absent[min(len(looks), 4) - 1])

    monkeypatch.setattr(contest, "playing", playing)
    messages: list[str] = []
    monkeypatch.setattr(contest, "tell", messages.append)
    asyncio.run(run_until(contest, lambda: len(looks) > 5))
    assert len(messages) == 2
    wording(messages, "bot", "no such file")
