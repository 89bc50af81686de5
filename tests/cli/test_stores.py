"""What a store must be, how it is named, and what is refused."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.sql import Store
from tests.cli.storing import FIGHT, LOOKS, TOURNAMENT, is_refused
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")


def make_foreign() -> None:
    with closing(sqlite3.connect("S")) as database:
        database.execute("CREATE TABLE letters (text)")
        database.commit()


def make_newer() -> None:
    Store("S", create=True)
    with closing(sqlite3.connect("S")) as database:
        database.execute("UPDATE arena_store SET version = 99")
        database.commit()


@pytest.mark.parametrize("command", ["runs", "verify", "resume", "fight"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: Path("S").mkdir(),
        lambda: Path("S").write_text("hello, world"),
        lambda: os.mkfifo("S"),
        make_foreign,
        make_newer,
    ],
    ids=["folder", "text", "pipe", "foreign", "newer"],
)
def test_what_is_no_store_is_one_line_and_left_alone(
    run: Run, command: str, make: Callable[[], object], wording: Wording
) -> None:
    make()
    before = Path("S").read_bytes() if os.path.isfile("S") else None
    argv = LOOKS.get(command) or (command, "monkey", "triples", "-n", "1", "--store", "S")
    ran = run(*argv)
    is_refused(ran)
    wording(ran.err)
    assert os.listdir() == ["S"]
    assert before is None or Path("S").read_bytes() == before


@pytest.mark.parametrize("command", LOOKS)
def test_a_store_that_is_missing_is_one_line_and_not_made(
    run: Run, command: str, wording: Wording
) -> None:
    ran = run(*LOOKS[command])
    is_refused(ran)
    wording(ran.err, "'S'")
    assert os.listdir() == []


def test_an_empty_file_becomes_a_store_when_something_is_played(run: Run) -> None:
    Path("S").touch()
    for argv in LOOKS.values():
        is_refused(run(*argv), "'S'")
    assert run(*FIGHT, "--store", "S").code == 0
    assert len(json.loads(run(*LOOKS["export"]).out)["runs"]) == 1


def test_the_folder_of_a_new_store_must_exist(run: Run) -> None:
    is_refused(run(*FIGHT, "--store", "nowhere/S"), "'nowhere/S'", "folder")
    assert os.listdir() == []


@pytest.mark.parametrize("command", ["runs", "show", "export"])
def test_a_store_must_be_named(run: Run, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, ""):
        if value is not None:
            monkeypatch.setenv("ARENA_STORE", value)
        is_refused(run(command), f"arena {command} STORE", "--store STORE")
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
    is_refused(ran, "'table'")
    assert os.listdir() == []
    long = run("fight", "monkey", "triples", "-n", "5001", "--seed", "1", "--store", "S", "-j", "2")
    assert long.code == 0
    assert "engine calls" in long.out


@pytest.mark.parametrize("name", few(["it's 50%25", "-dash", "a store", "ä→", "S?mode=ro"], 2))
def test_any_name_will_do_and_is_quoted_where_a_command_is_advised(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, wording: Wording
) -> None:
    whole = run(*FIGHT)
    from arena.store.journal import StoreJournal

    write = StoreJournal.write

    def interrupts(self: StoreJournal, fight: int, pairs: object) -> None:
        write(self, fight, pairs)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(StoreJournal, "write", interrupts)
        ran = run(*FIGHT, f"--store={name}")
    assert ran.code == 130
    advice, last = ran.err.splitlines()
    wording(advice)
    assert last == "arena: interrupted"
    words = shlex.split(advice.rpartition(": arena ")[2])
    assert words == ["resume", name, "1"]
    if not name.startswith("-"):
        assert run(*words) == whole
    assert set(os.listdir()) == {name, f"{name}-lock"}


@pytest.mark.slow
def test_nobody_loads_the_database_who_keeps_no_games() -> None:
    code = (
        "import sys; from arena.main import main;"
        "code = main(['fight', 'monkey', 'triples', '-n', '2', '--executor', 'serial']);"
        "sys.exit('loaded' if 'sqlalchemy' in sys.modules or 'sqlite3' in sys.modules else code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
