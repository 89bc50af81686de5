"""Money: an executor begins what the rest of a budget suffices for, and all of it is finished."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from fractions import Fraction
from typing import Any

import pytest

from arena.errors import OutOfBudget
from arena.executors.base import TaskList
from arena.executors.serial import SerialExecutor
from arena.player.purse import Purse
from arena.runs.services import within_budget

BUDGET, MEAN_ANSWERS, RUNS = 200, 10, 100


class SideBySide(SerialExecutor):
    """Works at some tasks at once: each in turn asks for an answer that costs 1."""

    def __init__(self, purse: Purse, in_flight: int, rng: random.Random) -> None:
        self._purse, self._in_flight, self._rng = purse, in_flight, rng
        self.unfinished = 0

    def run(self, work: Callable[..., Any], tasks: Any) -> Generator[tuple[Any, Any], None, None]:
        """See Executor.run."""
        counts: dict[int, int] = {}
        while True:
            while len(counts) < self._in_flight and (task := tasks.next_task()) is not None:
                counts[task] = self._rng.randint(MEAN_ANSWERS // 2, 3 * MEAN_ANSWERS // 2)
            if not counts:
                return
            task = self._rng.choice([*counts])
            if self._purse.spent >= BUDGET:
                self.unfinished = len(counts)
                self._purse.spend_up()
            self._purse.pay(Fraction(1))
            self._purse.use(Fraction(1))
            counts[task] -= 1
            if not counts[task]:
                del counts[task]
                yield task, None


@pytest.mark.parametrize("in_flight", [1, 8, 64])
def test_what_is_begun_is_finished_and_most_of_the_money_is_spent(in_flight: int) -> None:
    unfinished, spent = 0, Fraction(0)
    for seed in range(RUNS):
        purse = Purse(Fraction(BUDGET), "USD")
        executor = SideBySide(purse, in_flight, random.Random(seed))
        with pytest.raises(OutOfBudget):
            list(within_budget(executor, purse).run(lambda task: None, TaskList(range(1000))))
        unfinished += executor.unfinished > 0
        spent += purse.spent
    assert unfinished <= RUNS // 20
    assert spent / RUNS > 0.8 * BUDGET
