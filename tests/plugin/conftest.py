"""Fixtures for tests of plugins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.plugin.manager import DISABLE
from tests.plugin.sites import Site, offering


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Where to install; two plugins without a fault are there, loaded first and last of all."""
    monkeypatch.delenv(DISABLE, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    site = Site(tmp_path)
    site.install("aaa", "aaa", aaa=offering("first-of-all"))
    site.install("zzz", "zzz", zzz=offering("last-of-all"))
    yield site
    for name in [name for name in sys.modules if name.startswith("arena_test_")]:
        del sys.modules[name]
