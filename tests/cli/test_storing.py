"""``--store`` and the commands that look at a store, as their user sees them."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.main import main
from tests.cli.storing import FIGHT, LOOKS, SPRT, TOURNAMENT, is_refused
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a fight, a tournament and a sequential test."""
    path = tmp_path_factory.mktemp("made") / "S"
    for argv in (FIGHT, TOURNAMENT, SPRT):
        assert main([*argv, "--store", str(path), "--output", os.devnull]) == 0
    return path


@pytest.fixture
def stored(run: Run, made: Path) -> Run:
    """``run``, with that store as S."""
    shutil.copy(made, "S")
    return run


@pytest.mark.slow
def test_runs_are_listed_with_what_was_played(stored: Run) -> None:
    rows = json.loads(stored("runs", "--store", "S", "--format", "json").out)["runs"]
    assert [row["run"] for row in rows] == [1, 2, 3]
    assert [row["schedule"] for row in rows] == ["fight", "round robin", "fight by SPRT"]
    assert [row["state"] for row in rows] == ["complete"] * 3
    assert [(row["played"], row["games"]) for row in rows][:2] == [(24, 24), (18, 18)]
    assert [row["players"] for row in rows] == [2, 3, 2]
    assert {row["seed"] for row in rows} == {7}
    table = stored("runs", "--store", "S").out
    assert len(table.splitlines()) == 2 + 3
    assert "round robin" in table
    comma_separated = stored("runs", "--store", "S", "--format", "csv").out
    assert len(list(csv.reader(io.StringIO(comma_separated)))) == 1 + 3


@pytest.mark.slow
def test_an_export_has_every_game(stored: Run) -> None:
    record = json.loads(stored("export", "--store", "S").out)
    assert record["schema"] == "arena.export/1"
    fight, tournament, _ = record["runs"]
    (games,) = (own["games"] for own in fight["fights"])
    assert len(games) == 24
    assert [len(own["games"]) for own in tournament["fights"]] == [6] * 3
    for game in (games[0], games[-1]):
        shown = arena.replay(game["game_id"])
        assert list(shown.players) == game["players"]
        assert list(shown.moves) == game["moves"]
        assert shown.outcome == game["outcome"]
    assert stored("export", "2", "1", "2", "--store", "S").code == 0
    some = json.loads(stored("export", "2", "--store", "S").out)
    assert [run["run"] for run in some["runs"]] == [2]


@pytest.mark.parametrize("style", ["table", "csv"])
@pytest.mark.parametrize("look", ["runs", "show", "export", "verify"])
def test_every_look_has_every_format_and_can_be_written_to_a_file(
    stored: Run, look: str, style: str
) -> None:
    ran = stored(*LOOKS[look], "--format", style)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert stored(*LOOKS[look], "--format", style, "--output", "file") == (0, "", "")
    assert Path("file").read_text() == ran.out


@pytest.mark.slow
def test_looking_changes_nothing(stored: Run) -> None:
    before = Path("S").read_bytes()
    for look in ("runs", "show", "export", "verify"):
        assert stored(*LOOKS[look]).code == 0
    assert stored("resume", "S", "1").code == 0
    assert Path("S").read_bytes() == before


@pytest.mark.parametrize("command", ["show", "export", "resume"])
def test_a_run_must_be_there_whoever_looks(stored: Run, command: str) -> None:
    argv = ("resume", "S", "4") if command == "resume" else (command, "4", "--store", "S")
    is_refused(stored(*argv), "run 4 ", "1 to 3")


@pytest.mark.parametrize(
    "number",
    [
        "2147483648",
        "0",
        "-1",
        "last",
        "9" * 40,
        "",
    ],
)
def test_a_run_that_is_not_there_is_one_line(stored: Run, number: str, wording: Wording) -> None:
    ran = stored("show", number, "--store", "S")
    is_refused(ran, number[:10])
    wording(ran.err)


@pytest.mark.slow
def test_to_go_on_with_a_complete_run_is_to_show_it(stored: Run) -> None:
    assert stored("resume", "S") == stored("show", "--store", "S")
    assert stored("resume", "S", "1") == stored(*FIGHT)


@pytest.mark.slow
def test_verify_names_what_is_wrong(stored: Run) -> None:
    good = stored("verify", "S")
    assert good.code == 0
    assert "holds" in good.out
    with closing(sqlite3.connect("S")) as database:
        database.execute("UPDATE games SET moves='1 1' WHERE run=2 AND fight=1 AND pair=2")
        database.commit()
    ran = stored("verify", "S")
    assert (ran.code, ran.err) == (1, "")
    assert "tictactoe/monkey/heuristic/7/2.1" in ran.out
    assert "square 1 is taken" in ran.out
    record = json.loads(stored("verify", "S", "--format", "json").out)
    assert record["holds"] is False
    assert record["divergence"]["run"] == 2


@pytest.mark.parametrize("command", ["show", "export", "resume", "verify", "runs"])
def test_a_store_that_was_spoilt_is_one_line(stored: Run, command: str, wording: Wording) -> None:
    with closing(sqlite3.connect("S")) as database:
        database.execute("DELETE FROM games WHERE run=1 AND pair=3 AND half=2")
        database.execute("UPDATE games SET moves=x'ff' WHERE run=1 AND pair=4 AND half=1")
        database.commit()
    argv = {"resume": ("resume", "S", "1"), "show": ("show", "1", "--store", "S")}
    ran = stored(*argv.get(command, LOOKS[command]))
    if command == "verify":
        assert (ran.code, ran.err) == (1, "")
    elif command == "runs":
        assert (ran.code, ran.err) == (0, "")
    else:
        is_refused(ran, code=4)
        if command != "export":
            wording(ran.err)
            wording(ran.err)


@pytest.mark.slow
@pytest.mark.parametrize("command", LOOKS)
def test_a_store_is_named_with_and_without_the_option(stored: Run, command: str) -> None:
    form = () if command in ("runs", "verify", "resume") else ("--format", "json")
    plain = stored(command, "S", *form)
    assert plain.code == 0
    assert stored(command, "--store", "S", *form) == plain
    assert stored(command, "S", "--store", "S", *form) == plain
    is_refused(stored(command, "S", "--store", "T"), "'S' and 'T'")
    is_refused(stored(command, ""), "empty")


@pytest.mark.slow
def test_a_whole_number_is_a_run(stored: Run, monkeypatch: pytest.MonkeyPatch, made: Path) -> None:
    second = stored("show", "--store", "S", "2")
    assert second.code == 0
    assert stored("show", "S", "2") == stored("show", "2", "S") == second
    monkeypatch.setenv("ARENA_STORE", "S")
    assert stored("show", "2") == second
    assert stored("show", "2", str(made)) == second
    assert stored("browse", "2", "1", "S").out == stored("browse", "1", "2").out
    is_refused(stored("show", "1", "2"), " 1 and 2")
    is_refused(stored("verify", "2"), "arena verify", "./2")
    is_refused(stored("fight", "monkey", "triples", "S"), "--store S")
