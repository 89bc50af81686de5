"""Do on a Dask worker what an executor elsewhere asks for.

These functions run in the worker's threads. They return arena's own data format, so the executor
unpickles nothing that a player can have written.
"""

from __future__ import annotations

import pickle
import shutil
import threading
from pathlib import Path
from typing import Any

from arena.executors.encoding import encode
from arena.plugins.dask.facts import facts
from arena.plugins.dask.helper import Helper, HelperExit
from arena.plugins.dask.parcels import lay_out

#: Seconds after which a helper that is not asked ends: its executor may have died.
MAX_IDLE_SECONDS = 60.0

#: The fate of a task: it was done, its helper died, or its work is not known here.
DONE, DIED, UNKNOWN = "done", "died", "unknown"

_lock = threading.Lock()
#: Where a helper waits that has no work yet.
_SPARE = ("", "")

#: The helpers that wait for a task, by run and digest.
_idle: dict[tuple[str, str], list[Helper]] = {}
#: The folders of parcels, by digest, each with the runs that use it.
_folders: dict[str, tuple[Path, set[str]]] = {}


def tell(question: dict[str, list[str]]) -> bytes:
    """Return the facts about this worker, and start a helper that will be needed if they do."""
    with _lock:
        if not _idle.get(_SPARE):
            _set_aside(Helper(question["modules"]), _SPARE)
    return encode(facts(question))


def play(run: str, digest: str, level: int | None, task: bytes, data: bytes) -> bytes:
    """Do a task of a run, by the work of that digest, which may come along as ``data``."""
    with _lock:
        folder = _folder_of(run, digest, data)
        if folder is None:
            return encode((UNKNOWN, b"", ""))
        _idle.setdefault((run, digest), [])
        helper = _take_helper((run, digest)) or _begin_helper(folder, level)
    try:
        answer = helper.ask(pickle.loads(task), _is_wanted)  # noqa: S301  (of arena's scorekeeper)
    except HelperExit as error:
        return encode((DIED, b"", str(error)))
    with _lock:
        is_on = (run, digest) in _idle
        if is_on:
            _set_aside(helper, (run, digest))
    if not is_on:
        helper.end()
    return encode((DONE, answer, ""))


def _begin_helper(folder: Path, level: int | None) -> Helper:
    """Return a helper that begins with the work in a folder: the spare one, or a new one."""
    helper = _take_helper(_SPARE) or Helper(())
    helper.begin(folder, level)
    return helper


def _take_helper(key: tuple[str, str]) -> Helper | None:
    """Return an idle helper, or None if all are busy."""
    free = _idle.get(key)
    if not free:
        return None
    helper = free.pop()
    helper.timer.cancel()
    return helper


def _set_aside(helper: Helper, key: tuple[str, str]) -> None:
    """Keep a helper for a next task, but not for long."""
    _idle.setdefault(key, []).append(helper)
    helper.timer = threading.Timer(MAX_IDLE_SECONDS, _end_idle, (helper,))
    helper.timer.daemon = True
    helper.timer.start()


def _folder_of(run: str, digest: str, data: bytes) -> Path | None:
    """Return where a parcel lies for a run, or None if it is not here."""
    if digest not in _folders:
        if not data:
            return None
        folder = _user_folder() / f"arena-{digest}"
        lay_out(data, folder)
        _folders[digest] = folder, set()
    folder, runs = _folders[digest]
    runs.add(run)
    return folder


def forget(run: str, modules: list[str]) -> None:
    """End the helpers of a run, and remove the files that no other run needs.

    With modules, one helper more imports them and waits for the next run.
    """
    with _lock:
        if modules and not _idle.get(_SPARE):
            _set_aside(Helper(modules), _SPARE)
        ended = [helper for key in list(_idle) if key[0] == run for helper in _idle.pop(key)]
        for digest, (folder, runs) in list(_folders.items()):
            runs.discard(run)
            if not runs:
                del _folders[digest]
                shutil.rmtree(folder, ignore_errors=True)
    for helper in ended:
        helper.timer.cancel()
        helper.end()


def _end_idle(helper: Helper) -> None:
    """End a helper, unless a thread has just taken it."""
    with _lock:
        lists = [free for free in _idle.values() if helper in free]
        for free in lists:
            free.remove(helper)
    if lists:
        helper.end()


def _user_folder() -> Path:
    from distributed import get_worker

    return Path(get_worker().local_directory)


def _is_wanted() -> bool:
    """Return whether the executor still waits for the task of this thread."""
    from distributed import get_worker

    worker: Any = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state != "cancelled"
