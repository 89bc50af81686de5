"""Connect to a Dask scheduler, or start one here with workers of its own."""

from __future__ import annotations

import logging
import re
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from arena import escape
from arena.errors import UsageError, WorkerError, describe, quoted
from arena.files import read_json
from arena.plugins.dask.local import LocalCluster

if TYPE_CHECKING:
    from distributed import Client

#: Seconds that a scheduler has to answer.
MAX_SCHEDULER_SECONDS = 8

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
        self.own = None if address else LocalCluster(workers)
        try:
            self.client = _joined(address if self.own is None else self.own.address)
        except BaseException:
            self.close()
            raise
        shown = escape.line(f"arena: the cluster's dashboard is {self.client.dashboard_link}")
        hint = "" if find_spec("bokeh") else " (it needs bokeh to show more)"
        logger.warning("%s%s", shown, hint)

    def close(self) -> None:
        """End the connection, and a cluster of its own."""
        with suppress(Exception):  # what is left of a scheduler that has died, or never answered
            self.client.close(timeout=2)
        if self.own is not None:
            self.own.close()


def _joined(address: str) -> Client:
    from distributed import Client as Dasks

    class Client(Dasks):  # type: ignore[misc]  # Dask may be missing
        def __del__(self) -> None:
            """Wait for nothing: one that never had a scheduler takes long, and complains."""

    def join() -> Client:
        return Client(address, timeout=MAX_SCHEDULER_SECONDS, set_as_default=False, name="arena")

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
