"""Players that share a process with arena's code and do harm in it: they harm their own games.

Each runs in an interpreter of its own, because it writes to every descriptor that it can find.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import few

WRITE = """
import os, pickle, struct

class Marks:
    def __reduce__(self):
        return os.mkdir, ("mark",)

PICKLED = pickle.dumps(Marks())
FRAMED = struct.pack("!i", len(PICKLED)) + PICKLED

def write(data):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
"""
CHOOSE = """
def choose(position, rng):
    {act}
    return rng.choice(position.legal_moves())
"""
FORGE = """
from arena.executors import pipes
from arena.executors.encoding import encode

def forge():
    for descriptor in range(3, 64):
        for task in range(1, 9):
            try:
                pipes.send(descriptor, task, encode("forged"))
            except OSError:
                pass
"""


def fight(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "bot.py").write_text(code)
    command = "import sys; from arena.main import main; sys.exit(main())"
    words = ["fight", "./bot.py", "monkey", "-n", "3", "-j", "1", "--isolation", "none"]
    return subprocess.run(
        [sys.executable, "-c", command, *words, "--seed", "1", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize("act", few(["write(PICKLED)", "write(b'nonsense')", "write(FRAMED)"]))
@pytest.mark.parametrize("store", [pytest.param((), marks=pytest.mark.slow), ("--store", "s.db")])
@pytest.mark.parametrize("log", [pytest.param((), marks=pytest.mark.slow), ("-v",)])
def test_what_a_player_writes_to_all_descriptors_runs_nowhere(
    tmp_path: Path, act: str, store: tuple[str, ...], log: tuple[str, ...]
) -> None:
    done = fight(tmp_path, WRITE + CHOOSE.format(act=act), *store, *log)
    assert done.returncode == 4
    assert not (tmp_path / "mark").exists()
    assert "Traceback" not in done.stderr
    assert re.search(r"^arena: .*its answer cannot be believed", done.stderr, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("store", [(), ("--store", "s.db")])
def test_a_player_that_forks_plays_its_games_once(tmp_path: Path, store: tuple[str, ...]) -> None:
    forking = fight(tmp_path, "import os" + CHOOSE.format(act="os.fork()"), *store)
    assert (forking.returncode, forking.stderr) == (0, "")
    assert forking.stdout == fight(tmp_path, CHOOSE.format(act="pass")).stdout


@pytest.mark.slow
def test_a_forked_child_cannot_answer_for_the_worker(tmp_path: Path) -> None:
    act = "os.fork() or (forge(), os._exit(0))"
    forging = fight(tmp_path, "import os" + FORGE + CHOOSE.format(act=act))
    assert (forging.returncode, forging.stderr) == (0, "")
    assert forging.stdout == fight(tmp_path, CHOOSE.format(act="pass")).stdout


@pytest.mark.slow
def test_a_log_passes_from_worker_to_arena(tmp_path: Path) -> None:
    act = "logging.getLogger('bot').info('at %s', position)"
    logged = fight(tmp_path, "import logging" + CHOOSE.format(act=act), "-v")
    assert logged.stderr.count("at _________") == 3
