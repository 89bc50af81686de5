"""Hold a contest through HTTP, end its server thrice, and play the last hand-ins once more.

``python -m benchmarks.contest [--entrants 60] [--minutes 10] [--pairs 4] [--seed 1]``

Sixty entrants of ten kinds hand in over ten minutes, at times that the seed draws. What the server
shows in the end must be, to the byte, the tournament of the same files with the same seed.
"""

from __future__ import annotations

import csv
import ctypes
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.entrants import GAME, PASSING, Entrant, entrants

ROOT = Path(__file__).parent.parent

FILE = f"""
game = "{GAME}"
players = ["monkey"]
pairs = {{pairs}}

[hand-ins]
public = true
"""
STORE = "contest.db"

#: Seconds for an answer, for a start of the server, and for what is left when all have handed in.
ANSWER, START, REST = 60, 60, 3600

#: From <sys/prctl.h>: children of a child that has ended become those of this process, so their
#: processor time is known.
PR_SET_CHILD_SUBREAPER = 36

#: How the server ends at the quarters of the time: it is killed, restarted, and killed again.
ENDS = (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)


@dataclass
class Held:
    """The outcome of a contest."""

    entrants: int
    minutes: float
    #: How often the server was killed, and how often it was told to end; it was started again.
    kills: int = 0
    restarts: int = 0
    hand_ins: int = 0
    #: How many hand-ins there are in each state at the end.
    states: Counter[str] = field(default_factory=Counter)
    games: int = 0
    #: The slowest answer to a hand-in while the server ran, in seconds.
    slowest: float = 0.0
    #: Seconds from the last hand-in until every game was played.
    rest: float = 0.0
    #: Processor time of the server, of checks and of players, in seconds.
    computed: float = 0.0
    #: Names of entrants whose last file should play and does not, or the other way round.
    wrong: tuple[str, ...] = ()
    #: Whether the command line played the same result, to the byte, but for who has left.
    same: bool = False


