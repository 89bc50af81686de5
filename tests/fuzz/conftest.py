"""Files of every kind, made by the arena once, and a folder with copies of them for each case."""

from __future__ import annotations

import os
import shutil
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import pytest

from arena.main import main
from tests.conftest import Run
from tests.fuzz.harness import Try, attempt
from tests.plugin.conftest import site  # noqa: F401  (a fixture)
from tests.store.conftest import elsewhere, folder, server  # noqa: F401  (fixtures)

RESULTS = """\
a,b,wins,draws,losses,a_moves
ann,bob,3,2,1,first
bob,cid,0,4,2,second
cid,ann,1,1,1,first
"""
OPENINGS = "# openings\n_________\nx___o____\n5 1\n"
LINES = "board 3 3\n1 2 3\n4 5 6\n7 8 9\n1 5 9\n"
BOT = """\
\"\"\"A player that takes the highest legal move.\"\"\"


def choose(position, rng):
    return max(position.legal_moves())
"""

#: The commands that make the rest; ``regress`` ends with 0 as nothing got weaker.
MAKING = (
    "certify triples --games 5 --seed 1 --output certificate.json",
    "play monkey triples --seed 1 --format json --output saved.json",
    "train lms --games 5 --seed 1 --output weights.json",
    "regress triples --panel tictactoe1 --game tictactoe --update --baseline baseline.json",
    "fight triples monkey -n 3 --seed 1 --store store.db --executor serial",
    "tournament triples monkey tictactoe1 -n 1 --seed 2 --store store.db --executor serial",
)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a faultless file of every kind."""
    made = tmp_path_factory.mktemp("samples")
    before = Path.cwd()
    os.chdir(made)
    try:
        Path("results.csv").write_text(RESULTS)
        Path("openings.txt").write_text(OPENINGS)
        Path("rules.lines").write_text(LINES)
        Path("bot.py").write_text(BOT)
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            for command in MAKING:
                assert main(command.split()) == 0, command
    finally:
        os.chdir(before)
    return made


@pytest.fixture
def place(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder: faultless files, and what careless people name instead."""
    made = tmp_path / "place"
    shutil.copytree(samples, made)
    (made / "folder").mkdir()
    (made / "empty").touch()
    (made / "loop").symlink_to("loop")
    (made / "dangling").symlink_to("nothing")
    (made / "binary").write_bytes(bytes(range(256)) * 4)
    os.mkfifo(made / "pipe")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def attempted(run: Run, place: Path) -> Try:
    """Run a command in that folder and judge it."""
    return partial(attempt, run)
