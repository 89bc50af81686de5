"""Games that stand outside of the installed Python, as ``pip install -e`` leaves them."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import GameFault
from arena.game import Game
from arena.sandbox import outside_modules, rules_trial
from arena.sandbox.choice import choose_tier
from arena.sandbox.outside_modules import places_of, places_of_game
from tests.golden import Wording

#: A game in a module, which takes its rules from a package beside it.
GAME = """
import arena
import json
from pebble_rules.counting import LAST

class Position(arena.Position):
    def __init__(self, game, ply):
        self._game, self._ply = game, ply
    game = property(lambda self: self._game)
    ply = property(lambda self: self._ply)
    def legal_moves(self):
        return (0, 1) if self._ply < LAST else ()
    def play(self, move):
        return Position(self._game, self._ply + 1)
    def outcome(self):
        return arena.Outcome.DRAW if self._ply >= LAST else None
    def picture(self):
        return str(self)
    def __str__(self):
        return str(self._ply)
    def __eq__(self, other):
        return self._ply == other._ply
    def __hash__(self):
        return self._ply

class Pebbles(arena.Game):
    name, max_plies = "pebbles", 5
    def start(self):
        return Position(self, 0)
    def parse(self, text):
        return Position(self, int(text))
    def format_move(self, move):
        return str(move)
    def parse_move(self, text):
        return int(text)
    def __eq__(self, other):
        return type(other) is type(self)
    __hash__ = None
"""

BOT = "def choose(position, rng): return position.legal_moves()[0]\n"


class Editable:
    """A finder as setuptools makes one for ``pip install -e``."""

    def __init__(self, files: dict[str, Path]) -> None:
        self.files = files

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.files[name]) if name in self.files else None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project's folder with a game, its rules, and a file that no player needs."""
    folder = tmp_path / "project"
    (folder / "pebble_rules").mkdir(parents=True)
    (folder / "pebbles.py").write_text(GAME)
    (folder / "pebble_rules" / "__init__.py").write_text("")
    (folder / "pebble_rules" / "counting.py").write_text("LAST = 5\n")
    (folder / "private.py").write_text("KEY = 1\n")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bot.py").write_text(BOT)
    return folder


@pytest.fixture(params=["finder", "path"])
def game(
    request: pytest.FixtureRequest, project: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Game]:
    """Yield the game, imported by an editable finder or by a line of a .pth file."""
    if request.param == "finder":
        files = {
            "pebbles": project / "pebbles.py",
            "pebble_rules": project / "pebble_rules" / "__init__.py",
        }
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable(files)])
    else:
        monkeypatch.setattr(sys, "path", [*sys.path, str(project)])
    importlib.invalidate_caches()
    module = importlib.import_module("pebbles")
    yield module.Pebbles()
    for name in ("pebbles", "pebble_rules", "pebble_rules.counting"):
        sys.modules.pop(name, None)
    outside_modules._places.clear()
    rules_trial._tried.clear()


def fight(project: Path, game: Game, **options: Any) -> arena.records.FightResult:
    bot = str(project.parent / "bots" / "bot.py")
    return arena.fight(bot, "monkey", n=2, game=game, seed=1, executor="serial", **options)


@pytest.mark.slow
def test_an_isolated_player_sees_the_game(game: Game, project: Path) -> None:
    result = fight(project, game)
    assert result.a.isolation != "none"
    assert (result.total.draws, result.a.forfeits) == (4, {})
    assert {place.name for place in places_of_game(game)} == {"pebbles", "pebble_rules"}


def test_an_installed_player_of_the_same_distribution_is_seen_too(game: Game) -> None:
    module = sys.modules["pebbles"]
    exec(BOT, vars(module))
    module.choose.__module__ = "pebbles"
    assert {place.name for place in places_of(module.choose)} == {"pebbles", "pebble_rules"}


@pytest.mark.slow
def test_an_isolated_player_sees_nothing_else_of_the_project(game: Game, project: Path) -> None:
    if choose_tier("auto").name not in ("bwrap", "locked"):
        pytest.skip("no tier here keeps a player from files")
    reader = f"def choose(position, rng): return open({str(project / 'private.py')!r})\n"
    (project.parent / "bots" / "bot.py").write_text(reader)
    assert fight(project, game).a.forfeits == {"exception": 4}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["path"], indirect=True)
@pytest.mark.parametrize("problem", ["unreadable", "raises", "slow"])
def test_what_keeps_the_rules_from_being_loaded_is_no_players_fault(
    problem: str, game: Game, project: Path, wording: Wording
) -> None:
    """The fight ends before the first game, except where the rules only take their time."""
    counting = project / "pebble_rules" / "counting.py"
    if problem == "slow":
        counting.write_text("import time\ntime.sleep(1.2)\nLAST = 5\n")
        limits = arena.Isolation(move_time=1)
        assert fight(project, game, isolation=limits).a.forfeits == {}
        return
    counting.write_text("import a_library_that_is_not_there\n" if problem == "raises" else "LAST")
    if problem == "unreadable":
        counting.unlink()
    with wording.raises(GameFault):
        fight(project, game)


@pytest.mark.parametrize("game", ["path"], indirect=True)
def test_a_game_of_the_main_module_is_refused(
    game: Game, project: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    kind = type(game)
    monkeypatch.setattr(kind, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "Pebbles", kind, raising=False)
    with wording.raises(GameFault):
        fight(project, game)


def test_most_modules_of_python_and_of_arena_are_no_places() -> None:
    assert places_of(arena.get_game("tictactoe")) == ()
    assert places_of(os.path.join) == ()
    assert places_of(lambda: 0) == ()
