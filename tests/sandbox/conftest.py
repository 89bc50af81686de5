"""Starting players within tiers, as the user who runs the tests and as an ordinary one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.player import PlayerInfo
from arena.sandbox.choice import choose_tier
from arena.sandbox.players import file_player, isolated, program_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.tiers.box import Box, BoxLimits, Tier
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.sandbox.programs import ROOT
from tests.sandbox.remotes import ISOLATION, remote_of

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "PYTHONHASHSEED": "0"}
NOBODY = 65534

Started = Callable[..., subprocess.Popen[bytes]]
AsUser = Callable[[str], str]
Make = Callable[..., PlayerInfo]


@pytest.fixture(params=needs.tiers("process", "locked", "bwrap"))
def tier(request: pytest.FixtureRequest) -> Tier:
    return choose_tier(request.param)


@pytest.fixture(params=needs.tiers("locked", "bwrap"))
def strong(request: pytest.FixtureRequest) -> Tier:
    return choose_tier(request.param)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Started]:
    """Start a script, or else a program, in a tier: ``start(tier, "print(1)", memory=64)``."""
    started: list[tuple[Tier, subprocess.Popen[bytes]]] = []

    def start(
        tier: Tier,
        what: str | list[str],
        keep_fds: tuple[int, ...] = (),
        readable: tuple[Path, ...] = (),
        **limits: int,
    ) -> subprocess.Popen[bytes]:
        argv = what
        if isinstance(argv, str):
            script = tmp_path / f"player{len(started)}.py"
            script.write_text(what if isinstance(what, str) else "")
            argv, readable = (
                [sys.executable, "-s", "-P", str(script), "a", "b"],
                (script, *readable),
            )
        wanted = {"memory": 256, "processes": 1, "cpu": 5, "output": 1 << 20} | limits
        box = Box(BoxLimits(**wanted), readable, ENVIRONMENT, isinstance(what, str), keep_fds)
        process = subprocess.Popen(
            tier.command(argv, box),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            close_fds=True,
            pass_fds=keep_fds,
            start_new_session=True,
            env=ENVIRONMENT,
        )
        started.append((tier, process))
        return process

    yield start
    for its_tier, process in started:
        its_tier.end(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def as_user() -> Iterator[AsUser]:
    """Run a Python script with arena.sandbox as an ordinary user; what it prints."""
    if os.geteuid() != 0:
        pytest.skip("the tests are run by an ordinary user already")
    needs.require("setpriv")
    python = needs.python_of_all()
    with_arena = Path(tempfile.mkdtemp())  # what is above tmp_path only root may read
    package = Path(arena.__file__).parent
    shutil.copytree(package / "sandbox", with_arena / "arena/sandbox", dirs_exist_ok=True)
    (with_arena / "arena/core").mkdir()
    shutil.copy(package / "core/__init__.py", with_arena / "arena/core")
    for module in package.glob("*.py"):  # all of them: nobody minds a list of who imports whom
        shutil.copy(module, with_arena / "arena")
    (with_arena / "arena/__init__.py").write_text("")  # so that nothing else is imported
    subprocess.run(["chmod", "-R", "a+rX", str(with_arena)], check=True)
    user = ["--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]

    def run(script: str) -> str:
        ran = subprocess.run(
            ["setpriv", *user, python, "-B", "-c", script],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(with_arena)},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    yield run
    shutil.rmtree(with_arena)


@pytest.fixture(scope="session")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All examples, those in C compiled if there is a compiler."""
    folder = tmp_path_factory.mktemp("examples") / "programs"
    shutil.copytree(ROOT / "examples" / "programs", folder)
    if not needs.lack("cc"):
        strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
        for name in ("perfect", "poker"):
            build = ["cc", "-O2", *strict, "-o", name, f"{name}.c"]
            subprocess.run(build, cwd=folder, check=True)
    return folder


@pytest.fixture
def programs(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the examples, which is the current one."""
    monkeypatch.chdir(copied)
    return copied


@pytest.fixture
def make() -> Iterator[Make]:
    """Make a player of a program, whose processes end with the test."""
    made: list[Remote] = []

    def make(name: str, **isolation: object) -> PlayerInfo:
        info = program_player(name, PlayerLimits(**isolation), COMMAND)  # type: ignore[arg-type]
        assert isinstance(info.remote, Remote)
        made.append(info.remote)
        return info

    yield make
    for remote in made:
        remote.close()


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
