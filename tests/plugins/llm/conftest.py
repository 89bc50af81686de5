"""A server of chat completions for the tests of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.plugins.llm.server import Server, serving

#: Returns the name of a player of the server: ``model("first", "temperature=0")``.
NameModel = Callable[..., str]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def model(server: Server) -> NameModel:
    return lambda name, *options: f"llm,{','.join([f'model={name}', *options])}:{server.url}"
