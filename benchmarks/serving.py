"""Run ``arena serve`` in a process of its own, and send it what a stranger may send."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

#: Seconds that a loaded machine may take.
PATIENCE = 60

PROGRAM = """
import sys
from arena.plugins.web import server
server.MAX_REQUEST_SECONDS, server.MAX_CONNECTIONS_OF_ADDRESS = {seconds}, {most}
from arena.__main__ import main
sys.exit(main())
"""


class Answer(NamedTuple):
    """An answer of a server."""

    status: int
    headers: Mapping[str, str]
    text: str


class Served:
    """A server that runs, by its process and its port."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.url = f"http://127.0.0.1:{port}"

    def ask(
        self,
        path: str = "/",
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: str | bytes | None = None,
    ) -> Answer:
        """Send a request as it is, even one that a browser would not send."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            text = answer.read().decode()
            found = {name.lower(): answer.headers.get_all(name, []) for name in answer.headers}
            return Answer(answer.status, {n: ", ".join(own) for n, own in found.items()}, text)
        finally:
            connection.close()

    def connect(self, data: bytes = b"") -> socket.socket:
        """Open a connection and send the beginning of something."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        made.sendall(data)
        return made


@contextmanager
def serving(
    *arguments: str | Path, seconds: float = 10, most: int = 100, cwd: Path | None = None
) -> Iterator[Served]:
    """Run ``arena serve`` on a free port, with these limits of a connection."""
    program = PROGRAM.format(seconds=seconds, most=most)
    command = [sys.executable, "-c", program, "serve", "--port", "0", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd
    )
    assert process.stdout is not None
    with process, process.stdout:
        try:
            text = ""
            while (found := re.search(r"Serving http.*:(\d+)/", text)) is None:
                line = process.stdout.readline()
                assert line, text
                text += line
            yield Served(process, int(found[1]))
        finally:
            process.kill()
