"""Hold executors of plugins to the contract of :mod:`arena.executors.base`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from math import inf
from typing import Any, NamedTuple

from arena.errors import ArenaError, PluginError, describe, is_stop, quoted, repr_of
from arena.executors.base import Executor, MakeExecutor, TaskFailed, Tasks, seconds_a_task

#: How often for each worker an executor may ask for more when all tasks are done.
MAX_IN_VAIN = 100


class _Done(NamedTuple):
    """The value that the work returned for a task: an executor that did not do it has none."""

    task: Any
    result: Any


class _Work:
    """The work, which marks its results with their tasks."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work

    def __call__(self, task: Any) -> _Done:
        return _Done(task, self.work(task))

    @property
    def rounds_by_machine(self) -> bool:
        """See Executor.run."""
        return bool(getattr(self.work, "rounds_by_machine", False))

    def on_stall(self, task: Any, *waits_for: str) -> str:
        """See Executor.run."""
        ask: Callable[..., str] | None = getattr(self.work, "on_stall", None)
        return "" if ask is None else ask(task, *waits_for)


def make_executor(name: str, make: MakeExecutor, workers: int) -> Executor:
    """Return the executor, supervised unless it is arena's own. Raises PluginError."""
    try:
        executor = make(workers)
    except BaseException as error:
        if isinstance(error, ArenaError) or is_stop(error):
            raise
        raise _broken(name, f"making it raised {describe(error)}") from error
    if type(executor).__module__.startswith("arena."):
        return executor
    if not callable(getattr(executor, "run", None)):
        raise _broken(name, f"{repr_of(executor)} was made, which has no run()")
    return _SupervisedExecutor(name, executor, workers)


def _broken(name: str, problem: str) -> PluginError:
    return PluginError(f"executor {quoted(name)} broke its contract: {problem}")


class _SupervisedExecutor:
    """An executor that passes tasks and results on, each exactly once."""

    def __init__(self, name: str, executor: Executor, workers: int) -> None:
        self._name, self._executor, self._workers = name, executor, workers

    @property
    def seconds_a_task(self) -> float:
        """See Executor. Raises PluginError if it is not a number of seconds."""
        try:
            seconds = seconds_a_task(self._executor)
        except (TypeError, ValueError) as error:
            raise _broken(self._name, f"seconds_a_task: {describe(error)}") from error
        if not 0 < seconds < inf:
            raise _broken(self._name, f"seconds_a_task is {seconds}")
        return seconds

    def run(
        self, work: Callable[[Any], Any], tasks: Tasks[Any]
    ) -> Generator[tuple[Any, Any], None, None]:
        """See Executor.run. Raises PluginError at the first breach of the contract."""
        handed = _TaskLedger(self._name, tasks, MAX_IN_VAIN * self._workers)
        results = self._started(_Work(work), handed)
        try:
            while (item := self._next(results)) is not None:
                yield self._outcome_of(item, handed.out)
        finally:
            self._close(results)
        if handed.out:
            raise _broken(self._name, f"it gave no result for {len(handed.out)} tasks")
        if (task := tasks.next_task()) is not None:
            raise _broken(self._name, f"it did not ask for task {repr_of(task)}")

    def _close(self, results: Iterator[Any]) -> None:
        close = getattr(results, "close", None)
        if callable(close):
            try:
                close()
            except BaseException as error:
                raise self._failed(error) from error

    def _started(self, work: _Work, tasks: Tasks[Any]) -> Iterator[Any]:
        try:
            return iter(self._executor.run(work, tasks))
        except BaseException as error:
            raise self._failed(error) from error

    def _next(self, results: Iterator[Any]) -> tuple[Any] | None:
        """Return the next result in a tuple, None if there is none."""
        try:
            for item in results:
                return (item,)
        except BaseException as error:
            raise self._failed(error) from error
        return None

    def _failed(self, error: BaseException) -> BaseException:
        if isinstance(error, ArenaError) or is_stop(error):
            return error
        return _broken(self._name, f"run() raised {describe(error)}")

    def _outcome_of(self, item: tuple[Any], out: list[Any]) -> tuple[Any, Any]:
        """Return a task and its result, and strike the task off those that are out."""
        [pair] = item
        if type(pair) is not tuple or len(pair) != 2:
            raise _broken(self._name, f"run() gave {repr_of(pair)}, not a task and its result")
        task, done = pair
        if not any(type(task) is type(handed) and task == handed for handed in out):
            problem = f"it gave a result for {repr_of(task)}, which it does not have to do"
            raise _broken(self._name, problem)
        if type(done) is TaskFailed and type(done.reason) is not str:
            raise _broken(self._name, f"a task failed for the reason {repr_of(done.reason)}")
        if type(done) not in (_Done, TaskFailed):
            raise _broken(self._name, f"it gave {repr_of(done)}, which the work did not return")
        if type(done) is _Done and done.task != task:
            problem = f"it gave the result of {repr_of(done.task)} for {repr_of(task)}"
            raise _broken(self._name, problem)
        out.remove(task)
        return task, done.result if type(done) is _Done else done


class _TaskLedger:
    """Hands tasks out, notes those that are out, and ends a loop that waits for more in vain."""

    def __init__(self, name: str, tasks: Tasks[Any], patience: int) -> None:
        self.out: list[Any] = []
        self._name, self._tasks, self._patience = name, tasks, patience

    def next_task(self) -> Any:
        """See Tasks.next_task. Raises PluginError if it is asked on and on when all is done."""
        task = self._tasks.next_task()
        if task is not None:
            self.out.append(task)
        elif not self.out:
            self._patience -= 1
            if self._patience < 0:
                raise _broken(self._name, "it asks for tasks without end when all are done")
        return task
