"""Flood the server of a contest with requests without a token, and ask it as an entrant meanwhile.

``python -m benchmarks.flood [--seconds 10]``

Some processes send as fast as they can, from an address of their own. What they get are refusals;
an entrant with a token should hardly notice.
"""

from __future__ import annotations

import re
import socket
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

#: Where the requests come from: others of this machine come from another address.
SOURCE = "127.0.0.2"

#: The headers of a request that is none of an entrant's, by what is wrong with it.
STRANGE = {
    "no token": "Host: localhost",
    "another scheme": "Host: localhost\r\nAuthorization: Basic YWxpY2U6eA==",
    "a wrong token": f"Host: localhost\r\nAuthorization: Bearer {'x' * 32}",
    "a wrong cookie": f"Host: localhost\r\nCookie: arena-token={'x' * 32}",
    "a foreign host": "Host: evil.example",
}

#: Requests that are sent together: the server closes the connection at the first that it refuses.
TOGETHER = 20

#: Processes that send.
PROCESSES = 3

#: Seconds for an answer, and between two questions of the entrant.
PATIENCE, PAUSE = 30.0, 0.1

_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Flood:
    """The answers that the senders got: complete once the flood is over."""

    def __init__(self, senders: list[Future[Counter[int]]]) -> None:
        self._senders = senders

    @property
    def statuses(self) -> Counter[int]:
        """How often each status was the answer; 0 counts the requests that were sent."""
        return sum((sender.result() for sender in self._senders), Counter[int]())


@contextmanager
def flooded(port: int, seconds: float) -> Iterator[Flood]:
    """Flood a server of this machine for so long from now on; it is over at the end."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        yield Flood([pool.submit(_send, port, seconds) for _ in range(PROCESSES)])


def _send(port: int, seconds: float) -> Counter[int]:
    told: Counter[int] = Counter()
    end = time.monotonic() + seconds
    for head in cycle(STRANGE.values()):
        if time.monotonic() >= end:
            break
        told += send(port, head, SOURCE)
    return told


def send(port: int, head: str, source: str) -> Counter[int]:
    """Send some requests with these headers from an address; count the answers and, as 0, them."""
    text = b""
    with suppress(OSError), socket.socket() as connection:
        connection.settimeout(PATIENCE)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", port))
        connection.sendall(f"GET /login HTTP/1.1\r\n{head}\r\n\r\n".encode() * TOGETHER)
        while part := connection.recv(1 << 16):
            text += part
            if text.count(b"HTTP/1.1 ") == TOGETHER:
                break
    told = Counter(int(status) for status in _STATUS.findall(text))
    return told + Counter({0: TOGETHER})


def main() -> int:
    """Flood a contest's server and print what came of it."""
    from benchmarks.contesting import Contest, contest, prepare

    parser = ArgumentParser(prog="python -m benchmarks.flood", description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds

    def answers(served: Contest) -> list[float]:
        """Return how long an entrant waits for each of its pages."""
        waited, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            asked = time.monotonic()
            if served.ask("alice", "/me").status != 200:
                raise SystemExit("the entrant was refused")
            waited.append(time.monotonic() - asked)
            time.sleep(PAUSE)
        return waited

    with TemporaryDirectory() as name:
        prepare(Path(name))
        with contest(Path(name)) as served:
            before = answers(served)
            with flooded(served.served.port, seconds) as flood:
                meanwhile = answers(served)
    told = flood.statuses
    for status, times in sorted(told.items()):
        print(f"{f'answers {status}' if status else 'sent'}: {times / seconds:,.0f} a second")
    for when, waited in (("without", before), ("with", meanwhile)):
        print(f"an entrant {when} the flood: {1000 * median(waited):.0f} ms, ", end="")
        print(f"{1000 * max(waited):.0f} ms at most, {len(waited)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
