"""The referee of agents: how it asks, what it prints, and the environments themselves."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from json import dumps
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.plugins import agent_referee
from arena.plugins.agent_referee import (
    AgentError,
    AgentProcess,
    AgentTimeout,
    GameEnd,
    decimal,
    verdict,
)
from arena.plugins.referee import MAX_SCORE_DIGITS, read_verdict
from tests.golden import Wording
from tests.plugins.agents import (
    ANY_LEGAL,
    CHATTY,
    FAILING,
    FIRST_LEGAL,
    LAST_LEGAL,
    command_of,
    kaggle_make,
    written,
)

QUESTION = {"observation": {"board": [0]}, "configuration": {"columns": 1}}

#: An agent that goes wherever its generator says.
ANYWHERE = """
import random

def agent(observation):
    return random.choice(["NORTH", "EAST", "SOUTH", "WEST"])
"""

#: An agent that plays rock, paper and scissors by the other's last move.
BEATS_LAST = """
def agent(observation, configuration):
    return (observation.get("lastOpponentAction", 0) + 1) % configuration.signs
"""

#: An agent that takes the first free column.
FIRST_COLUMN = "def agent(o, c):\n    return [n for n in range(c.columns) if not o.board[n]][0]\n"


@contextmanager
def started(command: str, seconds: float = 20) -> Iterator[AgentProcess]:
    agent = AgentProcess(command, 1, seconds)
    yield agent
    agent.close()


def test_an_agent_is_asked_until_it_fails(tmp_path: Path) -> None:
    text = "n = 0\n\n\ndef agent(o, c):\n    global n\n    n += 1\n    return 6 // (3 - n)\n"
    with started(command_of(written(tmp_path, "thrice", text))) as agent:
        assert [agent.ask(QUESTION), agent.ask(QUESTION)] == [3, 6]
        for _ in range(2):
            with pytest.raises(AgentError, match="ZeroDivisionError"):
                agent.ask(QUESTION)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("exit 0", ""),
        ("read line; echo 3", ": 3"),
        ("read line; echo hello", ": hello"),
        ("read line; head -c 2000000 /dev/zero", " 1024 KiB"),
    ],
)
def test_a_program_that_speaks_otherwise_fails(script: str, problem: str, wording: Wording) -> None:
    with started(shlex.join(["sh", "-c", script])) as agent, pytest.raises(AgentError):
        agent.ask(QUESTION)
    wording(agent.problem, problem)


@pytest.mark.slow
def test_the_shorter_of_two_limits_of_time_holds() -> None:
    for seconds, limit in ((20, 0.2), (0.2, 20)):
        with started("sleep 30", seconds) as agent, pytest.raises(AgentTimeout):
            agent.ask(QUESTION, limit)
        assert " 0.2 s" in agent.problem


@pytest.mark.slow
def test_a_question_longer_than_a_pipe_does_not_wait_for_ever() -> None:
    with started("sleep 30", 0.5) as agent, pytest.raises(AgentTimeout):
        agent.ask({"observation": "x" * 1_000_000})


@given(st.floats(-1e14, 1e14) | st.integers(-(10**14), 10**14))
def test_a_score_is_a_decimal_that_arena_reads(score: float) -> None:
    text = decimal(score)
    assert sum(map(str.isdigit, text)) <= MAX_SCORE_DIGITS
    read = read_verdict([f"{text} 0"], 2).scores
    assert read is not None
    places = max(0, MAX_SCORE_DIGITS - len(str(abs(int(score)))))
    assert abs(Decimal(text) - Decimal(score)) <= Decimal(10) ** -places / 2


def test_of_two_that_fail_the_first_one_forfeits() -> None:
    both = {0: "INVALID: it answered 9", 1: "ERROR: x"}
    assert verdict(GameEnd([0, 0], both)) == ["ERR 1 INVALID: it answered 9"]
    lines = verdict(GameEnd([0, 0, 0.5], both))
    assert lines == ["ERR 1 INVALID: it answered 9", "ERR 2 ERROR: x", "0 0 0.5"]
    read = read_verdict(lines, 3)
    assert [seat for seat, _ in read.out] == [0, 1]


def refereed(game: str, *paths: str, seed: int = 3, options: tuple[str, ...] = ()) -> str:
    """Return the output of the referee as arena calls it."""
    players = [
        word
        for number, path in enumerate(paths, start=1)
        for word in (f"-p{number}", command_of(path))
    ]
    words = [sys.executable, "-P", agent_referee.__file__, f"--game={game}", *players]
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONHASHSEED"}
    ran = subprocess.run(
        [*words, "-s", str(seed), *options],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    return ran.stdout if ran.returncode == 0 else f"{ran.returncode}: {ran.stderr}"


KAGGLE = pytest.mark.needs("kaggle_environments")
TEXTARENA = pytest.mark.needs("textarena")


@KAGGLE
def test_the_rewards_are_those_of_kaggles_own_run(tmp_path: Path) -> None:
    make = kaggle_make()

    first, second = (
        written(tmp_path, "a", BEATS_LAST),
        written(tmp_path, "b", "def agent(observation):\n    return observation.step % 3\n"),
    )
    configuration = {"episodeSteps": 40, "tieRewardThreshold": 1}
    last = make("rps", configuration=configuration).run([first, second])[-1]
    line = refereed("kaggle:rps", first, second, options=(f"--parameters={dumps(configuration)}",))
    assert line == f"{int(last[0].reward)} {int(last[1].reward)}\n"
    assert last[0].reward != last[1].reward


@KAGGLE
def test_the_same_seed_is_the_same_game_of_four(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, ANYWHERE) for name in "abcd"]
    games = [refereed("kaggle:hungry_geese", *paths, seed=seed) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len({*games}) > 1
    assert all(len(line.split()) == 4 for line in games)


@KAGGLE
def test_an_environment_that_draws_from_the_system_draws_from_the_seed(tmp_path: Path) -> None:
    path = written(tmp_path, "one", "def agent(o):\n    return o.step % 5\n")
    options = ('--parameters={"episodeSteps": 60}',)
    games = [refereed("kaggle:mab", path, path, seed=n, options=options) for n in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


@KAGGLE
@pytest.mark.parametrize("name", [*sorted(FAILING), "far", "word"])
def test_an_agent_that_fails_forfeits_with_kaggles_status(tmp_path: Path, name: str) -> None:
    texts = FAILING | {
        "far": "def agent(o, c):\n    return 99\n",
        "word": "def agent(o, c):\n    return 'left'\n",
    }
    bad = written(tmp_path, name, texts[name])
    good = written(tmp_path, "good", FIRST_COLUMN)
    statuses = {"far": "INVALID", "word": "INVALID", "sleeps": "TIMEOUT"}
    options = ("--seconds", "2")
    first = refereed("kaggle:connectx", bad, good, options=options)
    second = refereed("kaggle:connectx", good, bad, options=options)
    assert first.startswith(f"ERR 1 {statuses.get(name, 'ERROR')}: ")
    assert second == first.replace("ERR 1", "ERR 2")


@KAGGLE
def test_one_of_four_that_fails_is_out_and_the_others_play_on(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, ANYWHERE) for name in "abc"]
    bad = written(tmp_path, "bad", FAILING["raises"])
    error, scores = refereed("kaggle:hungry_geese", *paths, bad).splitlines()
    assert error == "ERR 4 ERROR: KeyError: 'board'"
    *others, last = map(float, scores.split())
    assert last == 0
    assert max(others) > 0


@KAGGLE
def test_what_an_agent_prints_disturbs_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "chatty", CHATTY)
    assert refereed("kaggle:connectx", path, path) in ("1 -1\n", "-1 1\n", "0 0\n")


@KAGGLE
def test_a_wrong_configuration_is_the_last_line(tmp_path: Path) -> None:
    path = written(tmp_path, "good", FIRST_COLUMN)
    result = refereed("kaggle:connectx", path, path, options=('--parameters={"columns": -2}',))
    last = result.splitlines()[-1]
    assert last.startswith("InvalidArgument: Configuration Invalid: -2 is less than the minimum")


@TEXTARENA
def test_textarena_plays_tic_tac_toe_by_its_own_rules(tmp_path: Path) -> None:
    last = written(tmp_path, "last", LAST_LEGAL)
    first = written(tmp_path, "first", FIRST_LEGAL)
    # 8 0 7 1 6: the last squares are a row before the first ones are.
    assert refereed("textarena:TicTacToe-v0", last, first) == "1 -1\n"
    # 0 8 1 7 2: and the first ones, when they begin.
    assert refereed("textarena:TicTacToe-v0", first, last) == "1 -1\n"


@TEXTARENA
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("def agent(o):\n    return 4\n", "ERROR: "),
        ("def agent(o):\n    raise KeyError('x')\n", "ERROR: KeyError: 'x'"),
        ("def agent(o):\n    return '[99]'\n", "INVALID: 99. "),
        ("import time\n\n\ndef agent(o):\n    time.sleep(60)\n", "TIMEOUT: "),
    ],
)
def test_an_agent_of_textarena_that_fails_forfeits(
    tmp_path: Path, text: str, status: str, wording: Wording
) -> None:
    bad, good = written(tmp_path, "bad", text), written(tmp_path, "good", LAST_LEGAL)
    result = refereed("textarena:TicTacToe-v0", good, bad, options=("--seconds", "2"))
    assert result.startswith(f"ERR 2 {status}")
    wording(result)


@TEXTARENA
def test_three_play_and_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    path = written(tmp_path, "any", ANY_LEGAL)
    game = "textarena:ThreePlayerTicTacToe-v0"
    games = [refereed(game, path, path, path, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len({*games}) > 1
