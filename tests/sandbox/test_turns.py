"""Who is not on turn does not compute, and nobody pays for the time of others."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from arena import clock
from arena.errors import Forfeited, VoidGame
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.sandbox.fairness import CpuUsage, TurnUsage
from arena.sandbox.family import Family
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Spec
from arena.sandbox.wire.languages import FRAMES
from tests import needs
from tests.golden import Wording
from tests.processes import command_lines, wait_until
from tests.sandbox.conftest import Make
from tests.sandbox.remotes import BOTS, ISOLATION, play, remote_of, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")

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
    result = remote_of(player).take()
    result.end()
    assert result.channel.log.last_line.startswith("[0.3, ")  # it is not told of the rest
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


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
def test_who_is_not_on_turn_does_not_compute(
    tier: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player = made(written(tmp_path, BURNER), tier=tier)
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    result = remote_of(player).take()
    pid = result.family.player
    assert pid is not None
    assert wait_until(lambda: is_stopped(pid))
    before = computed(pid)
    time.sleep(0.2)
    assert computed(pid) - before <= 0.02
    remote_of(player).give_back(result)


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
    positions = remote.start()
    pid = positions.family.player
    assert pid is not None
    assert wait_until(lambda: all_are_stopped(threads_of(pid)))
    before = clock.computed(pid)
    time.sleep(0.1)
    assert clock.computed(pid) == before  # to the nanosecond: nothing of it runs
    positions.end()


@pytest.mark.slow
def test_who_loads_while_others_have_the_processor_is_forgiven_their_time(
    made: Make, tmp_path: Path, wording: Wording
) -> None:
    """Loading takes more than its limit of 0.5 s, and for 0.9 s no processor was free."""
    slow = "import time; time.sleep(0.6)\ndef choose(p, rng): return p.legal_moves()[0]\n"
    remote = Remote(Spec("bot", file=written(tmp_path, slow)), replace(ISOLATION, import_time=0.5))
    used = iter([CpuUsage(0.0, 0.0)])
    others = patch.object(
        Family, "used", lambda self: next(used, CpuUsage(waited=0.9, computed=0.0))
    )
    with wording.raises(Forfeited):
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


@pytest.mark.slow
def test_a_program_is_stopped_too(catalogue: Catalogue, made: Make, tmp_path: Path) -> None:
    player = made(f"cmd:{written(tmp_path, PROGRAM, 'bot')} 0")
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    result = remote_of(player).take()
    pid = result.family.player
    assert pid is not None
    assert b"bot" in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert wait_until(lambda: is_stopped(pid))
    remote_of(player).give_back(result)


@pytest.mark.slow
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


@pytest.mark.slow
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
    result = remote_of(made(str(BOTS / "first_free.py"))).take()
    result._turns = TurnUsage(lambda: CpuUsage(next(waits), 0.0))
    waits = iter([1.0, 1.2, 1.2, 1.2, 1.2])
    begun = time.monotonic()
    with pytest.raises(Forfeited, match=r" 0\.20 s "):
        result.ask(1, FRAMES.tell({"type": "ignored"}), 0.2)
    assert time.monotonic() - begun >= 0.4
    result._turns = TurnUsage(lambda: CpuUsage(next(waits), 0.0))
    waits = iter([1.0, *[9.0] * 9])
    begun = time.monotonic()
    with pytest.raises(VoidGame, match=r" [\d.]+ of 0\.30 s "):
        result.ask(1, FRAMES.tell({"type": "ignored"}), 0.1)
    assert time.monotonic() - begun >= 0.3
    result.end()
