"""The lists of the pages are complete, and their links lead somewhere."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

import arena
from arena.plugin import hookspecs
from arena.plugin.catalogue import Catalogue
from arena.records.entrants import ForfeitedGame
from arena.records.prints import Printed
from tests import needs
from tests.docs.reading import PAGES, ROOT
from tests.golden import Wording
from tests.observing import observed_by
from tests.pages import files


def test_the_tutorials_commands_are_examples_unless_they_wait_for_a_person() -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text()
    blocks = re.findall(r"^```(\w*)\n.*?^```", page, re.DOTALL | re.MULTILINE)
    assert {*blocks} == {"python", "console"}
    assert {*re.findall(r"`arena ([^`]*)`", page)} == {"play tictactoe1", "serve first.db"}


def test_the_readme_is_short_and_leaves_long_tables_to_pages() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(lines) <= 170
    assert len(rows) <= 15


def test_the_readme_has_exactly_two_set_up_commands_and_ci_runs_the_second(
    wording: Wording,
) -> None:
    set_up = (ROOT / "README.md").read_text().split("## Set up")[1].split("\n## ")[0]
    install, test = re.findall(r"```sh\n(.*?)\n```", set_up, re.DOTALL)
    wording(install, "1000")
    assert test in (ROOT / ".ci" / "run").read_text().splitlines()
    assert test in (ROOT / "CONTRIBUTING.md").read_text()


def test_ci_hides_and_installs_what_tests_may_miss() -> None:
    text = (ROOT / ".ci" / "run").read_text()
    programs, libraries, packages, lean = (
        dict(word.split(":") for word in text.split(f'\n{name}="')[1].split('"')[0].split())
        for name in ("optional", "libraries", "packages", "lean")
    )
    assert programs == needs.OUTSIDE
    assert libraries == needs.LIBRARIES
    assert packages == needs.PACKAGES
    assert lean == needs.LEAN
    assert f" apt-get -qq install -y {needs.LZMA} || true" in text


def test_every_hook_is_documented_with_its_arguments() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text()
    hooks = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("arena_")}
    headings = re.findall(r"^### (.*)$", page, re.MULTILINE)
    assert headings == [
        f"{name}({', '.join(inspect.signature(hook).parameters)})" for name, hook in hooks.items()
    ]


def test_every_attribute_of_a_finished_game_is_documented() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text()
    rows = page.split("| `game.` |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [row.split("|")[1:3] for row in rows]
    named = {name for cell, _ in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named == {own.name for own in fields(arena.records.GameResult)} | {"winner"}
    documented = {cell.strip(): set(re.findall(r"`(\w+)`", text)) for cell, text in cells}
    assert documented["`printed`"] == {*Printed._fields}
    assert documented["`forfeit`"] == {own.name for own in fields(ForfeitedGame)} - {"game_id"}


@pytest.mark.slow
def test_the_observer_of_the_page_writes_games_that_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = ModuleType("arena_log")
    exec(files((ROOT / "docs" / "plugins.md").read_text())["arena_log.py"], vars(plugin))
    monkeypatch.chdir(tmp_path)
    result = arena.fight(
        "monkey", "tictactoe1", 20, seed=1, workers=2, catalogue=observed_by(plugin)
    )
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(games) == 40
    assert all(arena.replay(game["game_id"]).as_json() == game for game in games)
    assert capsys.readouterr().err == f"monkey against tictactoe1: {result.total.score:.1%}\n"


def test_every_player_and_game_is_documented(catalogue: Catalogue) -> None:
    players, games = ((ROOT / "docs" / f"{p}.md").read_text() for p in ("players", "games"))
    own = {name for name, info in catalogue.players if info.package == "proving-arena"}
    assert set(re.findall(r"^\| ([\w-]+) \| [\w*]", players, re.MULTILINE)) == own | {"player"}
    rows = set(re.findall(r"^\| `(.*?)` ", games.partition("## Notation")[0], re.MULTILINE))
    families = {name for name, _ in catalogue.families}
    miseres = {f"{name}-misere" for name in families} & families  # a sentence is about them all
    assert rows == families - miseres


def test_every_relative_link_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_public_names_are_sorted_and_exist() -> None:
    for door in (arena, arena.records, arena.plugin):
        assert sorted(door.__all__) == door.__all__
        for name in door.__all__:
            assert getattr(door, name).__doc__, f"{door.__name__}.{name} has no docstring"
