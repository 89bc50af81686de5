"""``--store`` and the commands that look at a store, as their user sees them."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, event

import arena
from arena.cli import main
from arena.store.sql import Store
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Ran, Run

FIGHT = ("fight", "tictactoe2", "monkey", "-n", "12", "--seed", "7")
TOURNAMENT = ("tournament", "monkey", "triples", "heuristic", "-n", "3", "--seed", "7")
SPRT = ("fight", "triples", "monkey", "--sprt", "--elo0", "0", "--elo1", "100", "--seed", "7")

#: Commands that look at a store, as (before the store, after it).
LOOKS = {
    "runs": ("runs", "--store", "S"),
    "show": ("show", "--store", "S"),
    "export": ("export", "--store", "S"),
    "verify": ("verify", "S"),
    "resume": ("resume", "S"),
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a fight, a tournament and a sequential test."""
    path = tmp_path_factory.mktemp("made") / "S"
    for argv in (FIGHT, TOURNAMENT, SPRT):
        assert main([*argv, "--store", str(path), "--output", os.devnull]) == 0
    return path


@pytest.fixture
def stored(run: Run, made: Path) -> Run:
    """``run``, with that store as S."""
    shutil.copy(made, "S")
    return run


def is_refused(ran: Ran, *words: str, code: int = 2) -> None:
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("arena: ")
    assert ran.err.count("\n") == 1
    for word in words:
        assert word in ran.err


@pytest.mark.slow
@pytest.mark.parametrize("argv", [FIGHT, TOURNAMENT, SPRT], ids=["fight", "tournament", "sprt"])
def test_keeping_the_games_changes_no_byte(run: Run, argv: tuple[str, ...]) -> None:
    plain = run(*argv)
    assert run(*argv, "--store", "S") == plain
    assert run(*argv, "--store", "S", "--executor", "serial", "--again") == plain
    assert run("show", "--store", "S") == plain
    assert run("resume", "S", "2") == plain
    for style in ("csv", "json"):
        form = ("--format", style)
        assert run("show", "1", *form, "--store", "S") == run(*argv, *form)


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


def test_looking_changes_nothing(stored: Run) -> None:
    before = Path("S").read_bytes()
    for look in ("runs", "show", "export", "verify"):
        assert stored(*LOOKS[look]).code == 0
    assert stored("resume", "S", "1").code == 0
    assert Path("S").read_bytes() == before


@pytest.mark.parametrize("command", ["show", "export", "resume"])
def test_a_run_must_be_there_whoever_looks(stored: Run, command: str) -> None:
    argv = ("resume", "S", "4") if command == "resume" else (command, "4", "--store", "S")
    is_refused(stored(*argv), "there is no run 4 (it has 1 to 3)")


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("2147483648", "there is no run 2147483648 (it has 1 to 3)"),
        ("0", "must be a whole number of at least 1, not '0'"),
        ("-1", "-1"),
        ("last", "one store at a time, not 'last' and 'S'"),
        ("9" * 40, "must be at most 2147483648"),
        ("", "is empty, not the name of a store"),
    ],
)
def test_a_run_that_is_not_there_is_one_line(stored: Run, number: str, message: str) -> None:
    is_refused(stored("show", number, "--store", "S"), message)


def make_foreign() -> None:
    with closing(sqlite3.connect("S")) as database:
        database.execute("CREATE TABLE letters (text)")
        database.commit()


def make_newer() -> None:
    Store("S", create=True)
    with closing(sqlite3.connect("S")) as database:
        database.execute("UPDATE arena_schema SET version = 99")
        database.commit()


@pytest.mark.parametrize("command", ["runs", "verify", "resume", "fight"])
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Path("S").mkdir(), "store 'S' is a folder"),
        (lambda: Path("S").write_text("hello, world"), "store 'S': file is not a database"),
        (lambda: os.mkfifo("S"), "store 'S' is not a file"),
        (make_foreign, "store 'S': it is a database, but not a store of arena's"),
        (make_newer, "store 'S': a newer arena made it: version 99 of the schema"),
    ],
    ids=["folder", "text", "pipe", "foreign", "newer"],
)
def test_what_is_no_store_is_one_line_and_left_alone(
    run: Run, command: str, make: Callable[[], object], message: str
) -> None:
    make()
    before = Path("S").read_bytes() if os.path.isfile("S") else None
    argv = LOOKS.get(command) or (command, "monkey", "triples", "-n", "1", "--store", "S")
    ran = run(*argv)
    is_refused(ran)
    assert ran.err == f"arena: {message}\n"
    assert os.listdir() == ["S"]
    assert before is None or Path("S").read_bytes() == before


