"""The recipes of docs/environments.md run as they stand."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import files

if TYPE_CHECKING:
    from tests.conftest import Run

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"

pytestmark = [
    pytest.mark.needs("pettingzoo"),
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in files(PAGE.read_text()).items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_loop_of_the_library_plays_a_game(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "loop.py"], cwd=folder, capture_output=True, text=True, check=True
    )
    first, second = (float(line.split(" gets ")[1]) for line in ran.stdout.splitlines())
    assert first == -second


@pytest.mark.parametrize(
    ("game", "opponent"), [("kuhn", "cfr"), ("tictactoe", "tictactoe2"), ("mnk-4-4-3-x3", "monkey")]
)
def test_a_game_is_an_environment_of_gymnasium(
    folder: Path, monkeypatch: pytest.MonkeyPatch, game: str, opponent: str
) -> None:
    monkeypatch.syspath_prepend(folder)
    single: Any = importlib.import_module("single")
    env, seen = single.Against(game, opponent), []
    from gymnasium.utils.env_checker import check_env

    check_env(env, skip_render_check=True)
    for _ in range(2):
        rewards = []
        for seed in range(20):
            env.action_space.seed(seed)
            _, info = env.reset(seed=seed)
            ended = False
            while not ended:
                action = env.action_space.sample(info["action_mask"])
                _, reward, ended, _, info = env.step(action)
            rewards.append(reward)
        seen.append(rewards)
    assert seen[0] == seen[1]
    assert len({*seen[0]}) > 1


@pytest.mark.needs("pygame", "rlcard", "torch")
@pytest.mark.slow
def test_an_agent_of_rlcard_plays(run: Run, folder: Path) -> None:
    game = "pettingzoo:pays=-7..7,seeds=50:classic/leduc_holdem_v4"
    command = "fight", "./dqn.py:Player", "monkey", "-n", "5", "--seed", "1", "--game", game
    ran = run(*command, "--isolation", "none", "--format", "json")
    assert (ran.code, '"forfeits": {"./dqn.py:Player": {}' in ran.out) == (0, True)
