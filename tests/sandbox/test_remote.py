"""Players in processes of their own, as the arena sees them: the same players, only apart."""

from __future__ import annotations

import errno
import gc
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from arena import api, clock
from arena.errors import (
    CannotEnumerate,
    Forfeited,
    PlayerFault,
    PlayerFileError,
    Spoilt,
    Withdrawn,
)
from arena.game import Side
from arena.match import play_game
from arena.match.record import UNMEASURED, GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.distribution import distribution
from arena.rng import Stream
from arena.sandbox.fairness import Turns, Used
from arena.sandbox.family import Family
from arena.sandbox.players import file_player, isolated, program_player
from arena.sandbox.pool import MAX_STARTS
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Isolation, PlayerLimits, Spec
from arena.sandbox.wire.json_lines import COMMAND
from arena.sandbox.wire.languages import FRAMES
from tests import needs
from tests.processes import command_lines, wait_until
from tests.samples import few

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
ISOLATION = PlayerLimits(move_time=5, game_time=20, import_time=20, memory=256)

Make = Callable[..., PlayerInfo]


@pytest.fixture
def made() -> Iterator[Make]:
    """Make a player that has a process, which is ended with the test; no descriptor is left."""
    before = len(os.listdir("/proc/self/fd"))
    players: list[PlayerInfo] = []

    def make(what: str | PlayerInfo, **limits: Any) -> PlayerInfo:
        isolation = replace(ISOLATION, **limits)
        if isinstance(what, PlayerInfo):
            player = isolated(what, isolation)
        elif what.startswith("cmd:"):
            player = program_player(what, isolation, COMMAND)
        else:
            player = file_player(what, isolation, what)
        players.append(player)
        return player

    yield make
    for player in players:
        remote_of(player).close()
    assert len(os.listdir("/proc/self/fd")) == before


def remote_of(player: PlayerInfo) -> Remote:
    assert isinstance(player.remote, Remote)
    return player.remote


def play(
    catalogue: Catalogue, first: PlayerInfo, second: PlayerInfo, name: str = "x"
) -> GameRecord:
    record = play_game(catalogue.game("tictactoe"), (first, second), name, (Stream(), Stream()))
    return record._replace(took=UNMEASURED)  # the only part that is not the same every time


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return str(file)


@pytest.mark.slow
def test_the_same_games_are_played_here_and_apart(catalogue: Catalogue, made: Make) -> None:
    game = catalogue.game("tictactoe")
    here = [info for _, info in catalogue.players if info.plays(game)]
    files = ["first_free.py", "two_players.py:greedy", "remembers.py"]
    local = catalogue.isolated(Isolation(tier="none"))
    here += [local.player(str(BOTS / name)) for name in files]
    apart = [made(info) for info in here[:-3]] + [made(str(BOTS / name)) for name in files]
    monkey = catalogue.player("monkey")
    for info, other in zip(here, apart, strict=True):
        for n in range(6):
            pair, twin = [(info, monkey), (monkey, info)][n % 2], [(other, monkey), (monkey, other)]
            assert play(catalogue, *twin[n % 2], f"{n}") == play(catalogue, *pair, f"{n}"), info
    assert len(here) >= 10


def test_two_of_them_play_each_other(catalogue: Catalogue, made: Make) -> None:
    a, b = made(catalogue.player("monkey")), made(str(BOTS / "remembers.py"))
    for n in range(3):
        assert play(catalogue, a, b, str(n)).forfeit is None
    twin = play(catalogue, a, a, "x")  # with itself it needs two processes
    monkey = catalogue.player("monkey")
    assert twin._replace(took=UNMEASURED) == play(catalogue, monkey, monkey, "x")


@pytest.mark.slow
def test_what_is_enumerated_is_the_same(catalogue: Catalogue, made: Make) -> None:
    game = catalogue.game("tictactoe")
    positions = [game.parse(text) for text in ("_________", "xo_______", "xox_o____")]
    names = ["monkey", "triples", "tictactoe3"]
    for name in names:
        info = catalogue.player(name)
        apart = made(info)
        for position in positions:
            assert distribution(apart, position) == distribution(info, position)
    file = made(str(BOTS / "two_players.py:lowest"))
    assert sorted(map(str, distribution(file, positions[0]).values())) == ["1/2", "1/2"]