@pytest.mark.parametrize("command", LOOKS)
def test_a_store_that_is_missing_is_one_line_and_not_made(run: Run, command: str) -> None:
    ran = run(*LOOKS[command])
    is_refused(ran)
    assert ran.err == "arena: store 'S': there is no such file\n"
    assert os.listdir() == []


def test_an_empty_file_is_a_store_without_runs(run: Run) -> None:
    Path("S").touch()
    assert run(*LOOKS["runs"]).code == 0
    assert json.loads(run(*LOOKS["export"]).out)["runs"] == []
    assert run(*LOOKS["verify"]).code == 0
    is_refused(run(*LOOKS["show"]), "store 'S' has no run")
    is_refused(run(*LOOKS["resume"]), "store 'S' has no run")
    assert run(*FIGHT, "--store", "S").code == 0


def test_to_go_on_with_a_complete_run_is_to_show_it(stored: Run) -> None:
    assert stored("resume", "S") == stored("show", "--store", "S")
    assert stored("resume", "S", "1") == stored(*FIGHT)


def test_the_folder_of_a_new_store_must_exist(run: Run) -> None:
    is_refused(run(*FIGHT, "--store", "nowhere/S"), "'nowhere/S'", "folder does not exist")
    assert os.listdir() == []


@pytest.mark.parametrize("command", ["runs", "show", "export"])
def test_a_store_must_be_named(run: Run, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, ""):
        if value is not None:
            monkeypatch.setenv("ARENA_STORE", value)
        is_refused(
            run(command), f"no store is named: write arena {command} STORE or use --store STORE"
        )
    monkeypatch.delenv("ARENA_STORE")


@pytest.mark.slow
def test_the_store_can_be_named_by_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run(*FIGHT)
    monkeypatch.setenv("ARENA_STORE", "S")
    assert run(*FIGHT) == plain
    assert run("show") == plain
    assert run("runs").code == run("export").code == 0
    assert run(*TOURNAMENT, "--store", "other").code == 0
    assert len(json.loads(run("export").out)["runs"]) == 1
    monkeypatch.setenv("ARENA_STORE", "")
    assert run(*FIGHT) == plain
    monkeypatch.delenv("ARENA_STORE")
    assert {"S", "other"} <= set(os.listdir())
    assert len(json.loads(run(*LOOKS["export"]).out)["runs"]) == 1


@pytest.mark.slow
def test_tables_have_no_games_to_keep(run: Run) -> None:
    ran = run("fight", "monkey", "triples", "-n", "9999", "--engine", "table", "--store", "S")
    is_refused(ran, "the engine 'table' has no single games")
    assert os.listdir() == []
    long = run("fight", "monkey", "triples", "-n", "5001", "--seed", "1", "--store", "S", "-j", "2")
    assert long.code == 0
    assert "engine calls" in long.out


@pytest.mark.parametrize("name", few(["it's 50%25", "-dash", "a store", "ä→", "S?mode=ro"], 2))
def test_any_name_will_do_and_is_quoted_where_a_command_is_advised(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = run(*FIGHT)
    from arena.store.journal import Journal

    write = Journal.write

    def interrupts(self: Journal, fight: int, pairs: object) -> None:
        write(self, fight, pairs)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "write", interrupts)
        ran = run(*FIGHT, f"--store={name}")
    assert ran.code == 130
    advice, last = ran.err.splitlines()
    assert advice.startswith("arena: to go on: arena resume ")
    assert last == "arena: interrupted"
    words = shlex.split(advice.removeprefix("arena: to go on: arena "))
    assert words == ["resume", name, "1"]
    if not name.startswith("-"):
        assert run(*words) == whole
    assert set(os.listdir()) == {name, f"{name}-lock"}


BOT = "def choose(position, rng):\n    return position.legal_moves()[{}]\n"


def forget_modules() -> None:
    """Have players' files loaded again, as a new process does."""
    for name in [name for name in sys.modules if name.startswith("arena_file_")]:
        del sys.modules[name]


