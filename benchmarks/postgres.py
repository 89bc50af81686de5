"""A PostgreSQL server of its own for benchmarks and tests, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.needs import programs_of_postgres

USER = "arena"
#: It needs quoting in a URL, and is nowhere else on this machine.
PASSWORD = "geheim@7/?%"

#: Settings that make it quick: the machine that runs the tests does not fail.
QUICK = {"fsync": "off", "shared_buffers": "16MB"}


class Server:
    """A server that can be stopped, killed and started again; ``postgres`` runs it, never root."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.settings = settings
        self.folder, self.data, self._count = folder, folder / "data", 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        password = folder / "password"
        password.write_text(PASSWORD)
        for path in (folder, password):
            if os.geteuid() == 0:
                shutil.chown(path, "postgres")
        own = ("-U", USER, "-A", "scram-sha-256", "--pwfile", str(password), "-E", "UTF8")
        self._run("initdb", "-D", str(self.data), *own, "--locale=C.UTF-8", "--no-sync")

    def _run(self, program: str, *arguments: str) -> None:
        own = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*own, os.path.join(programs_of_postgres(), program), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Start the server."""
        options = {
            **self.settings,
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "''",
        }
        words = " ".join(f"-c {name}={value}" for name, value in options.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", words, "start")

    def stop(self) -> None:
        """Stop the server at once."""
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """Kill all its processes at once, and forget the first one, which nobody may wait for."""
        file = self.data / "postmaster.pid"
        pid = int(file.read_text().splitlines()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        processes = [pid, *map(int, children)]
        for each in processes:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        while any(map(_lives, processes)):
            time.sleep(0.01)
        file.unlink()

    def url(self, database: str = "postgres", login: str = USER) -> str:
        """Return the URL of a database; the password comes from the environment."""
        return f"postgresql://{login}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        """Execute a statement outside of any transaction, and return the rows of a query."""
        import psycopg

        with psycopg.connect(self.url(database), password=PASSWORD, autocommit=True) as connection:
            done = connection.execute(statement)  # type: ignore[call-overload, unused-ignore]
            return list(done.fetchall()) if done.description else []

    def create(self) -> str:
        """Create a database, and return its URL."""
        self._count += 1
        self.execute(f"CREATE DATABASE store{self._count}")
        return self.url(f"store{self._count}")


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def running_server(
    settings: Mapping[str, str] = QUICK, parent: Path | None = None
) -> Iterator[Server]:
    """Run a server, in a folder that its user may enter."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, dir=parent) as folder:
        server = Server(Path(folder), settings)
        server.start()
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):
                server.stop()
