"""Files of a training run as players: a factory is called with each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.golden import Wording
from tests.needs import tiers

if TYPE_CHECKING:
    from tests.conftest import Run

NET = """
import numpy as np
from side import best


def make(file):
    weights = np.load(file)["weights"]
    return lambda position, rng: best(position, weights)


class Player:
    def __init__(self):
        self.heard = 0

    def start(self, game, side, rng):
        self.game = game

    def observe(self, move):
        self.heard += 1

    def choose(self, position):
        assert self.heard >= position.ply // 2
        return position.legal_moves()[-1]


def make_player(file):
    return Player


def make_object(file):
    return Player()


def make_nothing(file):
    return None
"""
SIDE = """
def best(position, weights):
    return max(position.legal_moves(), key=lambda move: weights[move])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "runs").mkdir()
    for step in (100, 200, 1000):
        weights = np.random.default_rng(step).random(9)
        np.savez(tmp_path / "runs" / f"step-{step}.npz", weights=weights)
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "side.py").write_text(SIDE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILES = ("runs/step-100.npz", "runs/step-200.npz", "runs/step-1000.npz")


@pytest.mark.slow
@pytest.mark.parametrize("isolation", [*tiers("bwrap", "locked"), "process", "none"])
@pytest.mark.parametrize("factory", ["net:make", "./net.py:make"])
def test_the_files_of_a_run_play_a_tournament_under_their_names(
    run: Run, folder: Path, isolation: str, factory: str
) -> None:
    command = ("tournament", *FILES, "monkey", "--as", factory, "-n", "4", "--seed", "1")
    played = run(*command, "--store", "runs.db", "--isolation", isolation, "--format", "csv")
    assert played.code == 0, played.err
    assert all(name in played.out for name in ("step-100", "step-200", "step-1000", "monkey"))
    assert "forfeit" not in run("runs", "runs.db").out
    again = run("resume", "runs.db", "--isolation", isolation, "--format", "csv")
    assert again.out == played.out


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["make_player", "make_object"])
def test_a_factory_may_return_a_class_or_an_object(run: Run, folder: Path, factory: str) -> None:
    ran = run("fight", FILES[0], "monkey", "--as", f"net:{factory}", "-n", "3", "--format", "json")
    assert (ran.code, '"forfeits": {"step-100": {}' in ran.out) == (0, True)


@pytest.mark.slow
def test_other_weights_are_another_player_for_a_store(run: Run, folder: Path) -> None:
    command = ("fight", FILES[0], "monkey", "--as", "net:make", "-n", "3", "--seed", "1")
    first = run(*command, "--store", "runs.db")
    np.savez(folder / FILES[0], weights=np.arange(9.0))
    second = run(*command, "--store", "runs.db")
    assert (first.code, second.code) == (0, 0)
    assert run("runs", "runs.db", "--format", "csv").out.count("fight") == 2


@pytest.mark.slow
def test_a_step_has_the_name_that_is_given(run: Run, folder: Path) -> None:
    ran = run("fight", f"newest={FILES[2]}", f"best={FILES[1]}", "--as", "net:make", "-n", "2")
    assert (ran.code, "newest" in ran.out, "best" in ran.out) == (0, True, True)


@pytest.mark.parametrize(
    "words",
    [
        (FILES[0], "monkey", "--as", "nix:make"),
        (FILES[0], "monkey", "--as", "./net.py:mak"),
        (FILES[0], "monkey", "--as", "net"),
        (FILES[0], "monkey", "--as", ":"),
        (FILES[0], "monkey", "--as", "net:make,x"),
        ("monkey", "minimax", "--as", "net:make"),
        (FILES[0], f"./{FILES[0]}", "--as", "net:make"),
        ("runs/step-300.npz", "monkey", "--as", "net:make"),
        (FILES[0], "monkey", "--as", "net:make_nothing", "-n", "2"),
        ("checkpoint:runs/step-100.npz", "monkey"),
        ("checkpoint,by=net%3Amake,more=1:runs/step-100.npz", "monkey"),
        ("checkpoint,by=net%3Amake:runs/step-300.npz", "monkey"),
    ],
)
def test_a_mistake_is_told(
    run: Run, folder: Path, words: tuple[str, ...], wording: Wording
) -> None:
    ran = run("fight", *words, "--seed", "1")
    messages = ran.err if ran.code == 2 else ran.out.splitlines()[2].strip()
    assert ran.code == (4 if "net:make_nothing" in words else 2)
    wording(messages)
