"""The network of docs/batch.md: from its training to its fights, with NumPy and with PyTorch."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording
from tests.pages import files

if TYPE_CHECKING:
    from tests.conftest import Run

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"
LACKS_TORCH = "needs torch: pip install torch"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("net")
    for name, text in files(PAGE.read_text()).items():
        (path / name).write_text(text)
    return path


def fight(run: Run, plugin: str, *words: str) -> dict[str, object]:
    ran = run("-p", plugin, "fight", "net:weights.npz", *words, "--seed", "1", "--format", "json")
    assert (ran.err, ran.code) == ("", 0)
    record: dict[str, object] = json.loads(ran.out)
    return record


def test_a_network_has_forty_lines() -> None:
    lines = files(PAGE.read_text())["net.py"].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


@pytest.mark.slow
def test_a_network_is_trained_and_fights(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(folder)
    assert run("-p", "./net.py", "train-net", "weights.npz").code == 0
    by_batch = fight(run, "./net.py", "monkey", "--engine", "batch", "-n", "300")
    assert by_batch["engine"] == "batch"
    assert by_batch["total"]["wins"] > 350  # type: ignore[index]
    assert fight(run, "./net.py", "minimax", "-n", "20")["engine"] == "calls"
    other = run("-p", "./net.py", "fight", "net:weights.npz", "monkey", "--game", "othello")
    assert other.code == 2
    wording(other.err, "othello", "tictactoe")
    checked = run("-p", "./net.py", "check", "net:weights.npz", "--seed", "1")
    assert (checked.code, checked.out.count("batch: ")) == (0, 3)


@pytest.mark.slow
def test_a_search_asks_about_its_leaves_at_once(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = "fight", "./leaves.py", "monkey", "--game", "othello", "-n", "20", "--seed", "1"
    ran = run(*words, "--format", "json")
    assert (ran.err, ran.code) == ("", 0)
    assert json.loads(ran.out)["total"]["wins"] >= 28


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.skipif(find_spec("torch") is None, reason=LACKS_TORCH)
def test_a_network_plays_with_pytorch(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert run("-p", "./net.py", "train-net", "weights.npz").code == 0
    monkeypatch.syspath_prepend(folder)
    serial = "--engine", "batch", "-n", "300", "--executor", "serial"
    result = fight(run, "./torch_net.py", "monkey", *serial)
    assert result["total"]["wins"] > 350  # type: ignore[index]
