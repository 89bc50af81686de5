"""Contests of modules: everybody that plays one again gets the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.features.contest.packages import HandInRefused, player_of, unpack
from arena.inputs.hand_in_rules import HandInRules
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.wasm.conftest import MakeModule
from tests.sandbox.wasm.modules import ANY, FIRST

PAGE = Path(__file__).parents[3] / "docs" / "wasm.md"


def contest() -> str:
    """Return the contest of the page."""
    [text] = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return str(text)


@pytest.fixture
def files(module: MakeModule) -> list[str]:
    last = "(i32.sub (call $count (local.get 0) (local.get 1)) (i32.const 1))"
    return [module("any", ANY), module("first", FIRST), module("last", last)]


@pytest.mark.slow
def test_a_contest_is_the_same_bytes_for_everybody(files: list[str], run: Run) -> None:
    Path("contest.toml").write_text(contest())
    words = ("tournament", "contest.toml", *files, "--format", "json")
    outs = {run(*words, "-j", workers).out for workers in ("1", "2", "4", "1")}
    assert len(outs) == 1
    assert '"fuel_use"' in outs.pop()


@pytest.mark.slow
def test_a_contest_of_modules_takes_nothing_else(
    files: list[str], run: Run, wording: Wording
) -> None:
    Path("contest.toml").write_text(contest())
    Path("bot.py").write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    ran = run("tournament", "contest.toml", *files, "./bot.py")
    assert ran.code == 2
    wording(ran.err)


def test_a_module_can_be_handed_in(files: list[str]) -> None:
    content = Path(files[0]).read_bytes()
    rules = HandInRules()
    unpacked = unpack(content, rules)
    assert unpacked == {"bot.wasm": content}
    assert player_of(unpacked) == "bot.wasm"
    with pytest.raises(HandInRefused):
        unpack(content + bytes(rules.size), rules)
