"""The promise: whatever ends a run, and when, nothing is lost and it can be gone on with."""

from __future__ import annotations

import random
import shlex
import signal
import time
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.golden import Wording

if TYPE_CHECKING:
    from tests.store.conftest import Folder, Rows

#: The slow player writes to a file, which nobody else's player may.
HERE = ("--isolation", "none")
TOURNAMENT = ("tournament", "./bot.py", "monkey", "triples", "-n", "16", "--seed", "7", *HERE)
#: All its games, and those of the slow player.
GAMES, SLOW_GAMES = 96, 64
SPRT = ("fight", "./bot.py", "triples", "--sprt", "--elo0=-40", "--elo1=-20", "--seed", "5", *HERE)
KEEP = ("--store", "S")
JSON = ("--format", "json")


class Undisturbed(NamedTuple):
    """What a command prints when nobody kills it, and how long it takes."""

    code: int
    table: str
    json: str
    seconds: float


def undisturbed(folder: Folder, *argv: str) -> Undisturbed:
    code, table, err = folder.arena(*argv)
    assert err == ""
    json = folder.arena(*argv, *JSON).out
    begun = time.monotonic()
    ran = folder.arena(*argv, "--store", argv[0], "-j", "2")
    assert ran == (code, table, "")
    return Undisturbed(code, table, json, time.monotonic() - begun)


@pytest.fixture(scope="module")
def tournament(elsewhere: Folder) -> Undisturbed:
    return undisturbed(elsewhere, *TOURNAMENT)


@pytest.fixture(scope="module")
def sprt(elsewhere: Folder) -> Undisturbed:
    return undisturbed(elsewhere, *SPRT)


