"""The test that ``arena regress --write-test`` writes leads back to the player."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.failing_test import failing_test
from arena.features.regress.record import (
    ClaimCheck,
    Comparison,
    LostLine,
    Origin,
    PanelScore,
    RegressionReport,
    RegressionVerdict,
)
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

GOOD = "from arena.players.tictactoe3 import choose\n"
BROKEN = "def choose(position, rng):\n    return position.legal_moves()[-1]\n"
NAMED = "kim=./bot.py"


def outcome(text: str, **fixtures: object) -> str:
    """Execute a test file and its only test, as pytest would; return why it fails."""
    names: dict[str, object] = {"__file__": str(Path("test_it.py").resolve())}
    exec(compile(text, "test_it.py", "exec"), names)
    [test] = [thing for name, thing in names.items() if name.startswith("test_")]
    try:
        test(**fixtures)  # type: ignore[operator]
    except AssertionError as error:
        return str(error) or "fails"
    return ""


@pytest.mark.slow
def test_it_names_an_aliased_player_as_the_user_did() -> None:
    Path("bot.py").write_text(GOOD)
    how: Any = {"baseline": "base.json", "isolation": "none", "workers": 1}
    assert arena.regress([NAMED], panel=["monkey"], update=True, **how).exit_code == 0
    Path("bot.py").write_text(BROKEN)
    report = arena.regress([NAMED], **how)
    assert report.exit_code == 1
    text = failing_test(report, Path("test_it.py"))
    assert f"arena.regress([{NAMED!r}], game='tictactoe', baseline=baseline)" in text


@pytest.mark.slow
def test_a_lost_game_is_played_again_by_the_same_players(wording: Wording) -> None:
    Path("bot.py").write_text(BROKEN)
    game_id = "tictactoe/kim/triples/1/1.1"
    game = arena.replay(game_id, players=[NAMED], isolation="none")
    line = LostLine("first", (), "arena replay it", "", game)
    message = "it lost"
    claim = ClaimCheck(
        "kim",
        "tictactoe",
        "never-loses:tictactoe",
        RegressionVerdict.BROKEN,
        message,
        "games",
        line=line,
    )
    origins = {"kim": Origin("", "bot.py", 1, "./bot.py")}
    report = RegressionReport(None, (claim,), (), players=origins)
    text = failing_test(report, Path("test_it.py"))
    wording(text, "'kim'", f"{game_id!r}", f"{NAMED!r}")
    assert outcome(text)
    Path("bot.py").write_text(GOOD)
    assert outcome(text) == ""


def comparison(player: str, verdict: RegressionVerdict, *panel: PanelScore) -> Comparison:
    return Comparison(player, "tictactoe", verdict, "", "policy", panel=panel)


def test_a_test_of_a_policy_has_the_scores_that_fell_against_unchanged_players() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    scores = (
        PanelScore("same", half, third),
        PanelScore("changed", half, third),
        PanelScore("better", third, half),
        PanelScore("level", half, half),
    )
    report = RegressionReport(
        "base.json",
        (),
        (
            comparison("weak", RegressionVerdict.WEAKER, *scores),
            comparison("same", RegressionVerdict.SAME),
            comparison("better", RegressionVerdict.SAME),
            comparison("level", RegressionVerdict.SAME),
            comparison("changed", RegressionVerdict.STRONGER),
        ),
    )
    text = failing_test(report, Path("test_it.py"))
    calls: list[tuple[Any, ...]] = []
    outcome(text, scores_against=lambda *args, **named: calls.append((*args, named)))
    assert calls == [("weak", "same", {"at_least": half, "game": "tictactoe"})]


def test_a_test_of_a_proof_asks_for_the_proof() -> None:
    claim = ClaimCheck(
        "weak", "tictactoe", "never-loses:tictactoe", RegressionVerdict.BROKEN, "it loses", "proof"
    )
    text = failing_test(RegressionReport(None, (claim,), ()), Path("test_it.py"))
    calls: list[tuple[Any, ...]] = []
    outcome(text, never_loses=lambda *args, **named: calls.append((*args, named)))
    assert calls == [("weak", {"game": "tictactoe"})]


def test_a_lost_game_of_installed_players_needs_no_more_than_its_id(wording: Wording) -> None:
    game_id = "tictactoe/monkey/triples/1/1.1"
    line = LostLine("first", (), "arena replay it", "", arena.replay(game_id))
    claim = ClaimCheck(
        "monkey",
        "tictactoe",
        "never-loses:tictactoe",
        RegressionVerdict.BROKEN,
        "",
        "games",
        line=line,
    )
    text = failing_test(RegressionReport(None, (claim,), ()), Path("test_it.py"))
    wording(text, "'monkey'", f"{game_id!r}")


@pytest.mark.slow
def test_a_baseline_knows_where_its_players_come_from() -> None:
    Path("bot.py").write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    how: Any = {"baseline": "base.json", "isolation": "none", "executor": "serial"}
    arena.regress([NAMED], game="mnk-3-2-3", panel=["monkey"], update=True, **how)
    assert json.loads(Path("base.json").read_text())["specs"] == {"kim": "./bot.py"}
