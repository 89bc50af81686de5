"""Connect to a Dask scheduler, or start one here with workers of its own."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from arena import escape
from arena.errors import UsageError, WorkerError, describe, one_line, quoted
from arena.files import read_json

if TYPE_CHECKING:
    from distributed import Client

#: Seconds that a scheduler has to answer.
MAX_SCHEDULER_SECONDS = 8

#: Seconds that a dashboard has to answer.
MAX_DASHBOARD_SECONDS = 2

#: An address as Dask writes it, such as ``tcp://host:8786``.
_ADDRESS = re.compile(r"[a-z]+://\S+:\d{1,5}", re.ASCII)

logger = logging.getLogger(__name__)


def require_library() -> None:
    """Raise UsageError if the library is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(
            "executor 'dask' needs Dask, which is not installed: pip install 'proving-arena[dask]'"
        )


def require_address(text: str) -> str:
    """Return the address of a scheduler, which may stand in a file that the scheduler wrote.

    Raises UsageError if the text is not an address and names no such file.
    """
    if _ADDRESS.fullmatch(text):
        return text
    if "://" in text or not text.endswith(".json"):
        problem = "give an address, such as tcp://host:8786, or a scheduler's file, such as"
        raise UsageError(f"executor {quoted('dask:' + text)}: {problem} scheduler.json")
    try:
        content = read_json(text)
    except UsageError as error:
        raise UsageError(f"scheduler file {quoted(text)}: {error}") from None
    address = content.get("address") if isinstance(content, dict) else None
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        raise UsageError(f"scheduler file {quoted(text)} has no address of a scheduler")
    return address


class Link:
    """A connection to the scheduler at an address, or of a new cluster here without an address.

    Raises WorkerError if the scheduler does not answer, and UsageError if it cannot.
    """

    def __init__(self, workers: int, address: str) -> None:
        import dask

        if "logging" not in dask.config.config:  # arena says in a line of its own what goes wrong
            dask.config.set({"logging": {"distributed": "critical"}})
        self.local = None if address else LocalCluster(workers)
        try:
            self.client = _joined(address if self.local is None else self.local.address)
        except BaseException:
            self.close()
            raise
        if link := _dashboard(self.client):
            hint = "" if find_spec("bokeh") else " (it needs bokeh to show more)"
            logger.warning("%s%s", escape.line(f"arena: the cluster's dashboard is {link}"), hint)

    def close(self) -> None:
        """End the connection, and a cluster of its own."""
        with suppress(Exception):  # what is left of a scheduler that has died, or never answered
            self.client.close(timeout=2)
        if self.local is not None:
            self.local.close()


def _dashboard(client: Client) -> str:
    """Return the address of the cluster's dashboard, or nothing if none answers there."""
    try:
        link = str(client.dashboard_link)  # KeyError: the scheduler has no HTTP server
        where = urlsplit(link)
        server = HTTPConnection(where.hostname or "", where.port, timeout=MAX_DASHBOARD_SECONDS)
        with closing(server):
            server.request("GET", where.path)
            return link if server.getresponse().status < 400 else ""
    except (KeyError, ValueError, OSError, HTTPException):
        return ""


def _joined(address: str) -> Client:
    from distributed import Client

    class QuietClient(Client):  # type: ignore[misc]  # Dask may be missing
        def __del__(self) -> None:
            """Wait for nothing: one that never had a scheduler takes long, and complains."""

    def join() -> QuietClient:
        return QuietClient(
            address, timeout=MAX_SCHEDULER_SECONDS, set_as_default=False, name="arena"
        )

    try:
        with warnings.catch_warnings(action="ignore"):  # of versions, which are compared later
            return _within(MAX_SCHEDULER_SECONDS + 1, join)
    except (OSError, TimeoutError) as error:
        problem = (
            f"no Dask scheduler answers at {quoted(address)} within {MAX_SCHEDULER_SECONDS} seconds"
        )
        raise WorkerError(problem) from error
    except MemoryError as error:  # it takes a text for the length of a message
        problem = f"what answers at {quoted(address)} is not a Dask scheduler"
        raise UsageError(f"{problem}: it may be its dashboard or another program") from error
    except Exception as error:  # a scheme that the library lacks, or a certificate
        raise UsageError(f"Dask scheduler {quoted(address)}: {describe(error)}") from error


def _within(seconds: float, make: Callable[[], Any]) -> Any:
    """Return what is made, in a thread that is not waited for if it takes longer: TimeoutError.

    Dask waits for ever for a program that takes a connection and never says anything.
    """
    answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            answers.put((make(), None))
        except Exception as error:
            answers.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        value, error = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return value


#: Settings of Dask: a worker only waits for its helper, and is not to use its core while it does.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500 ms",
}

_START = "from arena.plugins.dask.cluster import main; main()"

#: Before the address in the line that the program prints.
_PREFIX = "at "


class LocalCluster:
    """A scheduler and workers with a thread each. Raises WorkerError if they cannot be started.

    It is a program of its own, which ends when its standard input does. So no Ctrl-C of a terminal
    reaches it, it leaves nothing behind, and its workers do not execute the caller's script again.
    """

    def __init__(self, workers: int) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        # If it ended at once, it would leave semaphores to a tracker, which would complain.
        quiet = os.environ.get("PYTHONWARNINGS", ""), "ignore:resource_tracker"
        self._popen = subprocess.Popen(  # noqa: S603  (arena's own)
            [sys.executable, "-c", _START, str(workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": ",".join(filter(None, quiet))},
            text=True,
        )
        assert self._popen.stdout is not None
        try:
            line = self._popen.stdout.readline().strip()
        except BaseException:
            self.close()
            raise
        if not line.startswith(_PREFIX):
            self.close()
            raise WorkerError(f"cannot start a Dask cluster: {line or 'it ended at once'}")
        self.address = line.removeprefix(_PREFIX)

    def close(self) -> None:
        """End it at once."""
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._popen.wait()


def main() -> None:
    """Start a cluster, print its address, and wait for the end of standard input."""
    output = os.dup(1)
    os.dup2(2, 1)  # what players print
    with TemporaryDirectory(prefix="arena-dask-", ignore_cleanup_errors=True) as folder:
        try:
            line = _PREFIX + _start(int(sys.argv[1]), folder)
        except Exception as error:
            line = one_line(describe(error))
        os.write(output, f"{line}\n".encode())
        os.close(output)
        sys.stdin.read()
    os._exit(0)  # and with it the workers, which would else be asked first


def _start(workers: int, folder: str) -> str:
    """Start a cluster that lasts as long as this process, and return its address."""
    import dask

    dask.config.set({"logging": {"distributed": "critical"}, **CALM})
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        memory_limit=0,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        local_directory=folder,
    )
    return str(cluster.scheduler_address)
