"""Fixtures for tests of players in files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from tests.player_file.files import Write


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write a file into a folder that is the current one; forget its modules afterwards."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield write_file
    for name in set(sys.modules) - before:
        if name.startswith("arena_file_"):
            del sys.modules[name]
