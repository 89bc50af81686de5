"""Prepare a run of players that are services, such as language models: money, answers, threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from fractions import Fraction
from math import sqrt
from typing import Any, Generic

from arena.errors import UsageError
from arena.executors.base import Executor, Result, Task, TaskFailed, Tasks
from arena.executors.serial import SerialExecutor
from arena.executors.threads import ThreadExecutor
from arena.fights.pairing import Pairing
from arena.inputs.options import WorkOptions
from arena.inputs.service_options import DEFAULT_IN_FLIGHT, ServiceOptions
from arena.model.defaults import DEFAULT_EXECUTOR
from arena.player import PlayerInfo
from arena.player.purse import PaidPlayer, Purse, read_budget
from arena.player.recording import RecordablePlayer


class ServedWork(WorkOptions, ServiceOptions, total=False):
    """How games are played, those of services too."""


def with_services(
    executor: Executor, pairings: Iterable[Pairing], options: ServedWork, store: object
) -> Executor:
    """Return the executor of a run of these pairings, and prepare those that are services.

    ``executor`` is the one for players that are none. Services share the money of the run and the
    file of their answers, which is next to the ``store`` unless the user names another. They play
    in threads unless the user names an executor. Raises UsageError for options of services if none
    plays, and for an executor that cannot keep to a budget.
    """
    players = [player for pairing in pairings for player in pairing.players]
    purse = prepare_services(players, options, store)
    if not _services_of(players):
        return executor
    if options["executor"] == DEFAULT_EXECUTOR or options["in_flight"] is not None:
        at_once = options["in_flight"] or options["workers"] or DEFAULT_IN_FLIGHT
        executor = ThreadExecutor(at_once)
    return within_budget(executor, purse)


def within_budget(executor: Executor, purse: Purse) -> Executor:
    """Return an executor that keeps to the budget of a purse. Raises UsageError if it cannot."""
    if purse.budget is None:
        return executor
    if not isinstance(executor, (SerialExecutor, ThreadExecutor)):
        raise UsageError("a budget is kept in one process: leave --executor out")
    return _BudgetExecutor(executor, purse)


def prepare_services(
    players: Iterable[PlayerInfo], options: ServiceOptions, store: object
) -> Purse:
    """Give services the money of a run and the file of their answers, and return the purse.

    Raises UsageError for options that are for services if none plays.
    """
    remotes = _services_of(players)
    paying = [remote for remote in remotes if isinstance(remote, PaidPlayer)]
    recording = [remote for remote in remotes if isinstance(remote, RecordablePlayer)]
    _require_services(bool(remotes), options)
    purse = Purse() if options["budget"] is None else read_budget(options["budget"])
    if path := options["record"] or _beside(store):
        for recorder in recording:
            recorder.record(os.fspath(path), is_closed=options["replay_only"])
    elif options["replay_only"]:
        raise UsageError("--replay-only takes answers from a file: name it with --record")
    for player in paying:
        player.pay_from(purse)
    return purse


def require_costs(players: Iterable[PlayerInfo]) -> None:
    """Raise UsageError unless the cost of these players can be compared: one has a price at least.

    A player that is no service costs nothing.
    """
    paying = [each for each in _services_of(players) if isinstance(each, PaidPlayer)]
    if not paying:
        raise UsageError("until cheapest compares costs, and no language model plays")
    for player in paying:
        player.require_prices("until cheapest")


def take_recorded(players: Iterable[PlayerInfo], record: str | os.PathLike[str] | None) -> None:
    """Take all answers of services from a file. Raises UsageError without one."""
    services = _services_of(players)
    if record is None and services:
        raise UsageError(
            "a language model answers in other words each time, so it is not asked again: --store"
            " shows the game as it was played, --record takes the answers that a run recorded"
        )
    if record is not None and not services:
        raise UsageError("--record is for language models, and none of them plays")
    for service in services:
        if record is not None and isinstance(service, RecordablePlayer):
            service.record(os.fspath(record), is_closed=True)


def _services_of(players: Iterable[PlayerInfo]) -> list[Any]:
    """Return the players that are services, each once."""
    remotes: dict[int, Any] = {id(player.remote): player.remote for player in players}
    return [each for each in remotes.values() if isinstance(each, (PaidPlayer, RecordablePlayer))]


def _require_services(is_any: bool, options: ServiceOptions) -> None:
    given = {
        "--budget": options["budget"],
        "--record": options["record"],
        "--replay-only": options["replay_only"],
        "--in-flight": options["in_flight"],
    }
    named = next((name for name, value in given.items() if value), None)
    if named is not None and not is_any:
        raise UsageError(f"{named} is for language models, and none of them plays")


def _beside(store: object) -> str:
    """Return the file for the answers of a run with a store. It is empty if that is no file."""
    if not isinstance(store, (str, os.PathLike)):
        return ""
    path = os.fspath(store)
    return "" if "://" in path else f"{path}.answers"


class _BudgetExecutor:
    """An executor that begins no task which the money would probably not suffice for.

    So all pairs that were begun are finished as a rule, and those that count were not chosen by
    what they cost.
    """

    def __init__(self, executor: Executor, purse: Purse) -> None:
        self._executor, self._purse = executor, purse

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run. Raises OutOfBudget once all that was begun is finished."""
        allowed = _AffordableTasks(tasks, self._purse)
        results = self._executor.run(work, allowed)
        try:
            for task, result in results:
                allowed.note_finished()
                yield task, result
        finally:
            results.close()
        if allowed.is_short:
            self._purse.spend_up()


class _AffordableTasks(Generic[Task]):
    """The tasks that there is money for, by the mean cost of those before.

    One that is refused may be allowed later, when more is known.
    """

    def __init__(self, tasks: Tasks[Task], purse: Purse) -> None:
        self._tasks, self._purse = tasks, purse
        self._in_work = self._finished = 0
        #: Whether there was no money for the last task that was asked for.
        self.is_short = False

    def next_task(self) -> Task | None:
        """Return the next task, None if there is none or the money does not suffice."""
        self.is_short = self._is_too_dear()
        if self.is_short:
            return None
        task = self._tasks.next_task()
        self._in_work += task is not None
        return task

    def note_finished(self) -> None:
        """Note that a task is finished."""
        self._in_work -= 1
        self._finished += 1

    def _is_too_dear(self) -> bool:
        """Return whether those in work and one more may cost more than there is.

        What those in work have used so far counts for the finished ones. That makes the mean too
        large, and right as soon as none is in work. Before one is finished, one is in work.

        Some cost more than the mean, and the mean of few is not that of all. Two standard
        deviations are kept for both, of tasks that differ from the mean by half of it.
        """
        budget = self._purse.budget
        if budget is None:
            return False
        if not self._finished or not self._purse.spent:  # perhaps all answers are recorded
            return self._in_work > 0
        mean, tasks = self._purse.used / self._finished, self._in_work + 1
        spare = Fraction(sqrt(tasks * (1 + tasks / self._finished)))
        return self._purse.spent + (tasks + spare) * mean > budget
