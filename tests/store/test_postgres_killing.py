"""Games on a server: whoever is killed, none is lost and none is there twice."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from benchmarks.postgres import PASSWORD, USER
from benchmarks.postgres import Server as Postgres
from tests.store.conftest import Folder, Process, eventually

pytestmark = [pytest.mark.slow, pytest.mark.needs("postgres", "psycopg"), pytest.mark.timeout(600)]

KILLS = 20
HERE = ("--isolation", "none", "--engine", "calls")
PAIRS = 60
PLAY = ("tournament", "./bot.py", "monkey", "triples", "-n", str(PAIRS), "--seed", "7", *HERE)
GAMES = 3 * 2 * PAIRS

Rows = dict[tuple[int, ...], tuple[object, ...]]


class Place(NamedTuple):
    """A folder with the slow player, a server, and the URL of a store there, with its password."""

    folder: Folder
    postgres: Postgres
    url: str
    database: str

    def rows(self) -> Rows:
        """Every game in the store, by its key."""
        tables = "SELECT count(*) FROM pg_tables WHERE tablename = 'games'"
        if self.postgres.execute(tables, self.database) == [(0,)]:
            return {}
        result = self.postgres.execute("SELECT * FROM games", self.database)
        return {row[:4]: row[4:] for row in result}

    def wait_for_more_games_than(self, number: int, process: Process) -> None:
        eventually(lambda: len(self.rows()) > number or is_done(process), 60)


def is_done(process: Process) -> bool:
    return any(file.stat().st_size for file in process.files)


@pytest.fixture
def place(folder: Folder, postgres: Postgres) -> Iterator[Place]:
    url = postgres.create()
    database = url.rpartition("/")[2]
    login = f"{USER}:{quote(PASSWORD, safe='')}"
    yield Place(folder, postgres, postgres.url(database, login), database)
    if not (postgres.data / "postmaster.pid").exists():
        postgres.start()


@pytest.fixture(scope="module")
def undisturbed(elsewhere: Folder) -> str:
    ran = elsewhere.arena(*PLAY)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def require_whole(place: Place, known: Rows, undisturbed: str, runs: int = 1) -> None:
    """Require all games to be there, those that were known as they were, and nothing told."""
    rows, arena = place.rows(), place.folder.arena
    assert {key: rows[key] for key in known} == known
    assert len(rows) == runs * GAMES
    assert arena("show", place.url) == (0, undisturbed, "")
    assert arena("verify", place.url).code == 0
    for file in place.folder.path.glob("*[0-9]"):
        assert quote(PASSWORD, safe="") not in Path(file).read_text()


def test_a_client_that_is_killed_again_and_again_comes_to_the_same_bytes(
    place: Place, undisturbed: str
) -> None:
    rng, known, kills = random.Random(1), Rows(), 0
    again: tuple[str, ...] = (*PLAY, "--store", place.url, "--again")
    argv = again
    while kills < KILLS:
        process = place.folder.arena.start(*argv, "-j", str(rng.randint(1, 3)))
        if kills % 3:
            place.wait_for_more_games_than(len(known), process)
        time.sleep(rng.random() * 0.3)
        process.signal(signal.SIGKILL, group=rng.random() < 0.5)
        ran = process.wait()
        kills += ran.code != 0  # or it was quicker
        assert "Traceback" not in ran.err
        assert "another process" not in ran.err
        rows = place.rows()
        assert {key: rows.get(key) for key in known} == known, "a game was lost or changed"
        known = rows
        played = Counter(run for run, *_ in known)
        last = max(played, default=0)
        argv = again if played[last] in (0, GAMES) else ("resume", place.url, str(last))
    for last_argv in (argv, again):
        assert place.folder.arena(*last_argv) == (0, undisturbed, "")
    runs = len({run for run, *_ in place.rows()})
    assert runs > 1
    require_whole(place, known, undisturbed, runs)


def test_a_server_that_is_killed_again_and_again_loses_nothing(
    place: Place, undisturbed: str
) -> None:
    rng, known, kills, runs = random.Random(2), Rows(), 0, 0
    while kills < KILLS:
        process = place.folder.arena.start(*PLAY, "--store", place.url, "-j", "2", "--again")
        runs += 1
        place.wait_for_more_games_than(len(known), process)
        while kills < KILLS and not is_done(process):
            time.sleep(rng.random() * 0.1)
            place.postgres.kill()
            kills += 1
            time.sleep(rng.random() * 0.3)
            place.postgres.start()
            rows = place.rows()
            assert {key: rows.get(key) for key in known} == known, "a game was lost or changed"
            known = rows
            place.wait_for_more_games_than(len(known), process)
        assert process.wait() == (0, undisturbed, "")
    require_whole(place, known, undisturbed, runs)


@pytest.mark.nightly
def test_a_server_that_stays_away_stops_the_run_which_goes_on_later(
    place: Place, undisturbed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = place.folder.arena.start(*PLAY, "--store", place.url, "-j", "2")
    place.wait_for_more_games_than(0, process)
    known = place.rows()
    place.postgres.kill()
    ran = process.wait()
    assert (ran.code, ran.err.count("\n")) == (4, 1)
    shown = place.postgres.url(place.database)
    assert ran.err.startswith(f"arena: store '{shown}'")
    assert ran.err.endswith(f": arena resume {shown} 1\n")
    place.postgres.start()
    assert place.folder.arena("resume", place.url, "1") == (0, undisturbed, "")
    require_whole(place, known, undisturbed)