@pytest.mark.slow
def test_a_player_whose_code_has_changed_is_one_line(run: Run) -> None:
    bot = Path("bot.py")
    bot.write_text(BOT.format(0))
    fight = ("fight", "./bot.py", "monkey", "-n", "5", "--seed", "1")
    before = run(*fight, "--store", "S")
    bot.write_text(BOT.format(-1))
    forget_modules()
    ran = run("resume", "S", "1")
    is_refused(ran, "./bot.py", "run 1 of 'S'", "--changed-players keep", "replay")
    assert run("resume", "S", "1", "--changed-players", "refuse") == ran
    assert run("resume", "S", "1", "--changed-players", "keep") == before
    assert run("show", "--store", "S") == before
    after = run("resume", "S", "1", "--changed-players", "replay")
    assert after == run(*fight) != before
    assert run("resume", "S", "1") == after == run("show", "--store", "S")
    assert run("verify", "S").code == 0
    is_refused(run("resume", "S", "1", "--changed-players", "ask"), "ask")


@pytest.mark.parametrize(
    "now", few([None, "raise SystemExit(7)\n", "import os\nos._exit(9)\n", "syntax error\n"], 2)
)
def test_no_player_is_needed_to_look(run: Run, now: str | None) -> None:
    bot = Path("bot.py")
    bot.write_text(BOT.format(0))
    played = run("fight", "./bot.py", "monkey", "-n", "5", "--seed", "1", "--store", "S")
    exported = run(*LOOKS["export"])
    bot.unlink()
    if now is not None:
        bot.write_text(now)
    forget_modules()
    assert run(*LOOKS["show"]) == played
    assert run(*LOOKS["export"]) == exported
    assert run(*LOOKS["runs"]).code == run(*LOOKS["verify"]).code == 0
    ran = run("resume", "S", "1")
    assert ran.code in (2, 4)
    assert ran.out == ""
    assert "'./bot.py'" in ran.err.splitlines()[-1]
    assert len(ran.err.splitlines()) == 1


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
def test_a_store_that_was_spoilt_is_one_line(stored: Run, command: str) -> None:
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
            assert "run 1, fight 1, pair 3" in ran.err
            assert "see: arena verify" in ran.err


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_rest_is_played_later(run: Run) -> None:
    fight = ("fight", "monkey", "triples", "-n", "300", "--seed", "7")
    whole = run(*fight)
    assert run(*FIGHT, "--store", "S").code == 0
    with closing(sqlite3.connect("S")) as database:
        ((pages,),) = database.execute("PRAGMA page_count").fetchall()

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages + 3}")

    event.listen(Engine, "connect", limit)
    try:
        ran = run(*fight, "--store", "S")
    finally:
        event.remove(Engine, "connect", limit)
    is_refused(ran, code=4)
    assert ran.err == (
        "arena: store 'S': database or disk is full; when that is mended: arena resume S 2\n"
    )
    assert run("verify", "S").code == 0
    (_, row) = json.loads(run("runs", "--store", "S", "--format", "json").out)["runs"]
    assert 0 < row["played"] < row["games"] == 600
    assert run("resume", "S") == whole


