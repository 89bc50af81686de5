"""Fixtures for all tests."""

from __future__ import annotations

import compileall
import gc
import logging
import os
import signal
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from arena.main import main
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from tests import needs
from tests.golden import Wording

#: What a helper asserts is told with its values, as what a test asserts.
HELPERS = {f"tests.{path.stem}" for path in Path(__file__).parent.iterdir()}
pytest.register_assert_rewrite(*HELPERS - sys.modules.keys())

#: No test depends on the speed of the machine. Half of Hypothesis's usual examples do.
settings.register_profile(
    "untimed",
    settings.default,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")

#: A text with more characters is long in the name of a test.
MAX_ID = 100


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]

#: By these arena knows a workflow of GitHub. Tests are none, even in one.
WORKFLOW = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test with a long text by the beginning of the text and its hash.

    pytest 9.2 and its predecessors name it in two ways, and golden files go by these names.
    """
    if not isinstance(val, (str, bytes)) or len(val) <= MAX_ID:
        return None
    data = val if isinstance(val, bytes) else val.encode("utf-8", "surrogatepass")
    return f"{val[:20]!a}-{zlib.crc32(data)}"


def pytest_configure(config: pytest.Config) -> None:
    """Hear Ctrl-C, which a shell has the programs ignore that it runs in the background.

    Compile arena where Python is told to keep no bytecode: the tests start it some thousand times.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in WORKFLOW:
        os.environ.pop(name, None)
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        for folder in ("arena", "players", "plugins", "reports"):
            compileall.compile_dir(Path(__file__).parents[1] / folder, quiet=2)


def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are cores, for tests that wait for processes."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 3


#: A worker that began one of these last would be the only one that has something to do.
LONGEST = ("test_house.py", "test_examples.py", "test_docstrings.py", "test_rogues.py")


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs something of others with `outside`, and begin with the longest files."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
    outside = {*needs.OUTSIDE, *needs.LIBRARIES, *needs.PACKAGES, *needs.LEAN}
    for item in items:
        if not outside.isdisjoint(needed(item)):
            item.add_marker(pytest.mark.outside)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Take what was collected out of the garbage collector's sight, and out of every fork's."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a program, a library or a tier that this machine lacks."""
    for name in needed(item):
        needs.require(name)


def needed(item: pytest.Item) -> Iterator[str]:
    """Yield the arguments of a test's `needs` markers."""
    for marker in item.iter_markers("needs"):
        yield from marker.args


@pytest.fixture(autouse=True)
def _modules_of_players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forget the modules of players that a test played here: another has modules of such names."""
    before, folder = dict(sys.modules), str(tmp_path_factory.getbasetemp())
    yield
    for name, module in () if sys.modules == before else [*sys.modules.items()]:
        is_new = before.get(name) is not module
        if is_new and str(getattr(module, "__file__", "")).startswith(folder):
            del sys.modules[name]


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


@pytest.fixture
def wording(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Wording]:
    """Return the texts that the product prints in this test, in a file that a second run heals.

    CI compares the texts of quick tests alone: what a slow one or an outside program prints may be
    another on its machine, and its facts are asserted all the same.
    """
    texts = Wording(request.path, request.node.name, tmp_path_factory.getbasetemp())
    yield texts
    marks = {mark.name for mark in request.node.iter_markers()}
    if not (os.environ.get("CI") and marks & {"slow", "outside", "nightly"}):
        assert texts.changes == [], f"{texts.file} has the new texts: read them, then commit them"


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Have commands remember their results apart from those of who runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, and name no store in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)


@pytest.fixture(autouse=True)
def unchanged_process() -> Iterator[None]:
    """No test leaves an environment variable, a folder change or a log handler behind."""
    environment, folder = _environment(), os.getcwd()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.setLevel(level)
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    assert _environment() == environment
    assert os.getcwd() == folder


#: Variables of pytest, of arena rate, which has NumPy calculate in one thread, and of libraries.
CHANGING = (
    *("PYTEST_CURRENT_TEST", "OPENBLAS_NUM_THREADS"),
    *("PYGAME_HIDE_SUPPORT_PROMPT", "SDL_AUDIODRIVER", "TORCHINDUCTOR_CACHE_DIR"),
)


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in CHANGING}
