"""A server that fails in the middle of a run: one line, and what was kept can be gone on with."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from benchmarks.postgres import PASSWORD, Server, running_server

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.needs("postgres", "psycopg"), pytest.mark.timeout(240)]

PLAY = ("fight", "monkey", "triples", "-n", "4000", "--seed", "1", "--engine", "calls")

#: Megabytes of the server's disk.
DISK = 160

#: Bytes that are left on it: less than the games take.
LEFT = 200_000


@pytest.fixture
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a small disk of its own, which every user may enter."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=1777", "none", folder]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            pytest.skip("needs mount, which root may use outside most containers")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def fill(disk: Path) -> Path:
    """Fill a disk but for a few bytes."""
    file, state = disk / "filler", os.statvfs(disk)
    with file.open("wb") as filler:
        for _ in range((state.f_bavail * state.f_frsize - LEFT) // 4096):
            filler.write(bytes(4096))
    return file


@pytest.mark.usefixtures("password")
def test_a_server_whose_disk_is_full_stops_the_run_and_loses_nothing(run: Run, disk: Path) -> None:
    with running_server(parent=disk) as server:
        url = server.create()
        assert run("fight", "monkey", "monkey", "-n", "1", "--store", url).code == 0
        filler = fill(disk)
        ran = run(*PLAY, "--store", url)
        assert (ran.code, ran.err.count("\n")) == (4, 1)
        assert ": could not extend file" in ran.err
        assert ran.err.endswith(f": arena resume {url} 2\n")
        filler.unlink()
        assert_gone_on_with(run, url)


def assert_gone_on_with(run: Run, url: str) -> None:
    whole = run(*PLAY)
    resumed = run("resume", url, "2")
    assert (resumed.code, resumed.err) == (0, "")
    assert resumed.out == whole.out
    assert run("verify", url).code == 0


FULL = """
CREATE FUNCTION full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM games) > 500 THEN
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER full_disk AFTER INSERT ON games EXECUTE FUNCTION full();
"""


@pytest.mark.usefixtures("password")
def test_a_server_that_refuses_games_is_not_asked_again_and_again(
    run: Run, postgres: Server
) -> None:
    url = postgres.create()
    database = url.rpartition("/")[2]
    assert run("fight", "monkey", "monkey", "-n", "1", "--store", url).code == 0
    postgres.execute(FULL, database)
    ran = run(*PLAY, "--store", url)
    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert ": could not extend file" in ran.err
    assert ran.err.endswith(f": arena resume {url} 2\n")
    postgres.execute("DROP TRIGGER full_disk ON games", database)
    assert_gone_on_with(run, url)


@pytest.mark.usefixtures("password")
def test_a_connection_that_is_ended_again_and_again_costs_no_game(
    postgres: Server,
) -> None:
    url = postgres.create()
    database = url.rpartition("/")[2]
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
    ended = 0

    def cut(*_: Any) -> None:
        nonlocal ended
        ended += 1
        if ended % 3 == 1:
            postgres.execute(end)

    options: Any = {"n": 4000, "seed": 1, "engine": "calls", "workers": 2}
    result = arena.fight("monkey", "triples", store=url, on_progress=cut, **options)
    assert ended > 3
    assert result == arena.fight("monkey", "triples", **options) == arena.show(url)
