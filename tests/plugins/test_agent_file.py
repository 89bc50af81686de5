"""An agent's file as a program."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from arena.plugins.agent_file import structured
from tests.plugins.agents import CHATTY, FAILING, LAST_LEGAL, command_of, written

#: A question at a board of two columns, both free.
QUESTION = {
    "observation": {"board": [0, 0], "deep": [{"a": 1}]},
    "configuration": {"columns": 2},
    "seed": 7,
}


def answers(path: str, *questions: dict[str, Any]) -> list[dict[str, Any]]:
    ran = subprocess.run(
        shlex.split(command_of(path)),
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.slow
def test_what_an_agent_prints_is_no_answer_and_its_input_is_empty(tmp_path: Path) -> None:
    path = written(tmp_path, "chatty", CHATTY)
    result = answers(path, *[QUESTION] * 20)
    assert {answer["action"] for answer in result} == {0, 1}
    assert answers(path, *[QUESTION] * 20) == result
    assert answers(path, *[QUESTION | {"seed": 8}] * 20) != result


def test_it_gets_dicts_with_attributes_as_deep_as_they_go(tmp_path: Path) -> None:
    text = "def agent(o, c):\n    return [o.deep[0].a, c['columns'], c.__raw_path__]\n"
    path = written(tmp_path, "deep", text)
    assert answers(path, QUESTION) == [{"action": [1, 2, path]}]
    assert structured([{"a": [{"b": None}]}])[0].a[0].b is None


@pytest.mark.slow
def test_sets_of_texts_have_one_order_in_every_process(tmp_path: Path) -> None:
    path = written(tmp_path, "sets", "def agent(o):\n    return [*{'a', 'b', 'c', 'd', 'e'}]\n")
    assert len({json.dumps(answers(path, QUESTION)) for _ in range(4)}) == 1


@pytest.mark.slow
def test_a_class_is_an_agent_of_textarena(tmp_path: Path) -> None:
    path = written(tmp_path, "last", LAST_LEGAL)
    [answer] = answers(path, {"observation": "Moves: [1] [2]", "seed": 1})
    assert answer == {"action": "I have thought [a lot], so [2]"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAILING.keys() - {"sleeps", "exits"}))
def test_an_agent_that_fails_says_how(tmp_path: Path, name: str) -> None:
    [answer] = answers(written(tmp_path, name, FAILING[name]), QUESTION)
    kinds = {
        "raises": "KeyError: 'board'",
        "leaves": "SystemExit: enough",
        "empty": "ValueError: it defines no function agent",
        "broken": "SyntaxError: ",
        "object": "TypeError: Object of type object is not JSON",
    }
    assert answer["error"].startswith(kinds[name])


def test_an_agent_that_ends_its_process_answers_nothing(tmp_path: Path) -> None:
    assert answers(written(tmp_path, "exits", FAILING["exits"]), QUESTION) == []
