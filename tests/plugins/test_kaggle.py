"""Agents as they are on Kaggle, with their files unchanged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.game import Game, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.games.repeated import rock_paper_scissors
from arena.plugins.agent_file import last_callable
from arena.plugins.kaggle import Agent
from tests.golden import Wording
from tests.plugins.agents import kaggle_make

if TYPE_CHECKING:
    from tests.conftest import Run

#: In the style of the lessons there: helpers above, items and attributes below, a shared generator.
LOOK_AHEAD = """
import random

def drop_piece(grid, col, mark, config):
    next_grid = [row[:] for row in grid]
    for row in range(config.rows - 1, -1, -1):
        if next_grid[row][col] == 0:
            break
    next_grid[row][col] = mark
    return next_grid

def is_win(grid, mark, config):
    for r in range(config.rows):
        for c in range(config.columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(r + i * dr, c + i * dc) for i in range(config.inarow)]
                inside = all(0 <= y < config.rows and 0 <= x < config.columns for y, x in cells)
                if inside and all(grid[y][x] == mark for y, x in cells):
                    return True
    return False

def agent(obs, config):
    valid = [c for c in range(config.columns) if obs["board"][c] == 0]
    rows = range(config.rows)
    grid = [obs.board[r * config.columns:(r + 1) * config.columns] for r in rows]
    for mark in (obs.mark, obs.mark % 2 + 1):
        for col in valid:
            if is_win(drop_piece(grid, col, mark, config), mark, config):
                return col
    return random.choice(valid)
"""

#: It takes one argument, and is not the first function of its file.
FIRST_FREE = """
def helper(observation, configuration):
    raise NotImplementedError

my_agent = lambda observation: [i for i, x in enumerate(observation.board) if x == 0][0]
"""

#: It keeps what it was told.
LISTENER = """
told = []
def agent(observation, configuration):
    told.append((dict(observation), dict(configuration)))
    return 0
