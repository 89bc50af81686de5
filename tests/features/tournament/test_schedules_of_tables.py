"""``arena tournament --schedule`` at a game for more than two: rounds, stores, faults, files."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from tests.conftest import Run
from tests.golden import Wording

GAME = "mnk-3-3-3-x3"
WINS = """
def choose(position, rng):
    moves, seat = [*position.legal_moves()], position.to_move
    ends = [(position.play(move).payoffs(), move) for move in moves]
    return rng.choice([move for paid, move in ends if paid and paid[seat] == 1] or moves)
"""
NAMES = ("a", "b", "c", "d", "e", "f")
PLAYERS = ("./wins.py", *(f"{name}=monkey" for name in NAMES))
WORDS = ("tournament", *PLAYERS, "--game", GAME, "--schedule", "swiss:3", "-n", "4", "--seed", "1")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wins.py").write_text(WINS)


def play(run: Run, *words: str) -> dict[str, Any]:
    ran = run(*WORDS, "--format", "json", *words)
    assert (ran.code, ran.err) == (0, "")
    record: dict[str, Any] = json.loads(ran.out)
    return record


def test_a_swiss_of_tables_is_shown_by_points_and_rounds(run: Run, wording: Wording) -> None:
    ran = run(*WORDS)
    assert ran.code == 0
    wording(ran.out)


@pytest.mark.slow
def test_the_rounds_are_those_of_the_tables(run: Run) -> None:
    record = play(run)
    state = record["state"]
    assert len(state["rounds"]) == 3
    sitting = [tuple(table[0]) for tables, _ in state["rounds"] for table in tables]
    played = {frozenset(table["players"]): table["blocks"] for table in record["tables"]}
    for players in {*map(frozenset, sitting)}:
        assert played[players] == 4 * sum(frozenset(each) == players for each in sitting)
    best = record["standings"][0]
    assert best["player"] == "./wins.py"
    assert float(eval(best["marks"]["points"])) > 4
    assert best["low"] is best["rank_low"] is None, "results chose who sat with whom"


@pytest.mark.slow
def test_it_is_saved_and_read_again(run: Run) -> None:
    record = play(run)
    Path("r.json").write_text(json.dumps(record))
    read = arena.load("r.json")
    assert isinstance(read, arena.records.TablesResult)
    assert json.loads(json.dumps(read.as_json())) == record
    assert run("report", "r.json", "-o", "r.html").code == 0
    assert "<h2>Rounds</h2>" in Path("r.html").read_text()


@pytest.mark.slow
def test_the_bytes_are_the_same_for_any_number_of_workers(run: Run) -> None:
    first, *others = (run(*WORDS, "--format", "json", "-j", jobs).out for jobs in "124")
    assert others == [first, first]


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_in_its_round(run: Run) -> None:
    # So many games that the run is not over when it is killed.
    words = [word if word != "4" else "400" for word in WORDS]
    whole = run(*words, "--format", "json").out
    command = [sys.executable, "-m", "arena", *words, "--store", "s.db"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        while not Path("s.db").exists() or games_in("s.db") < 100:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    resumed = run("resume", "s.db", "--format", "json")
    assert (resumed.code, resumed.out) == (0, whole)
    assert run("verify", "s.db").code == 0


def games_in(store: str) -> int:
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(store)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    return 0


@pytest.mark.slow
def test_a_store_shows_and_verifies_it_and_nobody_enters_late(run: Run, wording: Wording) -> None:
    record = play(run, "--store", "s.db")
    assert json.loads(run("show", "s.db", "--format", "json").out) == record
    assert run("verify", "s.db").code == 0
    again = run("resume", "s.db", "--add", "late=monkey")
    assert (again.code, again.out) == (2, "")
    wording(again.err)


OWN = """
import os
import arena

class Own:
    def tables(self, state):
        if not state.rounds:
            return [state.entrants[:3], arena.plugin.Bye(state.entrants[3])]
        if len(state.rounds) == 1 and not os.path.exists("mended"):
            return [("a", "a", "a")]
        return [state.entrants[1:4]] if len(state.rounds) == 1 else []

@arena.hookimpl
def arena_register_schedules(register):
    register("own", lambda text: Own())
"""


def test_a_plugin_schedules_tables_and_its_fault_is_mended(run: Run, wording: Wording) -> None:
    Path("own.py").write_text(OWN)
    players = ("./wins.py", "a=monkey", "b=monkey", "c=monkey")
    words = ("tournament", *players, "--game", GAME, "--schedule", "own", "-n", "2", "--seed", "1")
    ended = run("-p", "./own.py", *words, "--store", "s.db", "--format", "json")
    assert ended.code == 4
    wording(ended.err, "'own'", "round 2")
    record = json.loads(ended.out)
    assert record["fault"] in ended.err
    assert [table["players"] for table in record["tables"]] == [["./wins.py", "a", "b"]]
    Path("mended").touch()
    resumed = run("-p", "./own.py", "resume", "s.db", "--format", "json")
    assert (resumed.code, resumed.err) == (0, "")
    assert [table["players"] for table in json.loads(resumed.out)["tables"]] == [
        ["./wins.py", "a", "b"], ["a", "b", "c"]
    ]  # fmt: skip


@pytest.mark.parametrize("schedule", ["knockout", "swiss:99", "swiss:0", "nothing"])
def test_what_cannot_be_is_refused_in_a_line(schedule: str, run: Run, wording: Wording) -> None:
    ran = run("tournament", *PLAYERS, "--game", GAME, "--schedule", schedule)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_too_many_tables_to_choose_from_are_refused() -> None:
    players = [f"p{number}=monkey" for number in range(60)]
    with pytest.raises(UsageError, match="34,220 tables of 3"):
        arena.table_tournament(players, 1, game=GAME, schedule="swiss:2")


def test_a_contest_says_the_schedule_of_its_tables(run: Run) -> None:
    players = ["monkey", "a=monkey", "b=monkey", "c=monkey"]
    keys = f'game = "{GAME}"\nseed = 1\npairs = 2\nplayers = {players}\nschedule = "swiss:2"\n'
    Path("contest.toml").write_text(keys)
    ran = run("tournament", "contest.toml", "--format", "json")
    record = json.loads(ran.out)
    assert (ran.code, record["schedule"], len(record["state"]["rounds"])) == (0, "swiss:2", 2)


def test_a_schedule_of_tables_alone_is_refused_at_a_game_of_two(run: Run, wording: Wording) -> None:
    Path("own.py").write_text(OWN)
    ran = run("-p", "./own.py", "tournament", "monkey", "lines", "--schedule", "own")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
