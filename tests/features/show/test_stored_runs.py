"""Runs that are kept: what else they need, and how one goes on."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from arena.main import main
from tests.cli.storing import FIGHT, LOOKS, SPRT, TOURNAMENT, is_refused
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "now", few([None, "raise SystemExit(7)\n", "import os\nos._exit(9)\n", "syntax error\n"])
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


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_rest_is_played_later(run: Run, wording: Wording) -> None:
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
    wording(ran.err, "'S'")
    assert run("verify", "S").code == 0
    (_, row) = json.loads(run("runs", "--store", "S", "--format", "json").out)["runs"]
    assert 0 < row["played"] < row["games"] == 600
    assert run("resume", "S") == whole


@pytest.mark.slow
def test_a_player_that_ends_its_process_is_a_fault_and_is_tried_again(
    run: Run, wording: Wording
) -> None:
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
    wording(plain.err)
    assert run(*fight, "--store", "S", "-j", "1") == plain
    assert run("resume", "S", "-j", "3") == plain
    assert run("verify", "S").code == 0


@pytest.mark.slow
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
        (("--elo0", "3"), ["--elo0", "--sprt"]),
        (("--elo1", "0"), ["--elo1", "--sprt"]),
        (("--alpha", "0.1"), ["--alpha", "--sprt"]),
        (("--beta", "0.1"), ["--beta", "--sprt"]),
        (("--model", "normalized"), ["--model", "--sprt"]),
        (("--sprt", "--elo0", "5", "--elo1", "5"), ["elo0 5", "elo1 5"]),
        (("--sprt", "--elo0", "50"), ["elo0 50", "elo1 10"]),
        (("--sprt", "--alpha", "0"), ["alpha"]),
        (("--sprt", "--beta", "1.5"), ["beta"]),
        (("--sprt", "--alpha", "0.6", "--beta", "0.6"), ["alpha"]),
        (("--sprt", "--elo1", "nan"), ["--elo1", "'nan'"]),
        (("--sprt", "--elo1", "much"), ["--elo1", "'much'"]),
        (("--sprt", "--elo1", "1e9"), ["4000"]),
        (("--sprt", "--model", "gaussian"), ["'gaussian'", "logistic", "normalized"]),
        (("--sprt", "--exact"), ["--exact"]),
        (("--sprt", "--engine", "table"), ["'table'"]),
        (("--sprt", "-n", "0"), ["-n", " 1"]),
    ],
    ids=" ".join,
)
def test_a_sequential_test_that_makes_no_sense_is_one_line(
    run: Run, options: tuple[str, ...], words: list[str]
) -> None:
    is_refused(run("fight", "monkey", "triples", "-n", "5", *options, "--store", "S"), *words)


def test_the_default_cap_is_what_the_help_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.features.fight.function.DEFAULT_CAP", 20_000)
    record = json.loads(run(*SPRT, "--format", "json").out)
    assert record["sprt"]["cap"] == 20_000
    assert record["schema"] == "arena.fight/1"
    assert record["sprt"]["schema"] == "arena.sprt/1"
    assert "20000" in run("fight", "--help").out


@pytest.mark.slow
def test_a_run_is_begun_before_the_first_game_and_its_file_alone_is_left(run: Run) -> None:
    assert main([*FIGHT, "--store", "S"]) == 0
    assert set(os.listdir()) == {"S", "S-lock"}
    os.unlink("S-lock")
    assert run("verify", "S").code == 0
    assert run("resume", "S", "1").code == 0
