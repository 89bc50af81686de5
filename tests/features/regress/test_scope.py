"""Without names a regression run checks the players of the project in the current folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.record import RegressionReport, RegressionVerdict
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import RejectedPlugin
from tests.golden import Wording
from tests.simple import last

Make = Callable[..., Catalogue]


MINE = PlayerInfo("mine", last, games=("tictactoe",), package="My_Bot")
FOREIGN = RejectedPlugin("carl", "carls", "ImportError: no module named 'x'")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the current folder a checkout of my-bot."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "my-bot"\n')
    return tmp_path


def regress(catalogue: Catalogue, update: bool = False) -> RegressionReport:
    panel = ["triples"] if update else []
    return arena.regress(catalogue=catalogue, panel=panel, executor="serial", update=update)


def test_in_a_project_no_other_player_is_listed_and_no_other_claim_proved(
    project: Path, catalogue_with: Make, wording: Wording
) -> None:
    catalogue = replace(catalogue_with(MINE), broken=[FOREIGN])
    assert regress(catalogue, update=True).written
    report = regress(catalogue)
    assert [(check.player, check.verdict) for check in report.checks] == [
        ("mine", RegressionVerdict.SAME)
    ]
    assert (report.exit_code, report.broken) == (0, ())
    wording(report.scope)


def test_a_broken_plugin_of_the_project_is_a_fault(project: Path, catalogue_with: Make) -> None:
    own = replace(FOREIGN, package="my.bot")
    report = regress(replace(catalogue_with(MINE), broken=[own, FOREIGN]))
    assert (report.exit_code, len(report.broken)) == (4, 1)


def test_a_project_whose_plugin_is_broken_checks_nobody_else(
    project: Path, catalogue_with: Make, wording: Wording
) -> None:
    assert regress(catalogue_with(MINE), update=True).written
    own = replace(FOREIGN, package="my.bot")
    report = regress(replace(catalogue_with(only=("tictactoe3", "triples")), broken=[own]))
    assert (report.exit_code, len(report.broken)) == (4, 1)
    assert {check.player for check in report.checks} <= {"mine"}
    wording(report.scope, "my-bot")


def test_a_project_without_players_checks_everybody_and_says_so(
    project: Path, catalogue_with: Make, wording: Wording
) -> None:
    report = regress(catalogue_with(only=("tictactoe3", "triples")))
    assert {check.player for check in report.claims} == {"tictactoe3", "triples"}
    wording(report.scope)
    named = arena.regress(["triples"], catalogue=catalogue_with(), executor="serial")
    assert named.scope == ""


@pytest.mark.slow
def test_a_folder_of_files_checks_its_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    how: Any = {"catalogue": catalogue, "executor": "serial", "isolation": "none"}
    (tmp_path / "bot.py").write_text(
        "def choose(position, rng):\n    return position.legal_moves()[0]\n"
    )
    assert arena.regress(["./bot.py"], panel=["triples"], update=True, **how).written
    report = arena.regress(**how)
    assert [(check.player, check.verdict) for check in report.checks] == [
        ("./bot.py", RegressionVerdict.SAME)
    ]
    wording(report.scope)
    (tmp_path / "bot.py").write_text("x = = 1\n")
    for problem in ("SyntaxError in line 1", ""):
        report = arena.regress(**how)
        [check] = report.checks
        assert (check.player, check.verdict, report.exit_code) == (
            "./bot.py",
            RegressionVerdict.FAULT,
            4,
        )
        wording(check.message, problem)
        (tmp_path / "bot.py").unlink(missing_ok=True)
