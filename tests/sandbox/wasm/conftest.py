"""Modules for the tests, in a folder of each test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox.wasm.modules import text_of, write

#: Returns how a player of a module is named: ``module("bot", ANY)``.
MakeModule = Callable[..., str]


@pytest.fixture(scope="session")
def compiled_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the tests of a session keep what the compiler writes."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, compiled_modules: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(compiled_modules))
    return tmp_path


@pytest.fixture
def module(folder: Path) -> MakeModule:
    def make(name: str, choose: str = "(i32.const 0)", more: str = "", **parts: str) -> str:
        return write(folder / f"{name}.wasm", text_of(choose, more, **parts))

    return make
