"""The rogues as a referee sees them: what each is to lose by, and games against an honest player.

``python gallery.py FILE TIER`` plays all that are for a tier, and prints what was found. It needs
nothing but arena, so that other users can run it.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import VoidGame
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.rng import Stream
from arena.sandbox.choice import TIERS
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits, Spec

#: Seconds for a move and for a game, and what a verdict may take longer.
MOVE, GAME, SLACK = 0.15, 0.25, 0.05

#: Times that a game is played again which the machine disturbed.
TRIES = 5

OK = "ok"
EVERYWHERE = {
    "none": "illegal",
    "too_great": "illegal",
    "negative": "illegal",
    "taken": "illegal",
    "text": "illegal",
    "a_float": "illegal",
    "nan": "illegal",
    "a_bool": "illegal",
    "numpy_like": OK,
    "subclass": "illegal crash",
    "lookalike": "illegal",
    "index_hangs": "timeout",
    "index_exits": "illegal",
    "huge_int": "illegal",
    "huge_list": "illegal",
    "coroutine": "illegal",
    "generator": "illegal",
    "mutates": "illegal",
    "raises": "exception",
    "exits": "exception",
    "interrupts": "exception",
    "base": "exception",
    "generator_exit": "exception",
    "surrogates": "exception",
    "unprintable": "exception",
    "message_hangs": "timeout",
    "message_is_long": "exception timeout",
    "name_is_long": "exception protocol",
    "recursion": "exception",
    "hangs": "timeout",
    "hangs_in_c": "timeout",
    "sleeps": "timeout",
    "blocks_signals": "timeout",
    "handles_signals": "timeout",
    "excepts": "timeout",
    "exits_0": "crash",
    "exits_1": "crash",
    "segfaults": "crash",
    "aborts": "crash",
    "closes_all": "crash",
    "slow": "budget",
    "SlowStart": "timeout",
    "SlowObserver": "timeout",
    "many_threads": "timeout",
    "deep_memory": "timeout exception crash",
    "nested": "timeout crash exception",
    "gulp": "exception",
    "leaks_descriptors": "exception",
    "threads": OK,
    "prints_much": "ok timeout",
    "prints_escapes": OK,
    "prints_forever": "timeout",
    "junk": "protocol",
    "endless": "protocol",
    "half": "timeout",
    "drips": "timeout",
    "forges": "protocol",
    "closes_output": OK,
    "closes_output_and_raises": "exception crash",
    "tampers": "ok illegal exception",
    "leaves_threads": OK,
    "hangs_at_exit": OK,
    "raises_limits": "exception",
    "looks_for_the_opponent": "exception",
    "reads_environment": "exception",
}
#: What the weakest tier lets through is in the first column.
BY_TIER = {
    "kills_itself": ("crash", "crash exception", "crash"),
    "stops": ("timeout", "timeout exception", "timeout"),
    "zombies": (OK, OK, OK),
    "reads_passwords": (OK, "exception", "exception"),
    "reads_parents_memory": ("ok exception", "exception", "exception"),
    "signals_parent": (OK, "exception", "exception ok"),  # in a namespace of its own
    "overwrites_itself": ("", "exception", "exception"),
    "reads_neighbour": (OK, "exception", "exception"),
    "runs_a_shell": ("crash", "exception", "exception crash"),
    "connects": ("", "exception", "exception"),
    "sends": ("", "exception", "exception ok"),
    "escapes": ("", "exception", "exception"),
    "forks": (OK, OK, OK),
    "shared_memory": ("", OK, OK),
    "maps_a_device": ("", "exception", "exception"),
    "daemonises": ("", "exception", "exception"),
    "fills_the_disk": ("", "exception", "exception"),
    "leaves_files": ("", "exception", "exception"),
    "plants_code": ("", "exception", "exception"),
}


class Judged(NamedTuple):
    """How a rogue's game ended, and how much later than its limit."""

    record: GameRecord
    late: float

    @property
    def reason(self) -> str:
        """Why the rogue lost; ``ok`` if it played on."""
        return self.record.forfeit.reason if self.record.forfeit else OK


def verdicts(tier: str) -> dict[str, str]:
    """Return the verdicts that each rogue may get in a tier, but for those that are not for it."""
    column = list(TIERS).index(tier)
    own = {name: verdicts[column] for name, verdicts in BY_TIER.items() if verdicts[column]}
    return EVERYWHERE | own


def write_players(file: Path, port: int = 9) -> str:
    """Write all rogues into one file, without what its halves import of each other."""
    halves = [Path(__file__).with_name(name).read_text() for name in ("answers.py", "acts.py")]
    text = re.sub("^from (tests|__future__).*\n", "", "\n".join(halves), flags=re.MULTILINE)
    text += f"# port {port}\n"
    file.write_text(text)
    return text


def last(position: Any, rng: random.Random) -> int:
    """Play as the honest opponent, which plays here."""
    legal: tuple[int, ...] = position.legal_moves()
    return legal[-1]


HONEST = PlayerInfo("honest", last)


def python_player(file: Path, function: str, tier: str, **options: Any) -> PlayerInfo:
    """As ``file_player``, without asking what it is."""
    limits = {"move_time": MOVE, "game_time": GAME, "import_time": 10, "memory": 256, **options}
    remote = Remote(Spec(function, file=f"{file}:{function}"), PlayerLimits(tier=tier, **limits))
    return PlayerInfo(function, remote, stateless=False, remote=remote)


def play(catalogue: Catalogue, first: PlayerInfo, second: PlayerInfo = HONEST) -> GameRecord:
    """Return a game of tic-tac-toe."""
    return play_game(catalogue.game("tictactoe"), (first, second), "x", (Stream(), Stream()))


def judge(catalogue: Catalogue, player: PlayerInfo) -> Judged:
    """Return a game that the machine did not disturb, or else the last of several."""
    assert isinstance(player.remote, Remote)
    for tries in range(TRIES):
        try:
            result, disturbed = _judge(catalogue, player, player.remote)
        except VoidGame:
            if tries == TRIES - 1:
                raise
        else:
            if result.late <= SLACK:
                return result
        time.sleep(0.1 * tries)
    return result._replace(late=result.late - disturbed)


def _judge(catalogue: Catalogue, player: PlayerInfo, remote: Remote) -> tuple[Judged, float]:
    """Return a game, and how many seconds of it somebody waited for a processor."""
    remote.give_back(remote.take())  # how long a start takes is not judged
    begun, waited = time.monotonic(), _waited()
    record = play(catalogue, player)
    seconds, disturbed = time.monotonic() - begun, _waited() - waited
    if record.forfeit and (
        match := re.search("not counting ([0-9.]+) s of", record.forfeit.message)
    ):
        disturbed += float(match[1])
    limit = GAME if record.forfeit and record.forfeit.reason == "budget" else MOVE
    return Judged(record, seconds - limit), disturbed


def _waited() -> float:
    return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9


def memory() -> float:
    """MiB that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def descriptors() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))


def _all(file: Path, tier: str) -> Iterator[dict[str, object]]:
    catalogue = load_catalogue()
    for name in verdicts(tier):
        before = descriptors()
        player = python_player(file, name, tier)
        judged = judge(catalogue, player)
        assert isinstance(player.remote, Remote)
        player.remote.close()
        remaining = descriptors() - before
        yield {
            "name": name,
            "reason": judged.reason,
            "late": judged.late,
            "left": remaining,
            "memory": memory(),
            "forfeit": str(judged.record.forfeit),
        }


if __name__ == "__main__":
    assert os.geteuid() != 0
    print(json.dumps(list(_all(Path(sys.argv[1]), sys.argv[2]))))
