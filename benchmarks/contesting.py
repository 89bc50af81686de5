"""Serve a contest in a process of its own, and hand in to it as its entrants do."""

from __future__ import annotations

import csv
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.serving import PATIENCE, Answer, Served, serving

#: A player that is right, one that is at fault in its first move, and one that forks at import.
RIGHT = "def choose(position, rng):\n    return [*position.legal_moves()][0]\n"
WRONG = "def choose(position, rng):\n    return -1\n"
FORKING = "import os\nwhile True:\n    os.fork()\n" + RIGHT
#: A player that says things which others must not see.
TALKING = RIGHT.replace(":\n", ":\n    print('my secret plan')\n")

FILE = """
game = "tictactoe"
players = ["monkey"]
pairs = 8
workers = 1

[hand-ins]
size = 100_000
check-seconds = 60
positions = 5
"""

ENTRANTS = ("alice", "bob", "carol", "dave", "frank")


class Contest:
    """A contest that is served, with the tokens of all."""

    def __init__(self, served: Served, folder: Path) -> None:
        self.served, self.folder = served, folder
        with (folder / "tokens.csv").open(newline="") as file:
            self.tokens = {row["name"]: row["token"] for row in csv.DictReader(file)}

    def ask(
        self,
        who: str,
        path: str,
        method: str = "GET",
        body: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request with the token of an entrant in its header."""
        known = {"Authorization": f"Bearer {self.tokens[who]}", "Accept": "application/json"}
        return self.served.ask(path, method, {**known, **(headers or {})}, body)

    def hand_in(self, who: str, content: str | bytes, name: str = "bot.py") -> Answer:
        """Hand in a file as an entrant does."""
        return self.ask(who, "/hand-ins", "POST", content, {"X-File-Name": name})

    def settled(self, who: str) -> list[dict[str, Any]]:
        """Return the hand-ins of an entrant, newest first, when all are checked."""

        def look() -> list[dict[str, Any]] | None:
            rows: list[dict[str, Any]] = json.loads(self.ask(who, "/hand-ins").text)["hand_ins"]
            is_busy = any(row["state"] in ("waiting", "checking") for row in rows)
            return None if is_busy else rows

        found: list[dict[str, Any]] = waited(look)
        return found

    def passes(self, who: str, content: str) -> None:
        """Hand in, and wait until it has passed its check."""
        assert self.hand_in(who, content).status == 201
        assert self.settled(who)[0]["state"] == "passed"

    def over(self, hand_ins: Mapping[str, int]) -> dict[str, Any]:
        """Return the standings when these hand-ins have played all their games."""

        def look() -> dict[str, Any] | None:
            told = self.standings()
            players = {row["player"]: row["hand_in"] for row in told["rows"]}
            is_over = players == {"monkey": None, **hand_ins} and told["play"] == "complete"
            return told if is_over and not told["new"] else None

        found: dict[str, Any] = waited(look)
        return found

    def own(self, act: str, value: str = "") -> Answer:
        """Do what the owner may do."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("owner", f"/owner/{act}", "POST", f"value={value}", form)

    def standings(self, who: str = "owner") -> dict[str, Any]:
        """Return what a new event tells of the standings."""
        head = "GET /standings/events HTTP/1.1\r\nHost: localhost\r\n"
        token = f"Authorization: Bearer {self.tokens[who]}\r\n\r\n"
        with self.served.connect((head + token).encode()) as connection:
            text = b""
            while not (found := re.search(rb"data: (.*)\n\n", text)):
                part = connection.recv(65_536)
                assert part, text
                text += part
        told: dict[str, Any] = json.loads(found[1])
        return told


def waited(look: Callable[[], Any], seconds: float = 4 * PATIENCE) -> Any:
    """Return what a function finds once it finds something."""
    end = time.monotonic() + seconds
    while (found := look()) is None:
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.2)
    return found


def prepare(folder: Path, more: str = "", file: str = FILE) -> None:
    """Write the files of a contest."""
    (folder / "contest.toml").write_text(file + more)
    (folder / "names.txt").write_text("\n".join(ENTRANTS))


@contextmanager
def contest(folder: Path, *arguments: str, **limits: Any) -> Iterator[Contest]:
    """Serve the contest of a folder."""
    words = ["--contest", "contest.toml", "--tokens", "names.txt", *arguments]
    with serving(*words, cwd=folder, **limits) as served:
        yield Contest(served, folder)