@pytest.mark.slow
def test_a_player_that_ends_its_process_is_a_fault_and_is_tried_again(run: Run) -> None:
    Path("bot.py").write_text(
        "import os\n"
        "def choose(position, rng):\n"
        "    if rng.random() < 0.02:\n"
        "        os._exit(3)\n"
        "    return rng.choice(position.legal_moves())\n"
    )
    fight = ("fight", "./bot.py", "monkey", "-n", "20", "--seed", "1", "--isolation", "none")
    plain = run(*fight)
    assert plain.code == 4
    assert "ended with exit code 3" in plain.err
    assert run(*fight, "--store", "S", "-j", "1") == plain
    assert run("resume", "S", "-j", "3") == plain
    assert run("verify", "S").code == 0


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    few(
        [
            (("monkey", "monkey", "-n", "20"), 3, "ndecided"),
            (("triples", "monkey", "--elo1", "100"), 0, "H1"),
            (("monkey", "triples"), 1, "H0"),
        ],
        2,
    ),
)
def test_a_sequential_test_says_by_its_exit_code_what_it_decided(
    run: Run, argv: tuple[str, ...], code: int, words: str
) -> None:
    command = ("fight", *argv, "--sprt", "--seed", "1")
    ran = run(*command, "--store", "S")
    assert (ran.code, ran.err) == (code, "")
    assert words in ran.out.splitlines()[0]
    assert run(*command) == ran
    assert run(*command, "-j", "1", "--executor", "serial") == ran
    assert run("resume", "S", "1") == ran
    assert run("show", "--store", "S") == (0, ran.out, "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--elo0", "3"), ["--elo0 goes with --sprt"]),
        (("--elo1", "0"), ["--elo1 goes with --sprt"]),
        (("--alpha", "0.1"), ["--alpha goes with --sprt"]),
        (("--beta", "0.1"), ["--beta goes with --sprt"]),
        (("--model", "normalized"), ["--model goes with --sprt"]),
        (("--sprt", "--elo0", "5", "--elo1", "5"), ["elo0 5", "must be less than elo1 5"]),
        (("--sprt", "--elo0", "50"), ["elo0 50", "must be less than elo1 10"]),
        (("--sprt", "--alpha", "0"), ["alpha"]),
        (("--sprt", "--beta", "1.5"), ["beta"]),
        (("--sprt", "--alpha", "0.6", "--beta", "0.6"), ["alpha"]),
        (("--sprt", "--elo1", "nan"), ["must be a number, not 'nan'"]),
        (("--sprt", "--elo1", "much"), ["must be a number, not 'much'"]),
        (("--sprt", "--elo1", "1e9"), ["4000"]),
        (("--sprt", "--model", "gaussian"), ["'gaussian'", "logistic, normalized"]),
        (("--sprt", "--exact"), ["--exact"]),
        (("--sprt", "--engine", "table"), ["'table'"]),
        (("--sprt", "-n", "0"), ["at least 1"]),
    ],
    ids=" ".join,
)
def test_a_sequential_test_that_makes_no_sense_is_one_line(
    run: Run, options: tuple[str, ...], words: list[str]
) -> None:
    is_refused(run("fight", "monkey", "triples", "-n", "5", *options, "--store", "S"), *words)


def test_the_default_cap_is_what_the_help_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.api.fights.DEFAULT_CAP", 20_000)
    record = json.loads(run(*SPRT, "--format", "json").out)
    assert record["sprt"]["cap"] == 20_000
    assert record["schema"] == "arena.fight/1"
    assert record["sprt"]["schema"] == "arena.sprt/1"
    assert "20000" in run("fight", "--help").out


def test_nobody_loads_the_database_who_keeps_no_games() -> None:
    code = (
        "import sys; from arena.cli import main;"
        "code = main(['fight', 'monkey', 'triples', '-n', '2', '--executor', 'serial']);"
        "sys.exit('loaded' if 'sqlalchemy' in sys.modules or 'sqlite3' in sys.modules else code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_run_is_begun_before_the_first_game_and_its_file_alone_is_left(run: Run) -> None:
    assert main([*FIGHT, "--store", "S"]) == 0
    assert set(os.listdir()) == {"S", "S-lock"}
    os.unlink("S-lock")
    assert run("verify", "S").code == 0
    assert run("resume", "S", "1").code == 0


@pytest.mark.parametrize("command", LOOKS)
def test_a_store_is_named_with_and_without_the_option(stored: Run, command: str) -> None:
    form = () if command in ("runs", "verify", "resume") else ("--format", "json")
    plain = stored(command, "S", *form)
    assert plain.code == 0
    assert stored(command, "--store", "S", *form) == plain
    assert stored(command, "S", "--store", "S", *form) == plain
    is_refused(stored(command, "S", "--store", "T"), "one store at a time, not 'S' and 'T'")
    is_refused(stored(command, ""), "is empty, not the name of a store")


def test_a_whole_number_is_a_run(stored: Run, monkeypatch: pytest.MonkeyPatch, made: Path) -> None:
    second = stored("show", "--store", "S", "2")
    assert second.code == 0
    assert stored("show", "S", "2") == stored("show", "2", "S") == second
    monkeypatch.setenv("ARENA_STORE", "S")
    assert stored("show", "2") == second
    assert stored("show", "2", str(made)) == second
    assert stored("browse", "2", "1", "S").out == stored("browse", "1", "2").out
    is_refused(stored("show", "1", "2"), "one run at a time, not 1 and 2")
    is_refused(stored("verify", "2"), "arena verify takes no run: a store that is called 2 is ./2")
    is_refused(stored("fight", "monkey", "triples", "S"), "'S', did you mean --store S?")
