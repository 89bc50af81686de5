"""Certificates of commands that are killed, interrupted, or find the disk full."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import arena

pytestmark = pytest.mark.slow

#: The command, with a checkpoint every tenth of a second.
COMMAND = """
import sys
from arena.solver import checkpoint
checkpoint.STATE_SECONDS = 0.1
from arena.main import main
sys.exit(main())
"""

#: A solve and a certify that write a certificate after some seconds.
SOLVE = ("solve", "mnk-4-4-3", "--certificate", "file", "--checkpoint", "state")
#: The same at a game of another kind, by a search of any game.
SEARCH = ("solve", "hex-4", "--certificate", "file", "--checkpoint", "state")
CERTIFY = (
    *("certify", "minimax", "--game", "connect-3-3-3"),
    *("--certificate", "file", "--checkpoint", "state"),
)

#: Seconds until the first state is there, on a machine with much else to do.
PATIENCE = 120


def begin(argv: tuple[str, ...], folder: Path, limit: Callable[[], None] | None = None) -> Process:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *argv],
        cwd=folder,
        preexec_fn=limit,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # a limit would cut it off, too
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


Process = subprocess.Popen[str]


def wait_for_states(process: Process, folder: Path, number: int) -> None:
    """Wait until the command has kept so many states."""
    end = time.monotonic() + PATIENCE
    while len(list(folder.glob("state/*.npz"))) < number:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def states(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("state/*.npz")}


def said(out: str) -> list[str]:
    """Return what a command printed, but for how many positions a search looked at again."""
    return [line for line in out.splitlines() if "an alpha-beta search" not in line]


@pytest.mark.parametrize(("argv", "number"), [(SOLVE, 1), (SEARCH, 1), (CERTIFY, 3)])
def test_a_killed_command_goes_on_and_ends_with_the_same_file(
    argv: tuple[str, ...], number: int, tmp_path: Path
) -> None:
    killed, fresh = tmp_path / "killed", tmp_path / "fresh"
    for folder in (killed, fresh):
        folder.mkdir()
    process = begin(argv, killed)
    wait_for_states(process, killed, number)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not (killed / "file").exists()
    before = states(killed)
    again = begin(argv, killed)
    out, err = again.communicate()
    assert (again.returncode, err) == (0, "")
    if argv is CERTIFY:  # it wrote no answer twice
        assert before.items() <= states(killed).items()
    whole = begin(argv, fresh)
    assert (said(whole.communicate()[0]), whole.returncode) == (said(out), 0)
    assert (killed / "file").read_bytes() == (fresh / "file").read_bytes()
    assert arena.check_certificate(killed / "file").holds


@pytest.mark.parametrize("argv", [SOLVE, SEARCH, CERTIFY])
def test_an_interrupted_command_leaves_no_file(argv: tuple[str, ...], tmp_path: Path) -> None:
    process = begin(argv, tmp_path)
    wait_for_states(process, tmp_path, 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err.splitlines()[-1]) == (130, "", "arena: interrupted")
    assert [file.name for file in tmp_path.iterdir()] == ["state"]


def no_room() -> None:
    """Have files end after 200 bytes, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))


@pytest.mark.parametrize(
    "argv",
    [
        ("solve", "mnk-4-3-3", "--certificate", "file"),
        ("certify", "minimax", "--game", "connect-3-3-3", "--certificate", "file"),
        ("certify", "triples", "--output", "file.json"),
    ],
)
def test_a_full_disk_leaves_no_file(argv: tuple[str, ...], tmp_path: Path) -> None:
    process = begin(argv, tmp_path, no_room)
    _, err = process.communicate()
    assert (process.returncode, len(err.splitlines())) == (4, 1)
    assert "File too large" in err
    assert not list(tmp_path.iterdir())


def room_for(number: int) -> Callable[[], None]:
    """Return what has files end after so many bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))


@pytest.mark.parametrize(("argv", "number"), [(SOLVE, 1), (CERTIFY, 3)])
def test_a_disk_that_fills_up_keeps_the_last_state_whole(
    argv: tuple[str, ...], number: int, tmp_path: Path
) -> None:
    """The next state is larger than the last one that was kept, and finds no room."""
    killed = begin(argv, tmp_path)
    wait_for_states(killed, tmp_path, number)
    killed.kill()
    killed.communicate()
    before = {file.name: file.read_bytes() for file in tmp_path.glob("state/*")}
    full = begin(argv, tmp_path, room_for(1000))
    _, err = full.communicate()
    assert (full.returncode, len(err.splitlines())) == (4, 1), err
    assert "File too large" in err
    assert before.items() <= {f.name: f.read_bytes() for f in tmp_path.glob("state/*")}.items()
    assert [file.name for file in tmp_path.iterdir()] == ["state"]
    again = begin(argv, tmp_path)
    _, err = again.communicate()
    assert (again.returncode, err) == (0, "")
    assert arena.check_certificate(tmp_path / "file").holds
