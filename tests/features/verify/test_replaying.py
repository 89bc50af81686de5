"""Stores whose games are played again: the same games, or the first that is another."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.store.code import code_digest
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.wasm.modules import ANY, text_of, write

FIRST = "def choose(position, rng):\n    return position.legal_moves()[0]\n"
LAST = FIRST.replace("[0]", "[-1]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    "words",
    [
        ("fight", "monkey", "tictactoe1", "-n", "30"),
        ("fight", "monkey", "tictactoe1", "-n", "5", "--openings", "random:2"),
        ("fight", "monkey", "cfr:iterations=10", "-n", "9", "--game", "kuhn"),
        ("fight", "monkey", "a=monkey", "b=monkey", "-n", "4", "--game", "mnk-3-3-3-x3"),
        ("tournament", "monkey", "tictactoe1", "heuristic", "-n", "4"),
        ("tournament", "monkey", "tictactoe1", "heuristic", "tree", "--schedule", "swiss:2"),
    ],
)
def test_games_come_out_the_same(words: tuple[str, ...], workers: str, run: Run) -> None:
    assert run(*words, "--seed", "5", "--store", "s.db").code == 0
    ran = run("verify", "s.db", "--replay", "-j", workers, "--format", "json")
    assert ran.code == 0
    report = json.loads(ran.out)
    assert report["replayed"] == report["games"] > 0


@pytest.mark.slow
def test_files_and_modules_play_again(run: Run, wording: Wording) -> None:
    Path("bot.py").write_text(FIRST)
    players = ["./bot.py", write(Path("any.wasm"), text_of(ANY))]
    assert run("fight", *players, "-n", "3", "--seed", "1", "--store", "s.db").code == 0
    ran = run("verify", "s.db", "--replay")
    assert ran.code == 0
    wording(ran.out)
    Path("bot.py").write_text(LAST)
    changed = run("verify", "s.db", "--replay")
    assert changed.code == 2
    wording(changed.err)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_game_that_comes_out_otherwise_is_named(workers: str, run: Run, wording: Wording) -> None:
    """The store says that another file played these games."""
    Path("bot.py").write_text(FIRST)
    fight = ("fight", "./bot.py", "monkey", "-n", "50", "--seed", "1", "--store", "s.db")
    assert run(*fight).code == 0
    Path("bot.py").write_text(LAST)
    digest = code_digest(arena.get_player("./bot.py"))
    with closing(sqlite3.connect("s.db")) as connection, connection:
        connection.execute("UPDATE players SET digest = ? WHERE place = 0", (digest,))
    assert run("verify", "s.db").code == 0
    ran = run("verify", "s.db", "--replay", "-j", workers)
    assert ran.code == 1
    wording(ran.out)


def test_options_that_go_with_it(run: Run, wording: Wording) -> None:
    assert run("fight", "monkey", "tree", "-n", "1", "--store", "s.db").code == 0
    ran = run("verify", "s.db", "-j", "2")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.nightly
def test_games_that_were_never_played_are_not_counted(run: Run, wording: Wording) -> None:
    """A player that forfeits its first games forfeits the rest of a tournament unplayed."""
    Path("bad.py").write_text("def choose(position, rng):\n    raise ValueError\n")
    words = ("tournament", "./bad.py", "monkey", "tree", "-n", "20", "--seed", "1")
    run(*words, "--store", "s.db")
    ran = run("verify", "s.db", "--replay", "--format", "json")
    assert ran.code == 0, ran.out
    report = json.loads(ran.out)
    assert 0 < report["replayed"] < report["games"]
    wording(run("verify", "s.db", "--replay").out)
