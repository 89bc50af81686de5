"""The page for programs that write players, at games of every kind, without a server."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import arena
from arena.game import CHANCE
from arena.games.info_state import info_state_of
from arena.inputs.hand_in_rules import HandInRules
from arena.player.names import NamedSpec
from arena.sandbox.settings import Isolation
from tests.golden import Wording

pytestmark = pytest.mark.needs("starlette", "uvicorn")


def page(game: arena.Game, isolation: Isolation = Isolation(), **rules: Any) -> str:  # noqa: B008
    from arena.plugins.web.contest.llms import text

    setup = SimpleNamespace(
        game=game.name,
        seats=game.seats,
        isolation=isolation,
        description="",
        file_players=(NamedSpec("monkey", "monkey"), NamedSpec("/home/me/a.py", "/home/me/a.py")),
    )
    contest: Any = SimpleNamespace(setup=setup, rules=HandInRules(**rules), title="spring")
    status = arena.plugin.ContestStatus(False, "stopped", None, 0, "", "", False, ())
    if rules.get("closes"):
        status = replace(status, closes=rules["closes"])
    return text(contest, game, status, "http://contest.example")


def first_question(game: arena.Game) -> Any:
    """Return what the first player is asked with."""
    position = game.start()
    while position.to_move == CHANCE:
        position = position.play(position.legal_moves()[0])
    return info_state_of(position)


@pytest.mark.parametrize("name", ["connect4", "leduc", "pig-20", "mnk-3-3-3-x3"])
def test_its_example_plays_and_its_names_are_there(tmp_path: Path, name: str) -> None:
    game = arena.get_game(name)
    text = page(game)
    assert game.guide in text
    [example] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    file = tmp_path / "bot.py"
    file.write_text(example)
    report = arena.check(str(file), game=name, seed=1, positions=5)
    assert report.conforms
    question = first_question(game)
    for attribute in re.findall(r"`position\.(\w+)(?:\([a-z]*\))?`", text):
        assert hasattr(question, attribute)
    assert ("`position.play(" in text) is hasattr(question, "play")
    [reads] = re.findall(r"\.(\w+)\(text\)`\.\n", text)
    assert str(getattr(game, reads)(str(question))) == str(question)
    assert "/home/me" not in text


def test_a_module_has_fuel_and_no_python() -> None:
    text = page(arena.get_game("tictactoe"), Isolation(tier="wasm"))
    assert "fuel" in text
    assert "```python" not in text
    assert "bot.wasm" in text


def test_it_says_the_time_to_close_and_the_final(wording: Wording) -> None:
    game = arena.get_game("tictactoe")
    wording.line(page(game), " close")
    assert "final" not in page(game)
    text = page(game, closes="2027-01-31T17:00:00Z", final=1, public=True)
    assert "close at 2027-01-31T17:00:00Z" in text
    assert "1 pair " in text
    assert "Bearer" not in text.rpartition("## Standings")[2]
    assert "2 blocks in each table" in page(arena.get_game("mnk-3-3-3-x3"), final=2)
