"""Fixtures for all tests."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from arena.cli import main
from arena.plugin import Catalogue, load_catalogue


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """All that is installed."""
    return load_catalogue()


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process: ``run("fight", "monkey", "triples")``."""

    def run(*argv: str) -> Ran:
        capfd.readouterr()
        code = main(argv)
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture(autouse=True)
def unchanged_process() -> Iterator[None]:
    """No test leaves an environment variable, a folder change or a log handler behind."""
    environment, folder = _environment(), os.getcwd()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    assert _environment() == environment
    assert os.getcwd() == folder


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
