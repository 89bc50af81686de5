"""The training runs of docs/checkpoints.md, in NumPy and in PyTorch."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from tests.pages import files

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "checkpoints.md"


def python(folder: Path, *words: str) -> str:
    """Execute a file in a folder, and return what it prints."""
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, timeout=100
    ).stdout


@pytest.mark.slow
def test_the_example_learns_and_its_files_are_players(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples" / "training", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    python(tmp_path, "train.py", "runs")
    rows = arena.step_history("runs/runs.db").rows
    assert [row.step for row in rows] == [0, 100, 200, 300, 400]
    first, *_, last = (row.elo for row in rows)
    assert first.high is not None
    assert last.low is not None
    assert last.low > first.high + 300
    better = ("--as", "./net.py:make", "--until", "better", "--seed", "1")
    assert run("fight", "runs/step-400.npz", "runs/step-0.npz", *better).code == 0
    assert run("fight", "runs/step-0.npz", "runs/step-400.npz", *better).code == 1


def test_a_network_chooses_alone_as_in_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    import numpy as np

    shutil.copy(ROOT / "examples" / "training" / "net.py", tmp_path / "example_net.py")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("example_net")
    rng = np.random.default_rng(1)
    net = module.Net({"into": rng.standard_normal((18, 64)), "out": rng.standard_normal((64, 9))})
    game = arena.plugin.mnk_game(3, 3, 3)
    boards = arena.plugin.Boards.start(game, 256)
    for _ in range(4):
        uniform = rng.random(256)
        *_, chances = net.chances(boards.mine, boards.theirs, boards.legal)
        moves = module.draw(chances, uniform)
        alone = [net(boards[i], Drawn(uniform[i])) for i in range(256)]
        assert alone == moves.tolist()
        boards = boards.play(moves)


class Drawn:
    """A generator of one number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


@pytest.mark.needs("torch")
@pytest.mark.slow
def test_a_network_of_pytorch_is_evaluated_while_it_learns(tmp_path: Path) -> None:
    for name, text in files(PAGE.read_text()).items():
        (tmp_path / name).write_text(text)
    printed = python(tmp_path, "torch_train.py", "60")
    scores = [float(line.split()[1].rstrip("%")) for line in printed.splitlines()]
    assert len(scores) == 3
    assert scores[-1] > scores[0] + 10
    assert [row.step for row in arena.step_history(tmp_path / "torch.db").rows] == [0, 30, 60]
