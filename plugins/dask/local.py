"""Run a cluster on this machine, as a program of its own that ends when its standard input does.

So no Ctrl-C of a terminal reaches it, nothing of it is left behind whatever happens to arena, and a
script that plays on it is not executed again in its workers.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from contextlib import suppress
from tempfile import TemporaryDirectory

from arena.errors import WorkerError, describe, one_line

#: Settings of Dask: a worker only waits for its helper, and is not to use its core while it does.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500 ms",
}

_START = "from arena.plugins.dask.local import main; main()"

#: Before the address in the line that the program prints.
_AT = "at "


class LocalCluster:
    """A scheduler and workers with a thread each. Raises WorkerError if they cannot be started."""

    def __init__(self, workers: int) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        # ProgramEnd at once, it leaves semaphores to a tracker, which would complain.
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
        if not line.startswith(_AT):
            self.close()
            raise WorkerError(f"cannot start a Dask cluster: {line or 'it ended at once'}")
        self.address = line.removeprefix(_AT)

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
            line = _AT + _start(int(sys.argv[1]), folder)
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
