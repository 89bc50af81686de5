"""Measure the cost of isolation: for a player's moves, and for its start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from arena.errors import UsageError
from arena.features.check.players import check_player
from arena.features.check.questions import set_exam
from arena.game import Game, Outcome, Side
from arena.match import play_game
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue
from arena.rng import Stream
from arena.sandbox.choice import TIERS, choose_tier
from arena.sandbox.cores import one_core
from arena.sandbox.players import isolated, program_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire.json_lines import COMMAND
from benchmarks.table import Row, cost, skipped
from benchmarks.timing import minima

PROGRAM = Path(__file__).parent.parent / "examples" / "programs" / "any_move.py"


def rows(quick: bool) -> list[Row]:
    """Measure games of an isolated monkey against games here, and starts against bare ones."""
    games, rounds = (20, 1) if quick else (200, 5)
    catalogue = load_catalogue()
    monkey, game = catalogue.player("monkey"), catalogue.game("tictactoe")
    tiers = list(available())
    players = {f"monkey in tier {t}, frames": isolated(monkey, PlayerLimits(tier=t)) for t in tiers}
    command = f"cmd:{python()} {PROGRAM}"
    for tier in tiers:
        program = program_player(command, PlayerLimits(tier=tier), COMMAND)
        players[f"Python program in tier {tier}, JSON lines"] = program
    works = [partial(_play, game, player, monkey, games) for player in (monkey, *players.values())]
    asked = [partial(_ask, game, player, 10 * games) for player in players.values()]
    with one_core():
        bare, *times = minima(works, rounds)
        here, *answers = minima([partial(_choose, game, monkey, 10 * games), *asked], rounds)
    apart = [isolated(monkey, PlayerLimits(tier=tier)) for tier in tiers]
    checks = [partial(_check, game, player, 2 * games) for player in (monkey, *apart)]
    check, *checked = minima(checks, rounds)
    starts: list[Callable[[], object]] = [_bare, *(partial(_start, monkey, tier) for tier in tiers)]
    interpreter, *started = minima(starts, rounds)
    return [
        *(
            cost(f"{name}: a move, against a call", s / (10 * games), here / (10 * games))
            for name, s in zip(players, answers, strict=True)
        ),
        *(
            cost(f"{name}, {2 * games} games: time against monkey in this process", seconds, bare)
            for name, seconds in zip(players, times, strict=True)
        ),
        *(
            cost(f"arena check of monkey in tier {tier}: time against one without", s, check)
            for tier, s in zip(tiers, checked, strict=True)
        ),
        *(
            cost(f"start of monkey in tier {tier}: time against `import numpy`", s, interpreter)
            for tier, s in zip(tiers, started, strict=True)
        ),
        *(skipped(f"monkey in tier {t}", "it is not available") for t in TIERS if t not in tiers),
    ]


def python() -> str:
    """Return an interpreter that every tier lets programs have, the system's if there is one."""
    return "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


def available() -> Iterator[str]:
    """Return the tiers that work here."""
    for tier in TIERS:
        try:
            choose_tier(tier)
        except UsageError:
            continue
        yield tier


def _check(game: Game, player: PlayerInfo, positions: int) -> None:
    report = check_player(set_exam(player, game, 1, positions, 60.0))
    assert report.conforms


def _play(game: Game, player: PlayerInfo, opponent: PlayerInfo, games: int) -> None:
    streams = (Stream(), Stream())
    for number in range(games):
        play_game(game, (player, opponent), f"benchmark/{number}.1", streams)
        play_game(game, (opponent, player), f"benchmark/{number}.2", streams)


def _choose(game: Game, player: PlayerInfo, times: int) -> None:
    position, stream = game.start(), Stream()
    for _ in range(times):
        player.player(position, stream)


def _ask(game: Game, player: PlayerInfo, times: int) -> None:
    """Ask at the same position again and again, so that only the conversation takes time."""
    assert player.remote is not None
    seat, position = player.remote(), game.start()
    seat.start(game, Side.FIRST, Stream())
    for _ in range(times):
        seat.choose(position)
    seat.finish(Outcome.DRAW)


def _bare() -> None:
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)


def _start(player: PlayerInfo, tier: str) -> None:
    remote = isolated(player, PlayerLimits(tier=tier)).remote
    assert isinstance(remote, Remote)
    remote.take().end()