def kill_again_and_again(
    folder: Folder, rng: random.Random, argv: tuple[str, ...], kills: int, seconds: float
) -> tuple[str, ...]:
    """Begin a run, kill it, go on with it, kill it ...; return the command that goes on.

    The first kill may come before the store is made, and the run cannot have ended by then.
    The second comes as soon as games are stored.  The others come at any moment.
    """
    known: Rows = {}
    inside = 0
    allowed = folder.path / "allowed"
    allowed.write_text("20")
    for kill in range(kills):
        begin = folder.begin if kill else folder.arena.start
        process = begin(*argv, "-j", str(rng.randint(1, 3)))
        if kill == 1:
            allowed.unlink()
            folder.wait_for_more_games_than(len(known))
        else:
            time.sleep(rng.random() * seconds * 0.9)
        process.signal(signal.SIGKILL, group=rng.random() < 0.5)
        ran = process.wait()
        assert "Traceback" not in ran.err
        rows = folder.rows()
        assert {key: rows.get(key) for key in known} == known, "a game was lost or changed"
        known = rows
        inside += bool(rows) and ran.code == -signal.SIGKILL
        if folder.has_run:
            argv = ("resume", "S", "1")
    assert inside > 0
    return argv


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_tournament_killed_again_and_again_comes_to_the_same_bytes(
    folder: Folder, tournament: Undisturbed, seed: int
) -> None:
    rng = random.Random(seed)
    argv = kill_again_and_again(folder, rng, (*TOURNAMENT, *KEEP), 7, tournament.seconds)
    known, begun = folder.rows(), folder.games_begun
    ran = folder.arena(*argv, "-j", str(rng.randint(1, 3)))
    assert ran == (0, tournament.table, "")
    played_before = sum(key[1] in (0, 1) for key in known)
    assert folder.games_begun - begun == SLOW_GAMES - played_before, "just what was missing"
    rows = folder.rows()
    assert {key: rows[key] for key in known} == known
    assert len(rows) == GAMES
    assert folder.arena("resume", "S", "1", *JSON) == (0, tournament.json, "")
    assert folder.arena("show", *KEEP, *JSON) == (0, tournament.json, "")
    assert folder.arena("verify", "S").code == 0
    assert folder.rows() == rows
    assert folder.games_begun - begun == SLOW_GAMES - played_before


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_sequential_test_killed_again_and_again_decides_at_the_same_pair(
    folder: Folder, sprt: Undisturbed, seed: int
) -> None:
    assert sprt.code == 1
    argv = kill_again_and_again(folder, random.Random(seed), (*SPRT, *KEEP), 4, sprt.seconds)
    assert folder.arena(*argv) == (sprt.code, sprt.table, "")
    rows = folder.rows()
    assert folder.arena("resume", "S", "1", *JSON) == (sprt.code, sprt.json, "")
    assert folder.arena("show", *KEEP, *JSON) == (0, sprt.json, "")
    assert folder.arena("verify", "S").code == 0
    assert folder.rows() == rows


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "2"])
@pytest.mark.parametrize(
    ("signum", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["ctrl-c", "term"],
)
def test_an_interrupt_prints_what_there_is_and_says_how_to_go_on(
    folder: Folder,
    tournament: Undisturbed,
    signum: int,
    code: int,
    said: str,
    workers: str,
    wording: Wording,
) -> None:
    process = folder.begin(*TOURNAMENT, *KEEP, *JSON, "-j", workers)
    time.sleep(tournament.seconds / 6)
    process.signal(signum, group=True)
    ran = process.wait()
    assert ran.code == code
    advice, last = ran.err.splitlines()
    wording(advice)
    assert last == f"arena: {said}"
    rows = folder.rows()
    assert len(rows) < GAMES
    partial = [(fight["games"], fight["unfinished"]) for fight in loads(ran.out)["fights"]]
    for fight, (games, unfinished) in enumerate(partial):
        assert games <= sum(key[1] == fight for key in rows), "what is printed is on the disk"
        assert unfinished == (None if games == GAMES // 3 else "interrupted")
    assert folder.arena("show", *KEEP).out.splitlines()[0].split()[:2] == ["rank", "player"]
    resumed = folder.arena(*shlex.split(advice)[5:])
    assert resumed == (0, tournament.table, "")
    after = folder.rows()
    assert {key: after[key] for key in rows} == rows


@pytest.mark.slow
def test_an_interrupted_sequential_test_goes_on_too(folder: Folder, sprt: Undisturbed) -> None:
    process = folder.begin(*SPRT, "--store", "a store")
    time.sleep(sprt.seconds / 4)
    process.signal(signal.SIGINT, group=True)
    ran = process.wait()
    assert ran.code == 130
    assert ran.out.startswith("Draw: ")
    hint, last = ran.err.splitlines()
    assert hint.endswith(": arena resume 'a store' 1")
    assert last == "arena: interrupted"
    assert folder.arena("resume", "a store").out == sprt.table


@pytest.mark.slow
def test_the_signal_of_a_lost_terminal_loses_no_game(
    folder: Folder, tournament: Undisturbed
) -> None:
    process = folder.begin(*TOURNAMENT, *KEEP)
    process.signal(signal.SIGHUP, group=True)
    assert process.wait().code in (-signal.SIGHUP, 128 + signal.SIGHUP)
    assert folder.arena("resume", "S", "1").out == tournament.table


@pytest.mark.slow
def test_a_store_without_the_end_of_its_log_is_an_earlier_store(
    folder: Folder, tournament: Undisturbed
) -> None:
    process = folder.begin(*TOURNAMENT, *KEEP)
    log = folder.path / "S-wal"
    for _ in range(200):
        time.sleep(0.001)
        if log.exists() and log.stat().st_size > 4096:
            process.signal(signal.SIGKILL, group=True)
            break
    process.wait()
    if log.exists():
        content = log.read_bytes()
        log.write_bytes(content[: len(content) // 2])
        Path(f"{folder.path / 'S'}-shm").unlink(missing_ok=True)
    folder.rows()
    assert folder.arena("resume", "S", "1").out == tournament.table


TABLES = (
    "tournament",
    "./bot.py",
    "monkey",
    "a=monkey",
    "b=monkey",
    "-n",
    "4",
    "--seed",
    "7",
    *HERE,
)
AT_TABLES = (*TABLES, "--game", "mnk-3-3-3-x3")


@pytest.fixture(scope="module")
def tables(elsewhere: Folder) -> Undisturbed:
    return undisturbed(elsewhere, *AT_TABLES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_tables_killed_again_and_again_come_to_the_same_bytes(
    folder: Folder, tables: Undisturbed, seed: int
) -> None:
    rng = random.Random(seed)
    folder.games_a_pair = 3
    argv = kill_again_and_again(folder, rng, (*AT_TABLES, *KEEP), 5, tables.seconds)
    assert folder.arena(*argv, "-j", "2") == (0, tables.table, "")
    assert len(folder.rows()) == 48, "four tables, four blocks, three games"
    assert folder.arena("show", *KEEP, *JSON) == (0, tables.json, "")
    assert folder.arena("verify", "S").code == 0


#: The slow player is called, and the others play each other by batches.
MIXED = ("tournament", "./bot.py", "lms", "lines", "-n", "16", "--seed", "7", *HERE)


@pytest.fixture(scope="module")
def mixed(elsewhere: Folder) -> Undisturbed:
    return undisturbed(elsewhere, *MIXED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_run_of_two_engines_killed_again_and_again_comes_to_the_same_bytes(
    folder: Folder, mixed: Undisturbed, seed: int
) -> None:
    rng = random.Random(seed)
    assert loads(mixed.json)["engine"] == "batch, calls"
    argv = kill_again_and_again(folder, rng, (*MIXED, *KEEP), 5, mixed.seconds)
    assert folder.arena(*argv, "-j", "2") == (0, mixed.table, "")
    assert len(folder.rows()) == GAMES
    assert folder.arena("resume", "S", "1", *JSON) == (0, mixed.json, "")
    assert folder.arena("show", *KEEP, *JSON) == (0, mixed.json, "")
    assert folder.arena("verify", "S").code == 0
