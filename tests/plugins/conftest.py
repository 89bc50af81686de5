"""Servers and folders for the tests of plugins."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BOTS = Path(__file__).with_name("http_bots.py")
REFEREES = Path(__file__).parents[2] / "examples" / "referee"


@contextmanager
def serving(*command: str) -> Iterator[str]:
    """Start a server that prints its port, and end it."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture(scope="session")
def bots() -> Iterator[str]:
    """Return the URL of a server, in whose paths the bots of http_bots.py play."""
    with serving(sys.executable, str(BOTS)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which has the example referees and their players."""
    folder = tmp_path / "contest"
    shutil.copytree(REFEREES, folder)
    monkeypatch.chdir(folder)
    return folder