"""


@pytest.fixture(autouse=True)
def shared_generator() -> Iterator[None]:
    """Keep the tests' own generator, which stands for that of an agent's process here."""
    state = random.getstate()
    yield
    random.setstate(state)


def written(folder: Path, text: str) -> str:
    path = folder / "agent.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def started(path: str, game: Game, side: Side, seed: int = 1) -> Agent:
    agent = Agent(path, True)
    agent.start(game, side, random.Random(seed))
    return agent


def after(game: Game, *moves: int) -> Position:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def test_it_is_told_what_kaggle_tells(tmp_path: Path) -> None:
    agent = started(written(tmp_path, LISTENER), CONNECT4, Side.SECOND)
    agent.choose(after(CONNECT4, 3, 3, 0))
    function: Any = agent._agent
    ((observation, configuration),) = function.__globals__["told"]
    board = [0] * 42
    board[5 * 7 + 3], board[4 * 7 + 3], board[5 * 7] = 1, 2, 1
    assert observation == {"board": board, "mark": 2, "step": 3, "remainingOverageTime": 60}
    assert (configuration["columns"], configuration["rows"], configuration["inarow"]) == (7, 6, 4)
    assert (configuration["actTimeout"], configuration["episodeSteps"]) == (2, 43)


def test_the_agent_is_the_last_callable_and_takes_the_arguments_it_wants(tmp_path: Path) -> None:
    game = mnk_game(3, 3, 3)
    agent = started(written(tmp_path, FIRST_FREE), game, Side.FIRST)
    assert agent.choose(after(game, 0, 1)) == 2


def test_an_agent_wins_and_blocks_by_its_own_reading_of_the_board(tmp_path: Path) -> None:
    path = written(tmp_path, LOOK_AHEAD)
    first, second = (started(path, CONNECT4, side) for side in Side)
    assert first.choose(after(CONNECT4, 3, 0, 3, 0, 3, 0)) == 3
    assert second.choose(after(CONNECT4, 3, 0, 3, 1, 3)) == 3


@pytest.mark.slow
def test_the_same_seed_gives_an_agent_the_same_draws(tmp_path: Path) -> None:
    path, start = written(tmp_path, LOOK_AHEAD), CONNECT4.start()

    def moves(seed: int) -> list[int]:
        agent = started(path, CONNECT4, Side.FIRST, seed)
        return [agent.choose(start) for _ in range(8)]

    assert moves(1) == moves(1) != moves(2)


def test_a_file_without_an_agent_is_refused(tmp_path: Path, wording: Wording) -> None:
    with wording.raises(ValueError):
        last_callable(written(tmp_path, "answer = 42\n"))


def test_an_agent_plays_fights_apart_from_arena(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, FIRST_FREE)
    command = ["fight", "kaggle:./agent.py", "monkey", "-n", "2", "--seed", "2", "--format", "json"]
    ran = run(*command)
    assert ran.code == 0, ran.err
    assert '"forfeits": {"kaggle:./agent.py": {}' in ran.out
    refused = run(*command, "--game", "mnk-5-5-4")
    assert refused.code == 2
    wording(refused.err)


def test_it_is_told_of_rounds_as_kaggle_tells(tmp_path: Path) -> None:
    game = rock_paper_scissors(3)
    agent = started(written(tmp_path, LISTENER), game, Side.SECOND)
    position: Any = game.start().play(2)
    for reply, move in ((0, 1), (1, 2), (2, None)):  # scissors, paper and scissors lose, draw, draw
        agent.choose(position.observation(1))
        position = position.play(reply)
        position = position if move is None else position.play(move)
    function: Any = agent._agent
    observations = [observation for observation, _ in function.__globals__["told"]]
    assert observations == [
        {"step": 0, "reward": 0, "remainingOverageTime": 60},
        {"step": 1, "reward": 1, "lastOpponentAction": 2, "remainingOverageTime": 60},
        {"step": 2, "reward": 1, "lastOpponentAction": 1, "remainingOverageTime": 60},
    ]
    _, configuration = function.__globals__["told"][0]
    assert (configuration["signs"], configuration["episodeSteps"]) == (3, 4)


#: The environment of Kaggle and arena's game, and what else Kaggle must be told.
TWINS: dict[str, tuple[Game, dict[str, int]]] = {
    "connectx": (CONNECT4, {}),
    "rps": (rock_paper_scissors(9), {"episodeSteps": 10, "tieRewardThreshold": 1}),
}


@pytest.mark.needs("kaggle_environments")
@pytest.mark.parametrize("name", sorted(TWINS))
def test_observations_and_results_are_those_of_kaggles_environment(
    tmp_path: Path, name: str
) -> None:
    make = kaggle_make()

    game, configuration = TWINS[name]
    for seed in range(10):
        rng, environment = random.Random(seed), make(name, configuration=configuration)
        agents = [started(written(tmp_path, LISTENER), game, side) for side in Side]
        position: Any = game.start()
        while not environment.done:
            actions: list[int | None] = [None, None]
            for seat, state in enumerate(environment.state):
                if state.status != "ACTIVE":
                    continue
                agents[seat].choose(position.observation(seat))
                function: Any = agents[seat]._agent
                seen, settings = function.__globals__["told"][-1]
                shared = {"step", "board"} & environment.state[0].observation.keys()
                kaggles = state.observation | {
                    key: environment.state[0].observation[key] for key in shared
                }
                assert seen == kaggles
                stored = dict(environment.configuration, episodeSteps=settings["episodeSteps"])
                assert settings.items() >= stored.items()
                move = rng.choice(position.legal_moves())
                actions[seat] = move
                position = position.play(move)
            environment.step(actions)
        assert position.outcome() is not None or position.payoffs() is not None
        paid = position.payoffs()
        rewards = [state.reward for state in environment.state]
        assert (paid[0] > paid[1]) - (paid[0] < paid[1]) == (rewards[0] > rewards[1]) - (
            rewards[0] < rewards[1]
        )
