"""``--table``: standings, pairings and games, each as a table that a program can read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.features.browse.test_command import CLUMSY
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

PLAY = ("tournament", "monkey", "triples", "./clumsy.py", "-n", "3", "--seed", "3")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy.py").write_text(CLUMSY)
    return tmp_path


def played(run: Run, *options: str) -> list[dict[str, str]]:
    ran = run(*PLAY, "--isolation", "none", "--format", "csv", *options)
    assert (ran.code, ran.err) == (0, "")
    return [*csv.DictReader(io.StringIO(ran.out))]


@pytest.mark.slow
def test_the_tables_are_the_same_whether_played_or_stored(run: Run, folder: Path) -> None:
    """Compare what is played in several processes with the store that keeps the same run."""
    played(run, "--store", "S")
    for name, style in (("standings", "markdown"), ("pairings", "table"), ("games", "json")):
        command = ("--table", name, "--format", style)
        shown = run("show", "--store", "S", *command)
        assert run(*PLAY, "--isolation", "none", *command).out == shown.out
        assert shown.code == 0


@pytest.mark.slow
def test_a_run_that_goes_on_shows_any_table_of_all_its_games(run: Run, folder: Path) -> None:
    played(run, "--store", "S", "--table", "games")
    argv = ("resume", "S", "--isolation", "none", "--withdraw", "./clumsy.py")
    for name, rows in (("games", 6), ("pairings", 1), ("standings", 2)):
        ran = run(*argv[: None if name == "games" else 4], "--table", name, "--format", "json")
        assert (ran.code, ran.err) == (0, "")
        assert len(json.loads(ran.out)[name]) == rows
        assert ran.out == run("show", "S", "--table", name, "--format", "json").out


@pytest.mark.slow
def test_the_games_are_tidy_and_add_up_to_the_standings(run: Run, folder: Path) -> None:
    games = played(run, "--table", "games", "-j", "2")
    assert [(game["a"], game["b"], game["pair"], game["first"]) for game in games[:3]] == [
        ("monkey", "triples", "1", "monkey"),
        ("monkey", "triples", "1", "triples"),
        ("monkey", "triples", "2", "monkey"),
    ]
    assert all(len(game["moves"].split()) == int(game["plies"]) for game in games)
    assert {game["reason"] for game in games} == {"", "illegal"}
    for row in played(run, "--table", "standings"):
        won = sum(game["winner"] == row["player"] for game in games)
        drawn = sum(not g["winner"] and row["player"] in (g["a"], g["b"]) for g in games)
        assert (int(row["wins"]), int(row["draws"])) == (won, drawn)
        assert float(row["points"]) == won + drawn / 2
    pairings = played(run, "--table", "pairings")
    assert sum(int(row["games"]) for row in pairings) == len(games) == 18


@pytest.mark.slow
def test_a_fight_has_tables_too(run: Run) -> None:
    fight = ("fight", "triples", "monkey", "-n", "5", "--seed", "1", "--format", "json")
    standings = json.loads(run(*fight, "--table", "standings").out)
    assert standings["schema"] == "arena.table/1"
    assert [row["player"] for row in standings["standings"]] == ["triples", "monkey"]
    assert len(json.loads(run(*fight, "--exact", "--table", "games").out)["games"]) == 10
    assert len(json.loads(run(*fight, "--sprt", "--table", "pairings").out)["pairings"]) == 1


def test_a_table_engine_has_no_games_and_says_so(run: Run, wording: Wording) -> None:
    ran = run("fight", "triples", "monkey", "--table", "games", "--engine", "table")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "--table")
    ran = run("fight", "triples", "monkey", "--table", "game")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
