"""Every regression run is kept, and a history has their verdicts on a player."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.errors import StoreError, UnknownName, UsageError
from arena.features.regress.history import keep_regression_run
from arena.features.regress.record import (
    ClaimCheck,
    Comparison,
    Origin,
    PanelScore,
    RegressionReport,
    RegressionVerdict,
    in_words,
)
from arena.player import PlayerInfo
from arena.reports.tables import plain
from arena.store.sql import Store
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

BASELINE = Path(__file__).parents[3] / "arena-baseline.json"


def a_regression_run(verdict: RegressionVerdict, score: Fraction) -> RegressionReport:
    return RegressionReport(
        baseline="b.json",
        claims=(
            ClaimCheck(
                "anna", "tictactoe", "never-loses:tictactoe", RegressionVerdict.HOLDS, "proved"
            ),
        ),
        comparisons=(
            Comparison(
                "anna",
                "tictactoe",
                verdict,
                "changed",
                "policy",
                panel=(PanelScore("bert", Fraction(1, 2), score),),
            ),
            Comparison("bert", "connect4", RegressionVerdict.NEW, "new"),
        ),
    )


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "nights.db"
    keep_regression_run(
        Store(path, create=True),
        a_regression_run(RegressionVerdict.SAME, Fraction(1, 2)),
        {"anna": "abc"},
    )
    keep_regression_run(Store(path), a_regression_run(RegressionVerdict.WEAKER, Fraction(3, 8)), {})
    return path


def test_a_history_is_in_the_order_of_the_runs(store: Path) -> None:
    rows = arena.history(store, "anna").rows
    assert [(row["run"], row["check"], row["verdict"]) for row in rows] == [
        (1, "never-loses:tictactoe", "holds"),
        (1, "policy", "same"),
        (2, "never-loses:tictactoe", "holds"),
        (2, "policy", "weaker"),
    ]
    assert [row["score"] for row in rows] == [None, "1/2", None, "3/8"]
    assert [row["strength"] for row in rows] == ["", "50.00 %", "", "37.50 %"]
    assert [row["code"] for row in rows] == ["abc", "abc", "", ""]


def a_commit(verdict: RegressionVerdict, score: Fraction, **change: Any) -> RegressionReport:
    """Return a regression run as arena keeps it now."""
    report = replace(a_regression_run(verdict, score), commit="5d2f" * 10 + "+", **change)
    return replace(report, players={"anna": Origin("1.2", "/anna.py", 3)})


def test_a_history_has_commit_version_interval_and_change(tmp_path: Path) -> None:
    file = Store(tmp_path / "nights.db", create=True)
    games = Comparison(
        "anna", "connect4", RegressionVerdict.WEAKER, "", "games", pairs=9, margin=0.02,
        panel=(PanelScore("bert", Fraction(1), Fraction(1, 4)),), interval=(0.2, 0.375),
    )  # fmt: skip
    for score in (Fraction(1, 2), Fraction(1, 2), Fraction(3, 8)):
        report = a_commit(RegressionVerdict.SAME, score)
        keep_regression_run(file, replace(report, comparisons=(*report.comparisons[:1], games)), {})
    rows = arena.history(file.name, "anna").rows
    assert {(row["commit"], row["version"]) for row in rows} == {("5d2f" * 10 + "+", "1.2")}
    changes = {(row["check"], row["run"]): row["change"] for row in rows}
    assert [changes["policy", night] for night in (1, 2, 3)] == [None, 0, -0.125]
    assert changes["never-loses:tictactoe", 3] is None
    intervals = {row["check"]: (row["interval"], row["low"], row["high"]) for row in rows}
    assert intervals == {
        "games": ("20.00 to 37.50 %", 0.2, 0.375),
        "policy": ("exact", None, None),
        "never-loses:tictactoe": ("", None, None),
    }


def test_strengths_against_different_panels_are_not_compared(tmp_path: Path) -> None:
    file = Store(tmp_path / "nights.db", create=True)
    for opponent in ("bert", "cleo"):
        panel = (PanelScore(opponent, Fraction(1), Fraction(1)),)
        own = Comparison("anna", "tictactoe", RegressionVerdict.SAME, "", "policy", panel=panel)
        keep_regression_run(file, RegressionReport("b", (), (own,)), {})
    history = arena.history(file.name, "anna")
    assert [(row["change"], row["other_panel"]) for row in history.rows] == [
        (None, False),
        (None, True),
    ]
    assert "other panel" in plain(history)


def test_a_regression_run_of_an_older_arena_is_read_and_says_what_it_lacks(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        for night, text in connection.execute("SELECT id, report FROM regression_runs").fetchall():
            report = json.loads(text)
            for key in ("commit", "players", "scope"):
                del report[key]
            for comparison in report["comparisons"]:
                del comparison["interval"]
            old = json.dumps(report)
            connection.execute("UPDATE regression_runs SET report = ? WHERE id = ?", (old, night))
    rows = [row for row in arena.history(store, "anna").rows if row["check"] == "policy"]
    assert {(row["commit"], row["version"]) for row in rows} == {("unknown", "unknown")}
    assert [row["change"] for row in rows] == [None, -0.125]
    assert arena.stored_runs(store).more[0].rows[0]["commit"] == "unknown"


def test_a_regression_run_that_nobody_can_have_written_is_told_in_one_line(
    run: Run, store: Path, wording: Wording
) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE checks SET score = 'odd' WHERE score IS NOT NULL")
    ran = run("history", "anna", "--store", str(store))
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    wording(ran.err, "'odd'")


def test_the_runs_of_a_store_of_regression_runs_say_where_they_are(
    run: Run, store: Path, wording: Wording
) -> None:
    ran = run("runs", "--store", str(store))
    assert ran.code == 0
    wording.line(ran.out, "arena history PLAYER")
    assert ran.out.count("anna, bert") == 2
    record = json.loads(run("runs", "--store", str(store), "--format", "json").out)
    assert [each["verdict"] for each in record["regression_runs"]] == ["no weaker", "weaker"]


def test_a_history_says_which_fall_games_excluded(tmp_path: Path) -> None:
    games = Comparison("anna", "connect4", RegressionVerdict.NO_WEAKER, "", "games", margin=0.05)
    policy = Comparison("anna", "tictactoe", RegressionVerdict.NO_WEAKER, "", "policy")
    store = Store(tmp_path / "nights.db", create=True)
    keep_regression_run(store, RegressionReport("b.json", (), (games, policy), margin=0.05), {})
    rows = arena.history(store.name, "anna").rows
    assert [row["outcome"] for row in rows] == [
        in_words(RegressionVerdict.NO_WEAKER, "0.05"),
        in_words(RegressionVerdict.NO_WEAKER),
    ]
    assert {row["verdict"] for row in rows} == {"no weaker"}


def test_a_history_can_be_of_one_game(store: Path) -> None:
    assert len(arena.history(store, "anna", "tictactoe").rows) == 4
    assert arena.history(store, "anna", "connect4").rows == ()
    assert [row["check"] for row in arena.history(store, "bert").rows] == ["strength"] * 2


def test_somebody_who_was_never_checked_is_named(store: Path, wording: Wording) -> None:
    with wording.raises(UnknownName, match="'ana'.*'anna'"):
        arena.history(store, "ana")
    with wording.raises(UsageError):
        arena.history(store.with_name("other.db"), "anna")


def test_the_whole_report_is_kept(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        (text,) = connection.execute("SELECT report FROM regression_runs WHERE id = 2").fetchone()
    assert json.loads(text) == a_regression_run(RegressionVerdict.WEAKER, Fraction(3, 8)).as_json()


def test_a_regression_run_without_checks_is_a_regression_run(
    tmp_path: Path, wording: Wording
) -> None:
    store = Store(tmp_path / "nights.db", create=True)
    keep_regression_run(store, RegressionReport(None, (), ()), {})
    with wording.raises(UnknownName):
        arena.history(store.name, "anna")


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


@pytest.mark.slow
def test_what_a_store_does_not_take_is_printed_all_the_same(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    path = tmp_path / "nights.db"
    command = ("regress", "triples", "--game", "tictactoe", "--baseline", str(BASELINE))
    printed = run(*command)
    assert printed.code == 0

    def fail(*_: object) -> None:
        raise StoreError("store 'nights.db': disk full")

    monkeypatch.setattr("arena.features.regress.history.keep_regression_run", fail)
    ran = run(*command, "--store", str(path))
    assert (ran.code, ran.out) == (4, printed.out)
    wording(ran.err, "'nights.db'")


def test_a_store_that_cannot_be_opened_is_refused_before_a_game(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("This is another file. " * 100)
    baseline = tmp_path / "b.json"
    ran = run(
        *("regress", "monkey", "--baseline", str(baseline), "--update"),
        *("--store", str(tmp_path / "other")),
    )
    assert (ran.code, ran.out) == (2, "")
    assert not baseline.exists()


def test_a_report_whose_answer_was_lost_is_kept_once(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Store(store)

    def twice(work: Any) -> None:
        for again in (False, True):
            with file.write() as connection:
                work(connection, again)

    monkeypatch.setattr(file, "keep", twice)
    before = len(arena.history(store, "anna").rows)
    night = a_regression_run(RegressionVerdict.SAME, Fraction(1, 4))
    keep_regression_run(file, night, {})
    assert len(arena.history(store, "anna").rows) == before + len([*night.checks]) - 1
    assert arena.verify(store).divergence is None


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


@pytest.mark.slow
def test_a_lost_game_is_replayed_from_the_night_when_its_player_is_gone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    clumsy = PlayerInfo("clumsy", Clumsy, stateless=False)
    assert arena.regress([clumsy], panel=["monkey"], update=True, n=30, executor="serial").written
    monkeypatch.setattr(Clumsy, "raises", True)
    report = arena.regress([clumsy], store="night.db", executor="serial")
    line = report.comparisons[0].line
    assert line is not None
    assert line.game is not None
    wording(line.command, "--store", f"{line.game.game_id}")
    ran = run(*line.command.split()[1:], "--format", "json")
    assert (ran.code, json.loads(ran.out)) == (0, json.loads(json.dumps(line.game.as_json())))
    assert json.loads(ran.out)["forfeit"]["message"] == "KeyError: 'mean'"
    for unknown, problem in (
        (str(line.game.game_id).replace("/1/", "/2/"), "'night.db'"),
        (f"{line.game.game_id}x", f"{line.game.game_id}x"),
    ):
        missing = run("replay", "--store", "night.db", unknown)
        assert (missing.code, missing.out, missing.err.count("\n")) == (2, "", 1)
        assert problem in missing.err