@pytest.mark.slow
def test_proofs_are_the_same(catalogue: Catalogue, made: Make) -> None:
    triples, monkey = catalogue.player("triples"), catalogue.player("monkey")
    apart = made(triples)
    assert api.certify(apart, seed=1).as_json() == api.certify(triples, seed=1).as_json()
    there, here = api.exact(apart, monkey), api.exact(triples, monkey)
    assert (there.first, there.second) == (here.first, here.second)


@pytest.mark.slow
def test_what_cannot_be_enumerated_says_why(
    catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    start = catalogue.game("tictactoe").start()
    with pytest.raises(CannotEnumerate, match="keeps state"):
        distribution(made(str(BOTS / "remembers.py")), start)
    floats = made(written(tmp_path, "def choose(p, rng): return int(rng.random())", "f.py"))
    with pytest.raises(CannotEnumerate, match="draws a float"):
        distribution(floats, start)
    raises = made(written(tmp_path, "def choose(p, rng): 1 / 0", "r.py"))
    with pytest.raises(PlayerFault, match="ZeroDivisionError"):
        distribution(raises, start)
    exits = made(written(tmp_path, "import os\ndef choose(p, rng): os._exit(4)", "e.py"))
    with pytest.raises(PlayerFault, match="ended with exit code 4"):
        distribution(exits, start)


FORGED = """
import os
SAID = b'%s'
for n in range(3, 64):
    try:
        os.write(n, len(SAID).to_bytes(4, 'little') + bytes(4) + SAID)
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "ZeroDivisionError in line 1"),
        ("def choose(", "SyntaxError in line 1"),
        ("import nothing_of_that_name", "ModuleNotFoundError in line 1"),
        ("raise SystemExit(0)", "SystemExit in line 1"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import os; os._exit(0)", "not loaded: ended with exit code 0"),
        ("import os; os.write(2, b'so long\\n'); os.abort()", "the last that it printed: so long"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
        ("x = 1", "no function choose"),
        (
            "class Bot:\n def start(self): pass",
            "the class has no choose: inherit arena.StatefulPlayer",
        ),
        (FORGED % "x", "wrote 'x', which is not a JSON object"),
        (FORGED % "[1]", r"wrote '\[1\]', which is not a JSON object"),
        (FORGED % '{"failed": [1]}', "no reason"),
        ("raise type('\\x1b[2J', (Exception,), {})('\\x1b[31m' + 'x' * 10**6)", r"\\x1b\[2J"),
    ],
)
def test_what_does_not_load_says_why(text: str, message: str, made: Make, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises((PlayerFileError, PlayerFault), match=message) as caught:
        made(file)
    ends_its_process = any(f"os.{end}(" in text for end in ("_exit", "abort", "kill"))
    assert isinstance(caught.value, PlayerFault) == ends_its_process
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_loading_has_a_limit_of_its_own(made: Make, tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(PlayerFileError, match=r"not loaded within 0\.5 seconds"):
        made(written(tmp_path, "import time; time.sleep(60)"), import_time=0.5)
    assert time.monotonic() - begun < 30


def test_what_it_says_of_itself_is_fit_to_be_shown(made: Make, tmp_path: Path) -> None:
    doc = r"'\x1b[2J' + 'x' * 10000"
    text = f"def choose(p, rng): return 0\nchoose.__doc__ = {doc}\n"
    player = made(written(tmp_path, text))
    assert player.summary.startswith(r"\x1b[2Jxxx")
    assert len(player.summary) < 300
    nested = '{"ready": 1, "summary": ' + "[" * 500 + "]" * 500 + "}"
    assert made(written(tmp_path, FORGED % nested, "forged.py")).summary == ""


def test_who_cannot_be_started_is_withdrawn(catalogue: Catalogue, tmp_path: Path) -> None:
    isolation = replace(ISOLATION, tier="process")
    remote = Remote(Spec("bot", file=written(tmp_path, "1 / 0")), isolation)
    player = PlayerInfo("bot", remote, stateless=False, remote=remote)
    with patch.object(remote, "start", wraps=remote.start) as start:
        for _ in range(2):
            with pytest.raises(Withdrawn, match=r"^bot cannot be started: .*ZeroDivisionError"):
                play(catalogue, player, catalogue.player("monkey"))
    assert start.call_count == MAX_STARTS  # and no more for the second game


def test_who_comes_late_forfeits_that_game_alone(catalogue: Catalogue, tmp_path: Path) -> None:
    lines = (BOTS / "first_free.py").read_text()
    mark = tmp_path / "mark"
    late = f"import pathlib\nmark = pathlib.Path({str(mark)!r})\n"
    late += "if not mark.exists():\n    mark.touch()\n    1 / 0\n"
    isolation = replace(ISOLATION, tier="process")
    remote = Remote(Spec("bot", file=written(tmp_path, f"{late}{lines}")), isolation)
    player = PlayerInfo("bot", remote, stateless=False, remote=remote)
    record = play(catalogue, player, catalogue.player("monkey"))
    assert record.forfeit is not None
    assert record.forfeit[:2] == (Side.FIRST, "import-error")
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    remote.close()


@pytest.mark.slow
def test_its_processes_end_with_a_player_that_nobody_has_any_more(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    file = written(tmp_path, (BOTS / "first_free.py").read_text())
    for executor in ("serial", "processes"):
        api.fight(file, "monkey", 2, catalogue=catalogue, executor=executor)
        gc.collect()
        assert command_lines(file) == {}


def test_a_machine_that_starts_nothing_is_not_the_players_fault(tmp_path: Path) -> None:
    remote = Remote(Spec("bot", file=written(tmp_path, "")), ISOLATION)
    scarce = OSError(errno.EAGAIN, "Resource temporarily unavailable")
    with (
        patch("subprocess.Popen", side_effect=scarce),
        pytest.raises(Spoilt, match="bot cannot be started: Resource temporarily unavailable"),
    ):
        remote.take()


STATE = """
import os, sys
def choose(position, rng):
    sys.games = getattr(sys, "games", 0) + (len(position.legal_moves()) > 7)
    print("game", sys.games, os.getpid())
    if sys.games == 2: raise ValueError("in the second game")
    return position.legal_moves()[0]
"""


def test_a_process_plays_game_after_game_until_one_is_forfeited(
    catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player, monkey = made(written(tmp_path, STATE)), catalogue.player("monkey")
    forfeits = [play(catalogue, player, monkey, str(n)).forfeit for n in range(4)]
    assert [f and f.message for f in forfeits] == [None, "ValueError: in the second game"] * 2


def test_a_process_that_is_killed_loses_and_is_replaced(catalogue: Catalogue, made: Make) -> None:
    player, monkey = made(str(BOTS / "first_free.py")), catalogue.player("monkey")
    assert play(catalogue, player, monkey).forfeit is None
    found = remote_of(player).take()
    pid = found.family.player
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    remote_of(player).give_back(found)
    forfeit = play(catalogue, player, monkey).forfeit
    assert forfeit is not None
    assert (forfeit.reason, forfeit.message) == ("crash", "killed by SIGKILL")
    assert play(catalogue, player, monkey).forfeit is None


def test_the_end_is_made_once(made: Make) -> None:
    remote = remote_of(made(str(BOTS / "first_free.py")))
    found = remote.take()
    found.end()
    pipes = os.pipe()  # these get the numbers of what was closed
    found.end()
    os.write(pipes[1], b"x")
    assert os.read(pipes[0], 1) == b"x"
    for descriptor in pipes:
        os.close(descriptor)


def test_an_interrupted_question_does_not_spoil_the_next_game(
    catalogue: Catalogue, made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, monkey = made(str(BOTS / "first_free.py")), catalogue.player("monkey")

    def interrupt(*_: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("arena.sandbox.wire.protocol.read_move", interrupt)
        with pytest.raises(KeyboardInterrupt):
            play(catalogue, player, monkey)
    assert play(catalogue, player, monkey).forfeit is None


PROGRAM = """#!/usr/bin/env python3
import json, os, sys, time
time.sleep(0.4)
asked = []
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "move":
        asked.append(question["seconds"])
        if len(asked) == int(sys.argv[1]): time.sleep(60)
        if len(asked) == 2: sys.stderr.write(repr(asked) + "\\n")
        print(json.dumps({"id": question["id"], "move": question["legal"][0]}), flush=True)
"""


@pytest.mark.slow
def test_only_the_first_move_of_a_program_may_take_its_start(
    catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    file = written(tmp_path, PROGRAM, "bot")
    player = made(f"cmd:{file} 0", move_time=0.3, game_time=20)
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    found = remote_of(player).take()
    found.end()
    assert found.channel.log.last_line.startswith("[0.3, ")  # it is not told of the rest
    later = made(f"cmd:{file} 4", move_time=0.3, game_time=20)
    first = PlayerInfo("last", lambda position, rng: position.legal_moves()[-1])
    assert play(catalogue, later, first).forfeit is None  # three moves; the fourth is the next
    begun = time.monotonic()
    forfeit = play(catalogue, later, first).forfeit
    assert forfeit is not None
    assert forfeit.reason == "timeout"
    assert time.monotonic() - begun < 15


BURNER = """
import threading
def burn():
    while True: pass
threading.Thread(target=burn, daemon=True).start()
def choose(position, rng): return position.legal_moves()[0]
"""


@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
def test_who_is_not_on_turn_does_not_compute(
    tier: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player = made(written(tmp_path, BURNER), tier=tier)
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    found = remote_of(player).take()
    pid = found.family.player
    assert pid is not None
    assert wait_until(lambda: is_stopped(pid))
    before = computed(pid)
    time.sleep(0.2)
    assert computed(pid) - before <= 0.02
    remote_of(player).give_back(found)


#: Computes in threads from its import on; more of them only make it slow to load.
THREADS = """
import threading
def burn():
    while True: pass
for _ in range(5): threading.Thread(target=burn, daemon=True).start()
def choose(position, rng): return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
def test_who_is_loaded_does_not_compute_before_its_first_turn(
    tier: str, made: Make, tmp_path: Path
) -> None:
    remote = remote_of(made(written(tmp_path, THREADS), tier=tier, memory=512))
    found = remote.start()
    pid = found.family.player
    assert pid is not None
    assert wait_until(lambda: all_are_stopped(threads_of(pid)))
    before = clock.computed(pid)
    time.sleep(0.1)
    assert clock.computed(pid) == before  # to the nanosecond: nothing of it runs
    found.end()


@pytest.mark.slow
def test_who_loads_while_others_have_the_processor_is_forgiven_their_time(
    made: Make, tmp_path: Path
) -> None:
    """Loading takes more than its limit of 0.5 s, and for 0.9 s no processor was free."""
    slow = "import time; time.sleep(0.6)\ndef choose(p, rng): return p.legal_moves()[0]\n"
    remote = Remote(Spec("bot", file=written(tmp_path, slow)), replace(ISOLATION, import_time=0.5))
    used = iter([Used(0.0, 0.0)])
    others = patch.object(Family, "used", lambda self: next(used, Used(waited=0.9, computed=0.0)))
    with pytest.raises(Forfeited, match=r"not loaded within 0\.5 seconds"):
        remote.start()
    with others:
        remote.start().end()


def threads_of(pid: int) -> list[int]:
    return [int(task) for task in os.listdir(f"/proc/{pid}/task")]


def all_are_stopped(pids: list[int]) -> bool:
    return all(map(is_stopped, pids))


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def computed(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_program_is_stopped_too(catalogue: Catalogue, made: Make, tmp_path: Path) -> None:
    player = made(f"cmd:{written(tmp_path, PROGRAM, 'bot')} 0")
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    found = remote_of(player).take()
    pid = found.family.player
    assert pid is not None
    assert b"bot" in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert wait_until(lambda: is_stopped(pid))
    remote_of(player).give_back(found)


def test_who_has_no_time_left_is_not_spared(
    catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    file = written(tmp_path, PROGRAM, "bot")
    player = made(f"cmd:{file} 0", game_time=0.001)
    forfeit = play(catalogue, player, catalogue.player("monkey")).forfeit
    assert forfeit is not None
    assert forfeit.reason == "budget"


FAMILY = """#!/bin/sh
( while :; do :; done ) &
exec python3 -u %s 0
"""


@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_nor_does_what_a_program_has_started(
    tier: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    bot = written(tmp_path, PROGRAM, "bot")
    player = made(f"cmd:{written(tmp_path, FAMILY % bot, 'family')} {bot}", tier=tier)
    for name in ("1", "2"):
        assert play(catalogue, player, catalogue.player("monkey"), name).forfeit is None
        lines = command_lines(str(tmp_path / "family"))
        family = [pid for pid, words in lines.items() if "bwrap" not in words[0]]
        assert family
        assert wait_until(partial(all_are_stopped, family), 2)


@pytest.mark.slow
def test_time_that_others_took_is_not_the_players(made: Make) -> None:
    found = remote_of(made(str(BOTS / "first_free.py"))).take()
    found._turns = Turns(lambda: Used(next(waits), 0.0))
    waits = iter([1.0, 1.2, 1.2, 1.2, 1.2])
    begun = time.monotonic()
    with pytest.raises(Forfeited, match=r"not counting 0.20 s of waiting for a CPU"):
        found.ask(1, FRAMES.tell({"type": "ignored"}), 0.2)
    assert time.monotonic() - begun >= 0.4
    found._turns = Turns(lambda: Used(next(waits), 0.0))
    waits = iter([1.0, *[9.0] * 9])
    begun = time.monotonic()
    with pytest.raises(Spoilt, match=r"waited [\d.]+ of 0\.3 s for a CPU"):
        found.ask(1, FRAMES.tell({"type": "ignored"}), 0.1)
    assert time.monotonic() - begun >= 0.3
    found.end()


SLEEPER = "import time\ndef choose(position, rng):\n    time.sleep(600)\n"
ARENA = """
import sys
from arena import api
from arena.sandbox.wire.json_lines import COMMAND
from arena.sandbox.wire.languages import FRAMES
from arena.sandbox.settings import Isolation
from arena.sandbox.wire.json_lines import COMMAND
if __name__ == "__main__":
    isolation = Isolation(tier=sys.argv[2], move_time=100, game_time=200)
    workers = int(sys.argv[3])
    api.fight(sys.argv[1], "monkey", 4, workers=workers, isolation=isolation, seed=1)
"""


@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
@pytest.mark.parametrize("victim", few(["arena", "arena alone", "worker"]))
def test_no_player_outlives_a_killed(victim: str, tier: str, tmp_path: Path) -> None:
    bot = written(tmp_path, SLEEPER, "sleeper_of_this_test.py")
    script = written(tmp_path, ARENA, "arena_script.py")
    needed = 1 if victim == "arena alone" else 2
    command = [sys.executable, script, bot, tier, str(needed)]
    arena = subprocess.Popen(command, start_new_session=True)

    def players() -> dict[int, list[str]]:
        lines = command_lines(bot)
        return {pid: words for pid, words in lines.items() if "arena_script" not in str(words)}

    def is_playing() -> bool:  # the first is only asked what it is
        return (needed == 1 or len(workers(arena.pid)) >= 2) and bool(players())

    try:
        assert wait_until(is_playing)
        time.sleep(0.3)
        killed = workers(arena.pid) if victim == "worker" else [arena.pid]
        before = set(players())
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: not before & set(players()), 5)
    finally:
        os.killpg(arena.pid, signal.SIGKILL)
        arena.wait()
    assert wait_until(lambda: not players(), 5)


def workers(pid: int) -> list[int]:
    """The children of the arena that are Python's and no players."""
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, file.read_text().split()):
            with suppress(OSError):  # it has just ended
                words = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"arena_script" in words or b"multiprocessing" in words:
                    found.append(child)
    return found


def test_the_generator_here_is_not_drawn_from(catalogue: Catalogue, made: Make) -> None:
    state = random.getstate()
    apart = made(catalogue.player("monkey"))
    assert play(catalogue, apart, apart).forfeit is None
    assert random.getstate() == state
    own = random.Random(5)
    move = apart.player(catalogue.game("tictactoe").start(), own)  # outside of a game
    assert 0 <= move < 9


@pytest.mark.parametrize(
    ("does", "barred", "killed_by"),
    [
        ("open('/nowhere/at/all')", "file", ""),
        ("raise PermissionError(1, 'no')", "call", ""),
        ("raise RuntimeError('FileNotFoundError')", "", ""),
        ("print('FileNotFoundError: x', flush=True), os._exit(1)", "file", ""),
        ("os._exit(127)", "program", ""),
        ("os.kill(os.getpid(), signal.SIGKILL)", "", "SIGKILL"),
    ],
)
def test_a_forfeit_says_by_fields_what_happened(
    does: str, barred: str, killed_by: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    text = f"import os, signal\n\n\ndef choose(position, rng):\n    {does}\n"
    bot = made(written(tmp_path, text))
    with pytest.raises(Forfeited) as caught:
        bot.player(catalogue.game("tictactoe").start(), random.Random(1))
    assert (caught.value.barred, caught.value.killed_by) == (barred, killed_by)
