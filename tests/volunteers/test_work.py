"""Volunteers of a real server: whatever they do, the games are those of one machine."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena.volunteers import desk
from benchmarks.serving import PATIENCE
from tests.golden import Wording
from tests.processes import wait_until
from tests.volunteers.servers import (
    Hostile,
    begin,
    complete,
    forging,
    games_of,
    rows,
    site,
    volunteers,
)

pytestmark = [pytest.mark.needs("starlette", "uvicorn"), pytest.mark.timeout(300)]

PLAYERS = ("monkey", "tictactoe1", "heuristic", "tree")
NAMES = [f"v{number}" for number in range(8)]


def expected(folder: Path, players: tuple[str, ...], n: int, **options: object) -> Path:
    """Return a store with the same tournament, played by this machine alone."""
    store = folder / "alone.db"
    arena.tournament(players, n=n, seed=5, store=store, **options)  # type: ignore[arg-type]
    return store


def assert_same(folder: Path) -> None:
    """Compare the store of volunteers with that of one machine: games, and all that is shown."""
    assert games_of(folder / "s.db") == games_of(folder / "alone.db")
    shown = [arena.show(folder / store) for store in ("s.db", "alone.db")]
    assert str(shown[0]) == str(shown[1])
    assert arena.verify(folder / "s.db").divergence is None


def test_a_volunteer_plays_a_run_to_its_end(tmp_path: Path, wording: Wording) -> None:
    begin(tmp_path / "s.db", PLAYERS, 40)
    expected(tmp_path, PLAYERS, 40)
    with site(tmp_path, ["anna"]) as at:
        process = at.volunteer("anna", "--patience", "3")
        assert complete(tmp_path / "s.db")
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        messages, played = out.splitlines()
        wording([messages, played.lstrip("0123456789")])
    assert_same(tmp_path)
    assert {row[0] for row in rows(tmp_path / "s.db", "SELECT worker FROM parts")} == {"anna"}


@pytest.mark.slow
def test_eight_volunteers_that_are_killed(tmp_path: Path) -> None:
    begin(tmp_path / "s.db", PLAYERS, 1500)
    expected(tmp_path, PLAYERS, 1500)
    with site(tmp_path, NAMES) as at, volunteers(at, NAMES) as processes:
        assert wait_until(lambda: len(games_of(tmp_path / "s.db")) > 2000, PATIENCE)
        for process in processes[:5]:
            process.send_signal(signal.SIGKILL)
        assert complete(tmp_path / "s.db")
    assert_same(tmp_path)


@pytest.mark.nightly
def test_a_forger_of_one_part_in_a_hundred(tmp_path: Path) -> None:
    players = tuple(f"m{number}=monkey" for number in range(30))
    begin(tmp_path / "s.db", players, 3)
    expected(tmp_path, players, 3)
    with site(tmp_path, ["anna", "mallory"], audit=0.85) as at:
        with Hostile(at.line("mallory"), tmp_path / "m", forging(100)) as mallory:
            assert wait_until(lambda: mallory.refused, 100)
            counted = rows(tmp_path / "s.db", "SELECT * FROM parts WHERE worker = 'mallory'")
            assert counted == []
            assert mallory.parts >= 50
        with volunteers(at, ["anna"]):
            assert complete(tmp_path / "s.db")
    assert_same(tmp_path)
    [(worker, problem)] = rows(tmp_path / "s.db", "SELECT worker, problem FROM dismissed")
    assert worker == "mallory"
    assert ": tictactoe/" in problem


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"schedule": "swiss:4"}, {"until": "best", "margin": 0.2}], ids=str
)
def test_rounds_that_a_forger_led_astray(options: dict[str, object], tmp_path: Path) -> None:
    players = (*(f"m{number}=monkey" for number in range(11)), "tictactoe1")
    begin(tmp_path / "s.db", players, 20, **options)
    expected(tmp_path, players, 20, **options)
    with site(tmp_path, ["anna", "mallory"], audit=0.3) as at:
        with Hostile(at.line("mallory"), tmp_path / "m", forging(1)) as mallory:
            assert wait_until(lambda: mallory.refused, 100)
        with volunteers(at, ["anna"]):
            assert complete(tmp_path / "s.db")
    assert_same(tmp_path)


@pytest.mark.nightly
def test_a_volunteer_that_stalls(tmp_path: Path) -> None:
    begin(tmp_path / "s.db", PLAYERS, 40)
    expected(tmp_path, PLAYERS, 40)
    with (
        site(tmp_path, ["anna", "staller"]) as at,
        Hostile(at.line("staller"), tmp_path / "m", lambda *_: None) as staller,
    ):
        assert wait_until(lambda: staller.held > 2, PATIENCE)
        with volunteers(at, ["anna"]):
            assert complete(tmp_path / "s.db")
    assert_same(tmp_path)


@pytest.mark.nightly
def test_a_server_that_is_killed_goes_on(tmp_path: Path) -> None:
    begin(tmp_path / "s.db", PLAYERS, 1500)
    expected(tmp_path, PLAYERS, 1500)
    with site(tmp_path, NAMES[:2]) as at:
        port, process = at.served.port, at.volunteer("v0", "--patience", "20")
        assert wait_until(lambda: len(games_of(tmp_path / "s.db")) > 500, PATIENCE)
        at.served.process.kill()
    with site(tmp_path, NAMES[:2], "--port", str(port)):
        assert complete(tmp_path / "s.db")
    out, _ = process.communicate(timeout=PATIENCE)
    assert " again" in out
    assert_same(tmp_path)


@pytest.mark.slow
def test_a_flood_is_bounded(tmp_path: Path) -> None:
    begin(tmp_path / "s.db", PLAYERS, 40)
    with site(tmp_path, ["anna", "flooder"]) as at:
        token = {"Authorization": f"Bearer {at.tokens['flooder']}"}
        statuses = [at.served.ask("/work", "POST", token, b"{}").status for _ in range(1200)]
        assert statuses.count(429) > 100
        huge = {**token, "Content-Length": str(17 << 20)}
        assert wait_until(lambda: at.served.ask("/work", "POST", huge).status == 413)
        assert {at.served.ask("/").status for _ in range(5)} == {200}
        with volunteers(at, ["anna"]):
            assert complete(tmp_path / "s.db")


@pytest.mark.slow
def test_another_version_is_refused(tmp_path: Path) -> None:
    begin(tmp_path / "s.db", PLAYERS, 40)
    program = (
        "import sys\n"
        "from arena.plugins.dask import facts\n"
        "facts._arena = lambda: '0.9 (00000000)'\n"
        "from arena.__main__ import main\n"
        "sys.exit(main())\n"
    )
    with site(tmp_path, ["anna"]) as at:
        command = [sys.executable, "-c", program, "work", at.served.url]
        env = {"ARENA_TOKEN": at.tokens["anna"], "PATH": "/usr/bin:/bin"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "this machine has arena 0.9 (00000000)" in done.stderr


def test_a_lease_outlasts_a_word_that_is_lost() -> None:
    assert 2 * desk.BEAT_SECONDS < desk.LEASE_SECONDS
