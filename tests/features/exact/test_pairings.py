"""Exact round robins: each pairing is a task, and who does it changes nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

import arena
from arena.errors import CannotEnumerate, Undecided
from arena.executors.serial import SerialExecutor
from arena.features.exact import function as proofs
from arena.features.exact.pairings import ExactPairings, Task, calculate
from arena.game import Position
from arena.model.defaults import MAX_POSITIONS
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording

PLAYERS = ["tictactoe3", "monkey", "triples", "heuristic"]


class Backwards:
    """Takes all tasks that there are, does the last one first, and keeps what it took."""

    def __init__(self) -> None:
        self.taken: list[Task] = []

    def run(self, work: Any, tasks: Any) -> Any:
        result = list(iter(tasks.next_task, None))
        self.taken += result
        for task in reversed(result):
            yield task, work(task)


@pytest.mark.slow
@pytest.mark.parametrize("openings", [None, "all:1"])
def test_who_calculates_in_which_order_changes_nothing(
    openings: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: Any = {"openings": openings}
    here = arena.exact_tournament(PLAYERS, executor="serial", **options).as_json()
    assert arena.exact_tournament(PLAYERS, workers=2, **options).as_json() == here
    backwards = Backwards()
    monkeypatch.setattr(proofs, "open_executor", lambda *_: backwards)
    assert arena.exact_tournament(PLAYERS, executor="other", **options).as_json() == here
    assert [task.is_calculated for task in backwards.taken] == [False] * 6 + [True] * 6


def gambler(position: Position, rng: random.Random) -> int:
    return int(rng.random())


def other_gambler(position: Position, rng: random.Random) -> int:
    return int(rng.random())


def test_the_first_pairing_without_a_result_says_why_whoever_is_quicker(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    players: list[Any] = ["monkey", "triples", gambler, other_gambler]
    for executor in (SerialExecutor(), Backwards()):
        monkeypatch.setattr(proofs, "open_executor", lambda *_, own=executor: own)
        with wording.raises(CannotEnumerate):
            arena.exact_tournament(players)


def work_of(catalogue: Catalogue, seconds: float | None, *names: str) -> ExactPairings:
    players = [catalogue.player(name) for name in names]
    return ExactPairings(catalogue.game("tictactoe"), players, None, 10**6, seconds)


def test_after_a_refusal_no_pairing_is_begun(catalogue: Catalogue, wording: Wording) -> None:
    begun: list[Task] = []

    class Noting(SerialExecutor):
        def run(self, work: Any, tasks: Any) -> Any:
            for task, answer in super().run(work, tasks):
                begun.append(task)
                yield task, answer

    with wording.raises(Undecided, match="09"):
        calculate(work_of(catalogue, 1e-9, "monkey", "triples", "heuristic"), Noting())
    assert [task.players for task in begun if task.is_calculated] == [(0, 1)]


@pytest.mark.slow
def test_a_task_is_told_the_seconds_that_are_left(catalogue: Catalogue) -> None:
    executor = Backwards()
    calculate(work_of(catalogue, 100.0, "monkey", "triples", "heuristic"), executor)
    seconds = [task.seconds for task in executor.taken]
    assert seconds == sorted(seconds, key=lambda value: -(value or 0))
    assert all(value is not None and 0 < value <= 100 for value in seconds)


def test_an_executor_is_not_ignored(wording: Wording) -> None:
    with wording.raises(arena.UsageError, match="'nobody'"):
        arena.exact("monkey", "triples", executor="nobody")
    with wording.raises(arena.UsageError, match="'nobody'"):
        arena.exact_tournament(PLAYERS, executor="nobody")


@pytest.mark.slow
def test_a_single_pairing_in_arrays_is_the_same_for_any_number_of_workers() -> None:
    large = MAX_POSITIONS + 1
    one, two = (
        arena.exact("monkey", "lines", game="mnk-3-2-2", max_positions=large, workers=workers)
        for workers in (1, 2)
    )
    assert one.as_json() == two.as_json()
    assert one.total == arena.exact("monkey", "lines", game="mnk-3-2-2").total
