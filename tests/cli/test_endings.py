"""Signals at any moment: one line, the exit code, no traceback, no worker left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording
from tests.processes import ended
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}

#: A fight that would take minutes.
LONG = ("fight", "monkey", "monkey", "-n", "1000000", "--engine", "calls", "-j", "2")

#: Runs the command as its console script does, and says when it begins to import the rest.
SCRIPT = """\
import os, sys

class Teller:
    def find_spec(self, name, *_):
        if name == "arena.main":
            os.write(1, b"x")

sys.meta_path.insert(0, Teller())
from arena.__main__ import main
sys.exit(main())
"""


def end_after(seconds: float, number: signal.Signals) -> tuple[int, str]:
    """Return the exit code and what standard error says of a fight that got a signal then."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *LONG],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
    )
    with ended(process):
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(seconds)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    return process.returncode, err


def heed_signals() -> None:
    """Undo what a shell does to its background jobs."""
    for number in WORDS:
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize("number", WORDS, ids=lambda number: number.name)
@pytest.mark.parametrize("moment", few(range(4), 2))
def test_a_signal_at_any_moment_is_one_word(number: signal.Signals, moment: int) -> None:
    seconds = random.Random(moment).uniform(0.03, 0.1) * moment * 2
    code, err = end_after(seconds, number)
    assert err == f"arena: {WORDS[number]}\n", (code, seconds)
    assert code == 128 + number


@pytest.mark.nightly
@pytest.mark.parametrize("number", WORDS, ids=lambda number: number.name)
def test_a_signal_at_any_of_many_moments_is_one_word(number: signal.Signals) -> None:
    for step in range(60):
        seconds = 0.01 * step
        code, err = end_after(seconds, number)
        assert (code, err) == (128 + number, f"arena: {WORDS[number]}\n"), seconds


@pytest.mark.slow
def test_a_terminal_that_closes_leaves_no_worker_and_loses_no_game(
    tmp_path: Path, run: Run
) -> None:
    store = tmp_path / "S"
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *LONG, "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    with ended(process):
        while len(workers := children_of(process.pid)) < 2:  # a store asks `uname` first
            time.sleep(0.05)
        time.sleep(0.5)
        for pid in (*workers, process.pid):  # as the kernel does for a whole group
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGHUP)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 129
    assert err.splitlines()[-1] == "arena: hung up"
    assert "Traceback" not in err
    assert out.startswith("Draw: ")
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert run("verify", str(store)).code == 0


def children_of(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    process = subprocess.run(
        [
            *("sh", "-c", "trap '' HUP; exec \"$@\"", "sh", sys.executable, "-c"),
            "import os, signal, sys; from arena.__main__ import main; sys.argv[1:] = ['games'];"
            " os.kill(os.getpid(), signal.SIGHUP); code = main();"
            " os.kill(os.getpid(), signal.SIGHUP); sys.exit(code)",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert "tictactoe" in process.stdout


STOPPER = """\
import os, signal, arena

def choose(position, rng):
    os.kill(os.getpid(), signal.SIGSTOP)
    return position.legal_moves()[0]

@arena.hookimpl
def arena_register_players(register):
    register("stopper", choose)
"""


@pytest.mark.slow
def test_a_player_of_a_plugin_that_stops_itself_is_named_after_ten_seconds(
    tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "stopper.py").write_text(STOPPER)
    words = ["-p", str(tmp_path / "stopper.py"), "fight", "stopper", "monkey", "-n", "4", "-j", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    with ended(process):
        assert process.stderr is not None
        line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    wording(line, "10")
    assert (process.returncode, err) == (130, "arena: interrupted\n")
