"""Names of players: as the user gives them, and as tables show them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.player.names import (
    NamedSpec,
    as_program,
    canonical,
    names_a_file,
    read_named,
    short_names,
)
from tests.golden import Wording

#: Parts of specs, put together to files, programs and others.
PARTS = st.lists(st.sampled_from(["a", "bot", ".", "..", "/", ".py", "cmd:", "node ", ":f"]))
SPECS = PARTS.map("".join).filter(bool)


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("alice=./subs/alice.py", "alice", "./subs/alice.py"),
        ("bob=cmd:node bob.js", "bob", "cmd:node bob.js"),
        ("m=minimax:depth=2", "m", "minimax:depth=2"),
        ("Zoë the 2nd=monkey", "Zoë the 2nd", "monkey"),
        ("minimax:depth=2", "minimax:depth=2", "minimax:depth=2"),
        ("uci,nodes=1:fish", "uci,nodes=1:fish", "uci,nodes=1:fish"),
        ("bot.py", "./bot.py", "./bot.py"),
        ("./subs/../bot.py:f", "./bot.py:f", "./bot.py:f"),
        ("cmd:./a=b", "cmd:./a=b", "cmd:./a=b"),
    ],
)
def test_a_given_name_stands_before_the_spec(text: str, name: str, spec: str) -> None:
    assert read_named(text) == NamedSpec(name, spec)


@pytest.mark.parametrize(
    "text",
    [
        "=./bot.py",
        " =./bot.py",
        "alice=",
        "s1/alice=./bot.py",
        "a\\b=monkey",
        f"{'a' * 65}=monkey",
        "-a=monkey",
        "a =monkey",
        "bot.py=monkey",
        "monkey#2=./bot.py",
    ],
)
def test_a_name_that_cannot_be_one_is_refused(text: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as refused:
        read_named(text)
    wording(str(refused.value))
    assert len(str(refused.value)) < 200


def test_a_file_may_have_an_equals_sign_in_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("depth=3").mkdir()
    Path("depth=3/bot.py").touch()
    assert read_named("./depth=3/bot.py").spec == "./depth=3/bot.py"
    assert read_named("./depth=3/bot.py:f").name == "./depth=3/bot.py:f"


@given(SPECS)
@example("a/:f/")
def test_a_spec_has_one_form(spec: str) -> None:
    once = canonical(spec)
    assert canonical(once) == once
    assert names_a_file(once) == names_a_file(spec)


@pytest.mark.slow
@given(st.lists(SPECS, unique=True))
def test_short_names_tell_all_players_apart(names: list[str]) -> None:
    short = short_names(names)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(len(short[name]) <= len(name) for name in names)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["./bot.py"], ["bot"]),
        (["./a/x/bot.py", "./b/x/bot.py", "./c/bot.py"], ["a/x/bot", "b/x/bot", "c/bot"]),
        (["./monkey.py", "monkey"], ["./monkey.py", "monkey"]),
        (["./bot.py:f", "./bot.py:g", "./bot.py"], ["bot:f", "bot:g", "./bot.py"]),
        (["cmd:python3 -u b.py", "cmd:./leo -v", "cmd:"], ["b", "leo", "cmd:"]),
        (["cmd:node a.js 1", "cmd:node a.js 2"], ["cmd:node a.js 1", "cmd:node a.js 2"]),
        (["minimax:depth=2", "lms:w.json"], ["minimax:depth=2", "lms:w.json"]),
    ],
)
def test_a_short_name_is_the_stem_and_the_folders_it_takes(
    names: list[str], short: list[str]
) -> None:
    assert list(short_names(names).values()) == short


def test_a_file_that_is_a_program_is_named_with_its_interpreter() -> None:
    assert as_program("./subs/my kim.js") == "cmd:node 'subs/my kim.js'"