class Server:
    """The server of a contest, which may be ended and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it serves."""
        words = ["serve", STORE, "--contest", "contest.toml", "--tokens", "names.txt"]
        command = [sys.executable, "-m", "arena", *words, "--port", str(self.port)]
        with (self._folder / "server.log").open("a") as log:
            process = subprocess.Popen(
                command, cwd=self._folder, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self._process = process
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.match(r"Serving http://[^ ]*:(\d+)/", line):
                self.port = int(found[1])
                return
        raise SystemExit((self._folder / "server.log").read_text() or "the server did not start")

    def end(self, number: int) -> None:
        """Send it a signal, and wait for its end."""
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait()

    def ask(
        self, token: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> Any:
        """Return the open answer to a request."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body)
        for name, value in {"Authorization": f"Bearer {token}", **headers}.items():
            request.add_header(name, value)
        return urllib.request.urlopen(request, timeout=ANSWER)


def hold(count: int, minutes: float, pairs: int, seed: int, folder: Path) -> Held:
    """Hold a contest in an empty folder, and return what it came to."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    everybody = entrants(count)
    held = Held(count, minutes)
    (folder / "contest.toml").write_text(FILE.format(pairs=pairs))
    (folder / "names.txt").write_text("\n".join(each.name for each in everybody))
    server = Server(folder)
    server.start()
    with (folder / "tokens.csv").open(newline="") as file:
        tokens = {row["name"]: row["token"] for row in csv.DictReader(file)}
    server.ask(tokens["owner"], "/owner/start", b"").close()
    with _restarted(server, minutes, held):
        _hand_in(everybody, tokens, server, minutes, seed, held)
    ended = time.monotonic()
    _await_end(server, tokens["owner"])
    held.rest = time.monotonic() - ended
    server.end(signal.SIGTERM)
    held.computed = _computed()
    _compare(folder, everybody, held)
    return held


def _hand_in(
    everybody: list[Entrant],
    tokens: Mapping[str, str],
    server: Server,
    minutes: float,
    seed: int,
    held: Held,
) -> None:
    """Hand in everything, at its time."""
    rng = random.Random(seed)
    times = {each: sorted(rng.random() * minutes * 60 for _ in each.files) for each in everybody}
    planned = [(t, e, f) for e in everybody for t, f in zip(times[e], e.files, strict=True)]
    began = time.monotonic()
    for when, entrant, content in sorted(planned):
        time.sleep(max(0.0, began + when - time.monotonic()))
        _sent(server, tokens[entrant.name], content, held)


def _sent(server: Server, token: str, content: bytes, held: Held) -> None:
    """Hand in a file; again if the server ended meanwhile."""
    end = time.monotonic() + START
    while True:
        asked = time.monotonic()
        try:
            server.ask(token, "/hand-ins", content, {"X-File-Name": "bot.py"}).close()
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            held.hand_ins += 1
            held.slowest = max(held.slowest, time.monotonic() - asked)
            return


@contextmanager
def _restarted(server: Server, minutes: float, held: Held) -> Iterator[None]:
    """End the server after every quarter of the time, and start it again."""
    over = threading.Event()

    def restart() -> None:
        for number in ENDS:
            over.wait(minutes * 60 / (len(ENDS) + 1))
            server.end(number)
            server.start()
            held.kills += number == signal.SIGKILL
            held.restarts += number != signal.SIGKILL

    restarting = threading.Thread(target=restart)
    restarting.start()
    try:
        yield
    finally:
        over.set()
        restarting.join()


def _await_end(server: Server, token: str) -> None:
    """Wait until every hand-in is checked and every game is played."""
    end = time.monotonic() + REST
    while time.monotonic() < end:
        with server.ask(token, "/standings/events") as events:
            for line in events:
                if line.startswith(b"data: "):
                    found = json.loads(line[6:])
                    break
        if found["play"] == "complete" and not found["waiting"] and not found["new"]:
            return
        time.sleep(1)
    raise SystemExit(f"the contest does not end: {found}")


def _computed() -> float:
    """Return the processor time of all that was started, once all of it has ended."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        used = getrusage(RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def _compare(folder: Path, everybody: list[Entrant], held: Held) -> None:
    """Play the last hand-ins by the command line, and note whether the result is the same."""
    import arena

    with _within(folder):
        contest = arena.plugin.open_contest("contest.toml", STORE)
        held.states = Counter(each.state for each in contest.hand_ins())
        ranked = contest.ranked()
        files = {name: str(contest.laid_out(last).player) for name, last in ranked.items()}
        [run] = arena.stored_runs(STORE).rows
    held.games = run["played"]
    rightly = {each.name for each in everybody if each.kind in PASSING}
    held.wrong = tuple(sorted(rightly ^ set(ranked)))
    shown = json.loads(_printed(folder, "show", STORE, "--format", "json"))
    shown["left_out"] = []  # who has left is in the store alone
    seats = dict.fromkeys(name for fight in shown["fights"] for name in fight["players"])
    players = [f"{name}={files[name]}" for name in seats if name in files]
    words = ["tournament", "contest.toml", *players, "--until", "order", "--engine", "calls"]
    again = _printed(folder, *words, "--seed", str(run["seed"]), "--format", "json")
    held.same = json.dumps(json.loads(again)) == json.dumps(shown)


def _printed(folder: Path, *words: str) -> bytes:
    command = [sys.executable, "-m", "arena", *words]
    ran = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE)
    if ran.returncode not in (0, 3):  # 3: too few games to be sure of the order
        raise SystemExit(f"arena {words[0]} ended with exit code {ran.returncode}")
    return ran.stdout


@contextmanager
def _within(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def main() -> int:
    """Hold a contest and print what it came to; 1 if it is not what it should be."""
    parser = ArgumentParser(prog="python -m benchmarks.contest", description=hold.__doc__)
    parser.add_argument("--entrants", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="contest-") as folder:
        held = hold(asked.entrants, asked.minutes, asked.pairs, asked.seed, Path(folder))
    for name, value in vars(held).items():
        print(f"{name}: {value:.1f}" if isinstance(value, float) else f"{name}: {value}")
    ended = held.kills + held.restarts == len(ENDS)
    return 0 if held.same and not held.wrong and ended else 1


if __name__ == "__main__":
    sys.exit(main())
