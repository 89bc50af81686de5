"""Every night is kept, and a player's history is what the nights found."""

from __future__ import annotations

import json
import random
import sqlite3
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.errors import UnknownName, UsageError
from arena.player import PlayerInfo
from arena.records.regression import ClaimCheck, Comparison, PanelScore, RegressionReport, Verdict
from arena.store.nights import keep_night
from arena.store.sql import Store

if TYPE_CHECKING:
    from tests.conftest import Run

BASELINE = Path(__file__).parents[2] / "arena-baseline.json"


def a_night(verdict: Verdict, score: Fraction) -> RegressionReport:
    return RegressionReport(
        baseline="b.json",
        claims=(ClaimCheck("anna", "tictactoe", "never-loses:tictactoe", Verdict.HOLDS, "proved"),),
        comparisons=(
            Comparison(
                "anna",
                "tictactoe",
                verdict,
                "changed",
                "policy",
                panel=(PanelScore("bert", Fraction(1, 2), score),),
            ),
            Comparison("bert", "connect4", Verdict.NEW, "new"),
        ),
    )


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "nights.db"
    keep_night(Store(path, create=True), a_night(Verdict.SAME, Fraction(1, 2)), {"anna": "abc"})
    keep_night(Store(path), a_night(Verdict.WEAKER, Fraction(3, 8)), {})
    return path


def test_a_history_is_in_the_order_of_the_nights(store: Path) -> None:
    rows = arena.history(store, "anna").rows
    assert [(row["night"], row["check"], row["verdict"]) for row in rows] == [
        (1, "never-loses:tictactoe", "holds"),
        (1, "policy", "same"),
        (2, "never-loses:tictactoe", "holds"),
        (2, "policy", "weaker"),
    ]
    assert [row["score"] for row in rows] == [None, "1/2", None, "3/8"]
    assert [row["strength"] for row in rows] == ["", "50.00 %", "", "37.50 %"]
    assert [row["code"] for row in rows] == ["abc", "abc", "", ""]


def test_a_history_says_which_fall_games_excluded(tmp_path: Path) -> None:
    games = Comparison("anna", "connect4", Verdict.NO_WEAKER, "", "games", margin=0.05)
    policy = Comparison("anna", "tictactoe", Verdict.NO_WEAKER, "", "policy")
    store = Store(tmp_path / "nights.db", create=True)
    keep_night(store, RegressionReport("b.json", (), (games, policy), margin=0.05), {})
    rows = arena.history(store.path, "anna").rows
    assert [row["outcome"] for row in rows] == ["not weaker by 0.05", "not weaker"]
    assert {row["verdict"] for row in rows} == {"no weaker"}


def test_a_history_can_be_of_one_game(store: Path) -> None:
    assert len(arena.history(store, "anna", "tictactoe").rows) == 4
    assert arena.history(store, "anna", "connect4").rows == ()
    assert [row["check"] for row in arena.history(store, "bert").rows] == ["strength"] * 2


def test_somebody_who_was_never_checked_is_named(store: Path) -> None:
    with pytest.raises(UnknownName, match="'ana', did you mean 'anna'"):
        arena.history(store, "ana")
    with pytest.raises(UsageError, match="no such file"):
        arena.history(store.with_name("other.db"), "anna")


def test_the_whole_report_is_kept(store: Path) -> None:
    with sqlite3.connect(store) as connection:
        (text,) = connection.execute("SELECT report FROM nights WHERE id = 2").fetchone()
    connection.close()
    assert json.loads(text) == a_night(Verdict.WEAKER, Fraction(3, 8)).as_json()


def test_a_night_without_checks_is_a_night(tmp_path: Path) -> None:
    store = Store(tmp_path / "nights.db", create=True)
    keep_night(store, RegressionReport(None, (), ()), {})
    with pytest.raises(UnknownName, match="known: none"):
        arena.history(store.path, "anna")


@pytest.mark.slow
def test_a_regression_check_is_kept_with_digests_of_code(tmp_path: Path) -> None:
    path = tmp_path / "nights.db"
    for _ in range(2):
        report = arena.regress(["triples"], game="tictactoe", baseline=BASELINE, store=path)
        assert report.exit_code == 0
    rows = arena.history(path, "triples").rows
    assert [row["verdict"] for row in rows] == ["holds", "same"] * 2
    assert len({row["code"] for row in rows}) == 1
    assert rows[0]["code"]
    assert arena.verify(path).divergence is None


class Clumsy:
    """Plays at random, and raises late in a game if it is told to."""

    raises = False

    def start(self, game: Any, side: Any, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, position: Any) -> Any:
        if self.raises and position.ply > 5:
            raise KeyError("mean")
        return self.rng.choice(position.legal_moves())

    def observe(self, move: int) -> None: ...

    def finish(self, outcome: Any) -> None: ...


def test_a_lost_game_is_replayed_from_the_night_when_its_player_is_gone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    clumsy = PlayerInfo("clumsy", Clumsy, stateless=False)
    assert arena.regress([clumsy], panel=["monkey"], update=True, n=30, executor="serial").written
    monkeypatch.setattr(Clumsy, "raises", True)
    report = arena.regress([clumsy], store="night.db", executor="serial")
    line = report.comparisons[0].line
    assert line is not None
    assert line.game is not None
    assert line.command == f"arena replay --store night.db {line.game.game_id}"
    ran = run(*line.command.split()[1:], "--format", "json")
    assert (ran.code, json.loads(ran.out)) == (0, json.loads(json.dumps(line.game.as_json())))
    assert json.loads(ran.out)["forfeit"]["message"] == "KeyError: 'mean'"
    missing = run("replay", "--store", "night.db", f"{line.game.game_id}0")
    assert (missing.code, missing.out, missing.err.count("\n")) == (2, "", 1)
    assert "no night has game" in missing.err
