"""Real servers with volunteers: honest ones as processes, and hostile ones that a test plays."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import arena
from arena.errors import ArenaError, KeptForLater
from arena.model.codec import encode
from arena.records.base import Json
from arena.volunteers.channel import HttpLine
from arena.volunteers.worker import PartLease, PlayPart
from benchmarks.serving import PATIENCE, Served, serving


def begin(store: Path, players: Sequence[str], n: int, **options: Any) -> None:
    """Begin a tournament in a store, and play none of it."""
    with suppress(KeptForLater):
        arena.tournament(players, n=n, seed=5, store=store, executor="later", **options)


def games_of(store: Path) -> list[tuple[Any, ...]]:
    """Return all that a store has of its games, but for seconds."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(
            "SELECT fight, pair, half, moves, outcome, forfeit_side, reason, message, note, payoffs"
            " FROM games ORDER BY run, fight, pair, half"
        ).fetchall()


def rows(store: Path, query: str) -> list[tuple[Any, ...]]:
    """Return what a query finds."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(query).fetchall()


def is_complete(store: Path) -> bool:
    """Return whether all runs of a store are complete."""
    with suppress(sqlite3.OperationalError):
        return not rows(store, "SELECT id FROM runs WHERE finished IS NULL")
    return False


class Site:
    """A server with a store, and the tokens of its volunteers."""

    def __init__(self, served: Served, tokens: dict[str, str]) -> None:
        self.served, self.tokens = served, tokens

    def line(self, name: str) -> HttpLine:
        """Return the line of a volunteer."""
        return HttpLine(self.served.url, self.tokens[name])

    def volunteer(self, name: str, *words: str) -> subprocess.Popen[str]:
        """Start a volunteer as a user does."""
        command = [sys.executable, "-m", "arena", "work", self.served.url, "-j", "1", *words]
        return subprocess.Popen(
            command,
            env={"ARENA_TOKEN": self.tokens[name], "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@contextmanager
def site(
    folder: Path, names: Sequence[str], *words: str, store: str = "s.db", audit: float = 0.1
) -> Iterator[Site]:
    """Serve a store of this folder to volunteers of these names."""
    file = folder / "tokens.txt"
    if not file.exists():
        file.write_text("".join(f"{name}\n" for name in names))
    workers = ("--workers", file, "--audit", str(audit))
    with serving(store, *workers, *words, cwd=folder) as served:
        lines = [line.split() for line in file.read_text().splitlines()]
        try:
            yield Site(served, dict(lines))
        finally:
            end(served.process)


def end(process: subprocess.Popen[str]) -> None:
    """End a process as Ctrl-C does, so that it ends those that it began."""
    process.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)


@contextmanager
def volunteers(at: Site, names: Sequence[str]) -> Iterator[list[subprocess.Popen[str]]]:
    """Start volunteers, and end them."""
    started = [at.volunteer(name) for name in names]
    try:
        yield started
    finally:
        for process in started:
            process.send_signal(signal.SIGINT)
        for process in started:
            process.communicate(timeout=PATIENCE)


class Hostile:
    """A volunteer that plays as it likes: ``answer`` returns the pairs that it delivers."""

    def __init__(self, line: HttpLine, folder: Path, answer: Callable[[Json, Any], Any]) -> None:
        self._line, self._folder, self._answer = line, folder, answer
        self._head: Json = {}
        self.over = Event()
        #: Why the server plays with it no more, and how many parts it delivered.
        self.refused, self.parts = "", 0
        #: How many parts it was given.
        self.held = 0
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Hostile:
        self._folder.mkdir(exist_ok=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        digest = ""
        while not self.over.is_set():
            try:
                facts = self._head.get("facts", {})
                message = {"kind": "ask", "head": digest, "facts": facts}
                answer = self._line.ask(message)
                if "head" in answer:
                    run = self._line.ask({"kind": "head"})
                    digest, self._head = run["head"], run["run"]
                elif "lease" in answer:
                    self._play(answer)
                else:
                    time.sleep(0.05)
            except arena.UsageError as error:
                self.refused = str(error)
                return
            except ArenaError:
                time.sleep(0.2)

    def _play(self, taken: Json) -> None:
        self.held += 1
        part = json.dumps(taken["part"])
        played = PlayPart(str(self._folder))(PartLease("", json.dumps(self._head), part))
        pairs = self._answer(taken["part"], encode(played))
        if pairs is None:
            return
        self.parts += 1
        self._line.ask({"kind": "done", "lease": taken["lease"], "pairs": pairs})


def forging(every: int) -> Callable[[Json, Any], Any]:
    """Return what delivers another game than was played in one of so many parts."""
    count = 0

    def answer(part: Json, pairs: Any) -> Any:
        nonlocal count
        if part["start"] == 1:
            return pairs
        count += 1
        if count % every == every // 2:
            pairs[0][1].reverse()  # games that the rules allow, which nobody played so
        return pairs

    return answer


def complete(store: Path, seconds: float = 150) -> bool:
    """Wait until a store is complete. It looks seldom, for who reads keeps a writer waiting."""
    end_at = time.monotonic() + seconds
    while not is_complete(store):
        if time.monotonic() > end_at:
            return False
        time.sleep(0.5)
    return True
