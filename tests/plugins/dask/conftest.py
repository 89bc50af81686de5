"""Fixtures for tests on a Dask cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.dask.players import HELPER, IMPORTS, KILLS, SLOW


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "imports.py").write_text(IMPORTS)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "kills.py").write_text(KILLS)
    monkeypatch.chdir(tmp_path)
    return tmp_path
