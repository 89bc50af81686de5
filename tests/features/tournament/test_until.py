"""``arena tournament --until``: the answer, its exit code, and a store."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

PLAYERS = ("tictactoe1", "heuristic", "monkey")
QUESTION = ("--until", "best", "--margin", "0.1", "--seed", "1")


def test_an_answer_is_shown_and_exits_with_0(run: Run) -> None:
    code, out, err = run("tournament", *PLAYERS, *QUESTION)
    assert (code, err) == (0, "")
    first, tied, sure = out.splitlines()[:3]
    assert "tictactoe1" in first
    assert "heuristic" in tied
    assert "±0.1" in tied
    assert "5 %" in sure


@pytest.mark.slow
def test_a_cap_leaves_it_undecided_and_exits_with_3(run: Run) -> None:
    code, out, _ = run("tournament", *PLAYERS, *QUESTION, "-n", "3")
    assert code == 3
    undecided, remedy = out.splitlines()[:2]
    assert "tictactoe1, heuristic, monkey" in undecided
    assert {"-n", "--margin"} <= set(remedy.split())


@pytest.mark.slow
def test_a_store_keeps_the_question(run: Run) -> None:
    command = ("tournament", *PLAYERS, *QUESTION, "--format", "json")
    played = run(*command).out
    assert run(*command, "--store", "S").out == played
    assert run("show", "--store", "S", "--format", "json").out == played
    assert run("verify", "S").code == 0
    with closing(sqlite3.connect("S")) as store, store:  # as if it had ended in the middle
        store.execute("delete from games where fight = 0 and pair > 8 or fight = 2 and pair > 20")
        store.execute("update runs set finished = null")
        store.execute("update fights set result = null")
    partial = run("show", "--store", "S", "--format", "json").out
    assert json.loads(partial)["until"]["reason"] == "interrupted"
    assert run("resume", "S", "--format", "json").out == played
    other = ("--until", "order", "--margin", "0.2", "--seed", "1", "--store", "S")
    run("tournament", *PLAYERS, *other, "-n", "2")
    assert len(arena.stored_runs("S").rows) == 2


def test_a_contest_says_what_it_is_played_for(run: Run, wording: Wording) -> None:
    players = json.dumps(PLAYERS)
    contest = f'players = {players}\nuntil = "best"\nmargin = 0.1\nalpha = 0.01\nseed = 1\n'
    Path("contest.toml").write_text(contest)
    record = json.loads(run("tournament", "contest.toml", "--format", "json").out)["until"]
    assert (record["rule"], record["margin"], record["alpha"]) == ("best", 0.1, 0.01)
    again = run("tournament", "contest.toml", "--until", "top:2", "--format", "json").out
    assert json.loads(again)["until"]["rule"] == "top:2"
    for line, key in (('until = "worst"', "worst"), ("margin = 1.5", "margin")):
        Path("contest.toml").write_text(f"players = {players}\n{line}\n")
        ran = run("tournament", "contest.toml")
        assert ran.code == 2
        wording(ran.err, key)


@pytest.mark.parametrize(
    "words",
    [
        ("--until", "best", "--schedule", "gauntlet:monkey"),
        ("--until", "best", "--gauntlet", "monkey"),
        ("--until", "best", "--engine", "table"),
        ("--until", "top:3"),
        ("--until", "top:0"),
        ("--until", "better"),
        ("--until", "best", "--margin", "0"),
        ("--until", "best", "--alpha", "0"),
        ("--until", "best", "--alpha", "1"),
        ("--margin", "0.1"),
        ("--alpha", "0.1"),
    ],
)
def test_bad_questions_are_refused_in_one_line(
    run: Run, words: tuple[str, ...], wording: Wording
) -> None:
    code, out, err = run("tournament", *PLAYERS, *words, "-n", "1")
    assert (code, out) == (2, "")
    wording(err)
    assert err.count("\n") == 1


@pytest.mark.slow
def test_a_tournament_is_planned_without_its_players(run: Run) -> None:
    planned = ("plan", "--until", "best", "--elos", "200,0,0", "--seed", "1")
    code, out, err = run(*planned)
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split()[:2] == ["best", "3"]
    record = json.loads(run(*planned, "--format", "json").out)
    assert (record["decided"], record["tournaments"]) == (20, 20)
    assert record["games_low"] <= record["games"] <= record["games_high"]
    header, row = run(*planned, "--format", "csv").out.splitlines()
    assert dict(zip(header.split(","), row.split(","), strict=True))["games"] == str(
        record["games"]
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--until", "best"),
        ("--until", "best", "--elos", "1"),
        ("--until", "top:2", "--elos", "1,2"),
        ("--until", "best", "--elos", "1,2", "--draws", "1"),
        ("monkey", "--until", "best", "--elos", "1,2"),
        ("--until", "best", "--elos", "1,2", "-j", "2"),
        ("--until", "best", "--elos", "1,2", "--executor", "serial"),
        ("--elos", "1,2"),
        ("monkey",),
        (),
    ],
)
def test_a_plan_takes_players_or_a_question(run: Run, words: tuple[str, ...]) -> None:
    code, out, err = run("plan", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
