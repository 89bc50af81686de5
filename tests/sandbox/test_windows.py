"""Elsewhere than on Linux: what is refused there, and what is done without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.executors import isolated_process
from tests.golden import Wording
from tests.samples import few
from tests.sandbox.wasm.modules import ANY, text_of, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stronger tiers are of Linux")


def test_elsewhere_there_is_but_a_process(tmp_path: Path, wording: Wording) -> None:
    script = (
        "import sys; sys.platform = 'darwin'\n"
        "from arena.sandbox.choice import choose_tier\n"
        "print(choose_tier().name)\n"
        "for name in ('bwrap', 'locked'):\n"
        "    try:\n"
        "        choose_tier(name)\n"
        "    except Exception as refused:\n"
        "        print(refused)\n"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    auto, *refused = ran.stdout.splitlines()
    assert auto == "process"
    assert len(refused) == 2
    for line in refused:
        wording(line)


def test_elsewhere_no_memory_is_limited(wording: Wording) -> None:
    script = (
        "import sys; sys.platform = 'darwin'\n"
        "from arena.sandbox.settings import Isolation\n"
        "print(Isolation(tier='process').resolved().process_tier.name)\n"
        "try:\n"
        "    Isolation(tier='process', memory=64).resolved().process_tier\n"
        "except Exception as refused:\n"
        "    print(refused)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("process\n")
    wording(ran.stdout, "memory", "docs/stability.md")


#: Has arena meet what Python has on Windows, and lacks there.
ON_WINDOWS = """
import json, select, shutil, sys
from types import SimpleNamespace
from multiprocessing import connection, pool, popen_fork, shared_memory
import sqlalchemy
if "serve" in sys.argv[1]:
    import uvicorn
if "wasm" in sys.argv[1]:
    import wasmtime
from arena.main import main
from arena.sandbox.selftest import attempts
sys.platform = "win32"
shutil._winapi = SimpleNamespace(NeedCurrentDirectoryForExePath=lambda program: False)
for name in ("fcntl", "resource", "termios"):
    sys.modules[name] = None
del select.poll
sys.exit(main(json.loads(sys.argv[1])))
"""

PAIR = ("-n", "1", "--seed", "1")


@pytest.mark.parametrize(
    "words",
    [
        ("fight", "./bot.py", "monkey", *PAIR),
        *(
            pytest.param(("fight", *words), marks=pytest.mark.slow)
            for words in (
                ("cmd:./bot", "monkey", *PAIR),
                ("cmd:./bot", "monkey", *PAIR, "--isolation", "none"),
                ("monkey", "monkey", *PAIR, "--isolate"),
                *(
                    ("./bot.py", "monkey", *PAIR, "--isolation", name)
                    for name in ("process", "locked", "bwrap")
                ),
            )
        ),
        pytest.param(
            ("serve", "c.db", "--contest", "contest.toml", "--port", "0"),
            marks=pytest.mark.needs("starlette", "uvicorn"),
        ),
    ],
)
def test_windows_has_no_tier(tmp_path: Path, words: tuple[str, ...], wording: Wording) -> None:
    ran = on_windows(tmp_path, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    wording(ran.stderr, "--isolation")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("player", few(["./bot.py", "triples"]))
def test_windows_has_files_and_installed_players_in_the_process_of_arena(
    tmp_path: Path, player: str
) -> None:
    ran = on_windows(tmp_path, "fight", player, "monkey", *PAIR, "--isolation", "none")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "1 pair of tictactoe" in ran.stdout


@pytest.mark.slow
def test_windows_walls_modules_in(tmp_path: Path) -> None:
    write(tmp_path / "any.wasm", text_of(ANY))
    ran = on_windows(tmp_path, "fight", "./any.wasm", "monkey", *PAIR)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "isolated (wasm): any" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    few(
        [
            (("move", "./bot.py", "_________", "--isolation", "none"),),
            (("certify", "./bot.py", "--isolation", "none", "--games", "0"),),
        ]
    ),
)
def test_windows_asks_a_file_in_the_process_of_arena(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    ran = on_windows(tmp_path, *words)
    assert ran.returncode != 2
    assert ran.stderr == ""
    assert "bot" in ran.stdout


def test_without_workers_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isolated_process.run_isolated(os.getpid) != os.getpid()
    monkeypatch.setattr(isolated_process, "HAS_WORKERS", False)
    assert isolated_process.run_isolated(os.getpid) == os.getpid()


@pytest.mark.parametrize(
    "words",
    [
        ("fight", "monkey", "triples", *PAIR, "--executor", "processes"),
        pytest.param(("check", "triples"), marks=pytest.mark.slow),
        pytest.param(("move", "triples", "_________", "--seed", "1"), marks=pytest.mark.slow),
    ],
)
def test_windows_has_no_worker_processes(
    tmp_path: Path, words: tuple[str, ...], wording: Wording
) -> None:
    ran = on_windows(tmp_path, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    wording(ran.stderr, "--executor")


def on_windows(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "bot.py").write_text("def choose(p, rng): return rng.choice(p.legal_moves())")
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    (folder / "contest.toml").write_text("[hand-ins]\n")
    return subprocess.run(
        [sys.executable, "-c", ON_WINDOWS, json.dumps(words)],
        env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")},
        cwd=folder,
        capture_output=True,
        text=True,
    )
