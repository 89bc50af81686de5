"""Plugins of every fault: one line, the right exit code, an end, and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.conftest import Ran, Run
from tests.fuzz import plugins, using
from tests.fuzz.harness import LIMIT, attempt, chance, seeds
from tests.plugin.sites import Site
from tests.store.conftest import eventually, has_members

#: A hook that is a coroutine is never awaited.
pytestmark = pytest.mark.filterwarnings("ignore")

SCRIPT = "import sys; from arena.__main__ import main; sys.exit(main())"

#: What harsh plugins are asked for: where their code runs in workers alone.
APART = [line for line in using.OF_A_PLAYER if line.split()[0] in ("fight", "tournament", "check")]


def install(site: Site, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    site.install("fuzzed", "fuzzed", fuzzed=code)
    monkeypatch.chdir(site.folder)


@seeds(2 * len(plugins.KINDS), 250 * len(plugins.KINDS))
def test_a_fault_of_a_plugin_is_one_line(
    site: Site,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    rng = Random(f"plugins {seed}")
    kind = plugins.KINDS[seed % len(plugins.KINDS)]
    body = rng.choice(rng.choice([plugins.RAISING, plugins.RETURNING, plugins.RETURNING]))
    install(site, kind(rng, body), monkeypatch)
    attempt(run, *rng.choice(using.COMMANDS[kind.__name__]).split(), stdin="1\n2\n")
    attempt(run, rng.choice(using.LISTS))


def apart(*argv: str) -> Ran:
    """Run a command in a process of its own, and see that it leaves no process behind."""
    path = os.pathsep.join(["arena-site", os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path.replace("arena-site", str(Path.cwd()))},
    )
    try:
        out, err = process.communicate(timeout=LIMIT * max(1, os.getloadavg()[0]))
        eventually(lambda: not has_members(process.pid), seconds=5)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return Ran(process.returncode, out, err.replace(plugins.GARBAGE, ""))


@pytest.mark.slow
@seeds(1, 200)
def test_a_player_that_spoils_its_process_spoils_no_other(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    rng = Random(f"harsh plugins {seed}")
    body = rng.choice(plugins.ENDING if chance(rng, 0.15) else plugins.HARSH)
    install(site, plugins.player(rng, body), monkeypatch)
    attempt(apart, *rng.choice(APART).split())
