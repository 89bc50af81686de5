"""A move of a player in a process of its own against a bare ping-pong over two pipes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import arena
from arena.game import Game, Side
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue
from arena.rng import Stream
from arena.sandbox.choice import TIERS
from arena.sandbox.cores import bind, one_core, usable
from arena.sandbox.players import isolated, program_player
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire.json_lines import COMMAND
from benchmarks.isolation import PROGRAM, available, python
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import minima

#: The time that an isolated move may take, in ping-pongs on one core with stop and continue.
BAR = Bar(Sign.AT_MOST, 3)

#: Moves in a batch: more than in most games, and so few that some batches fall between what else
#: the machine does.
BATCH = 100

#: Answers whatever it reads with the same.
_ECHO = "import os\nwhile said := os.read({}, 1 << 16): os.write({}, said)"

#: A bot that is a server.
SERVER = str(Path(__file__).parents[1] / "examples" / "http" / "any_move.py")

_BARE = "ping-pong over two pipes"


def rows(quick: bool) -> list[Row]:
    """Ping-pongs on one core and across two, and moves in every tier."""
    rounds = 5 if quick else 300
    catalogue = load_catalogue()
    monkey, game = catalogue.player("monkey"), catalogue.game("tictactoe")
    tiers = list(available())
    players = {
        f"a move of monkey in tier {t}": isolated(monkey, PlayerLimits(tier=t)) for t in tiers
    }
    for tier in tiers:
        program = program_player(
            f"cmd:{python()} {PROGRAM}", PlayerLimits(tier=tier, processes=1), COMMAND
        )
        players[f"a move of a Python program in tier {tier}"] = program
    with one_core(), _Echo() as echo:
        works = [echo.play, echo.play_stopped, *(_moves(game, p) for p in players.values())]
        bare, stopped, *moves = (seconds / BATCH for seconds in minima(works, rounds))
    ours = len(tiers)
    return [
        _across(bare, rounds),
        cost(f"{_BARE} on one core, with stop and continue: time against without", stopped, bare),
        *(
            cost(f"{name}: time against the {_BARE} with these", s, stopped, bar)
            for name, s, bar in zip(players, moves, [BAR] * ours + [None] * ours, strict=True)
        ),
        _over_http(game, rounds),
        *(
            skipped(f"a move of monkey in tier {tier}", "the tier is not available", BAR)
            for tier in TIERS
            if tier not in tiers
        ),
    ]


class _Echo:
    """A process that answers everything with the same, where the one is that asks."""

    def __init__(self) -> None:
        theirs, self._to = os.pipe()
        self._answers, back = os.pipe()
        code = _ECHO.format(theirs, back)
        self._process = subprocess.Popen([sys.executable, "-c", code], pass_fds=(theirs, back))
        os.close(theirs)
        os.close(back)
        self.pid = self._process.pid
        self.play()

    def __enter__(self) -> _Echo:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._to)
        os.close(self._answers)
        self._process.kill()
        self._process.wait()

    def play(self) -> None:
        """Ask and have answered, again and again."""
        to, answers, write, read = self._to, self._answers, os.write, os.read
        for _ in range(BATCH):
            write(to, b"a question")
            read(answers, 1 << 16)

    def play_stopped(self) -> None:
        """Play the same, with the other stopped meanwhile."""
        to, answers, write, read = self._to, self._answers, os.write, os.read
        pid, kill, stop, go = self.pid, os.kill, signal.SIGSTOP, signal.SIGCONT
        kill(pid, stop)
        for _ in range(BATCH):
            kill(pid, go)
            write(to, b"a question")
            read(answers, 1 << 16)
            kill(pid, stop)
        kill(pid, go)


def _across(bare: float, rounds: int) -> Row:
    """Measure the ping-pong with the other on the next core, where all cores may be used."""
    work = f"{_BARE} across two cores: time against one core"
    everywhere = usable()
    if len(everywhere) < 2:
        return skipped(work, "there are no two cores to choose from")
    with _Echo() as echo, one_core():
        bind(echo.pid, everywhere - usable())
        [seconds] = minima([echo.play], rounds)
    return cost(work, seconds / BATCH, bare)


def _over_http(game: Game, rounds: int) -> Row:
    """Measure a bot that is a server against a program, where all cores may be used."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, SERVER, str(port)]) as server:
        try:
            _await_server(port)
            bot = arena.get_player(f"http://127.0.0.1:{port}")
            program = program_player(f"cmd:{python()} {PROGRAM}", PlayerLimits(), COMMAND)
            works = [_moves(game, player) for player in (bot, program)]
            http, pipes = (seconds / BATCH for seconds in minima(works, rounds))
        finally:
            server.kill()
    return cost("a move of an HTTP bot here: time against that of a Python program", http, pipes)


def _await_server(port: int) -> None:
    """Wait until a server listens, for ten seconds at most."""
    for _ in range(100):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)
    raise SystemExit(f"no server listens at port {port}")


def _moves(game: Game, player: PlayerInfo) -> Callable[[], None]:
    """Ask at one position again and again, so that only the conversation takes time."""
    assert player.remote is not None
    seat, position = player.remote(), game.start()
    seat.start(game, Side.FIRST, Stream())

    def play() -> None:
        for _ in range(BATCH):
            seat.choose(position)

    return play
