"""The path of Python that players' processes get, whatever word the user started arena with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.executable import executable

BOT = "def choose(position, rng):\n    return position.legal_moves()[0]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder beside a link to this environment."""
    (tmp_path / "v").symlink_to(sys.prefix)
    (tmp_path / "bots").mkdir()
    return tmp_path / "bots"


def test_a_path_without_a_way_up_stays() -> None:
    assert executable() == sys.executable


def test_a_way_up_is_gone_and_the_environment_is_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = f"{folder}/../v/bin/{os.path.basename(sys.executable)}"
    monkeypatch.setattr(sys, "executable", before)
    path = executable()
    assert ".." not in path
    assert os.path.samefile(path, before)
    code = "import sys; print(sys.prefix, sys.base_prefix)"
    commands = ([path, "-c", code], [before, "-c", code])
    now, then = (subprocess.check_output(command, text=True).split() for command in commands)
    # Outside a virtual environment, Python names both folders by the link.
    assert all(map(os.path.samefile, now, then))


@pytest.mark.needs("bwrap")
def test_a_relative_interpreter_plays_in_the_strongest_tier(folder: Path) -> None:
    (folder / "p.py").write_text(BOT)
    python = f"../v/bin/{os.path.basename(sys.executable)}"
    words = ["-m", "arena", "fight", "./p.py", "monkey", "-n", "1", "--isolation", "bwrap"]
    ran = subprocess.run([python, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "isolated (bwrap): p" in ran.stdout
