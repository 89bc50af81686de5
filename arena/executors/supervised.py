"""Hold executors of plugins to the contract of :mod:`arena.executors.base`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, NamedTuple

from arena.errors import ArenaError, PluginError, describe, is_stop, quoted, shown
from arena.executors.base import Executor, MakeExecutor, TaskFailed


class _Done(NamedTuple):
    """The result of work, which an executor that skipped the work cannot have."""

    result: Any


class _Work:
    """The work, which marks its results."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work

    def __call__(self, task: Any) -> _Done:
        return _Done(self.work(task))


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
        raise _broken(name, f"{shown(executor)} was made, which has no run()")
    return _Supervised(name, executor)


def _broken(name: str, problem: str) -> PluginError:
    return PluginError(f"executor {quoted(name)} broke its contract: {problem}")


class _Supervised:
    """An executor that passes tasks and results on, each exactly once."""

    def __init__(self, name: str, executor: Executor) -> None:
        self._name, self._executor = name, executor

    def run(
        self, work: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Generator[tuple[Any, Any], None, None]:
        """Run tasks; see Executor.run. Raises PluginError at the first breach of the contract."""
        waiting: list[Any] = []
        tasks = iter(tasks)
        results = self._started(_Work(work), _Handed(tasks, waiting))
        try:
            while (item := self._next(results)) is not None:
                yield self._checked(item, waiting)
        finally:
            close = getattr(results, "close", None)
            if callable(close):
                close()
        if waiting:
            raise _broken(self._name, f"it gave no result for {len(waiting)} tasks")
        for task in tasks:
            raise _broken(self._name, f"it did not ask for task {shown(task)}")

    def _started(self, work: _Work, tasks: Iterable[Any]) -> Iterator[Any]:
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

    def _checked(self, item: tuple[Any], waiting: list[Any]) -> tuple[Any, Any]:
        """Return a task and its result."""
        [pair] = item
        if type(pair) is not tuple or len(pair) != 2:
            raise _broken(self._name, f"run() gave {shown(pair)}, not a task and its result")
        task, done = pair
        if not any(type(task) is type(own) and task == own for own in waiting):
            problem = f"it gave a result for {shown(task)}, which it does not have to do"
            raise _broken(self._name, problem)
        if type(done) is TaskFailed and type(done.reason) is not str:
            raise _broken(self._name, f"a task failed for the reason {shown(done.reason)}")
        if type(done) not in (_Done, TaskFailed):
            raise _broken(self._name, f"it gave {shown(done)}, which the work did not return")
        waiting.remove(task)
        return task, done.result if type(done) is _Done else done


class _Handed(Iterator[Any]):
    """An iterator that notes the tasks that it hands out, and can go on after its end."""

    def __init__(self, tasks: Iterator[Any], waiting: list[Any]) -> None:
        self._tasks, self._waiting = tasks, waiting

    def __next__(self) -> Any:
        task = next(self._tasks)
        self._waiting.append(task)
        return task
