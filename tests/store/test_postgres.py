"""A store on a server: what is refused, what is tried again, and what nobody gets to see."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

import arena
from arena.errors import StoreError, UsageError
from arena.store import migrations, schema
from arena.store import postgres as backend
from arena.store.lock import refusal
from arena.store.sql import Store
from benchmarks.postgres import PASSWORD, USER
from benchmarks.postgres import Server as Postgres
from tests.golden import Wording
from tests.store.conftest import eventually

if TYPE_CHECKING:
    from tests.conftest import Run

here = pytest.mark.needs("postgres", "psycopg")


@pytest.fixture
def url(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    return postgres.create()


def refused(run: Run, *argv: str) -> str:
    """Run a command that does not work, and return its only line."""
    ran = run(*argv)
    assert ran.code in (2, 4)
    assert (ran.out, ran.err.count("\n")) == ("", 1)
    return ran.err


@pytest.mark.parametrize(
    "url",
    [
        "mysql://anna:geheim@host/games",
        "postgresql://anna:ge@heim@host/games",
        "postgresql://anna:geheim@host:port/games",
        "postgresql://anna:geheim",
        "postgres://anna:geheim@host:1/games?password=geheim&connect_timeout=x",
    ],
)
@pytest.mark.parametrize("command", ["runs", "unknown", "fight"])
@pytest.mark.needs("psycopg")
def test_no_message_has_a_password(run: Run, url: str, command: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    argv = (command, url, "--log-file", str(log))
    for words in (argv, (*argv, "--store", url), ("fight", "monkey", "triples", "--store", url)):
        ran = run(*words)
        assert ran.code in (2, 4)
        assert ran.err.count("\n") == 1
        assert "heim" not in ran.out + ran.err
        assert not log.exists() or "heim" not in log.read_text()


def test_a_contest_file_has_no_password(run: Run, tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "contest.toml"
    file.write_text('store = "postgresql://anna:geheim@host/games"\n')
    message = refused(run, "tournament", str(file))
    wording(message)
    assert "geheim" not in message


def test_without_the_driver_a_line_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    message = refused(run, "runs", "postgresql://anna@host/games")
    wording(message, "'proving-arena[postgres]'")


@here
def test_the_password_of_the_url_goes_nowhere(
    run: Run, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    secret = "geheim%407%2F%3F%25"
    shown = postgres.create()
    url = shown.replace(USER, f"{USER}:{secret}", 1)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    Path("seen.py").write_text(
        "import arena, pathlib\n@arena.hookimpl\ndef arena_run_start(run):\n"
        "    pathlib.Path('seen').write_text(f'{run} {run.arguments} {vars(run)}')\n"
    )
    play = ("-p", "./seen.py", "fight", "monkey", "triples", "-n", "2", "--store", url)
    assert run(*play, "--executor", "serial", "-vv", "--log-file", "log").code == 0
    assert shown.rpartition("@")[2] in Path("seen").read_text()
    results = [run("verify", url, "--format", "json"), run("export", url), run("copy", url, "S")]
    results.append(run("report", url, "S", "-o", "report.html"))
    results += [run("show", url, "--store", "other"), run("show", url, "9")]
    assert "geheim" not in "".join(ran.out + ran.err for ran in results)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"geheim" not in path.read_bytes(), path
    with pytest.raises(StoreError) as caught:
        Store(url.replace(secret, "wrong-geheim"))
    assert "geheim" not in str(caught.value) + repr(caught.value.__cause__)


@here
def test_a_server_that_cannot_be_used_is_said_in_one_line(
    run: Run, postgres: Postgres, url: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    play = ("fight", "monkey", "triples", "-n", "1", "--store")
    wording(refused(run, "show", url))
    assert 'database "none" does not exist' in refused(run, *play, postgres.url("none"))
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        assert "refused" in refused(run, *play, f"postgresql://{USER}@127.0.0.1:{port}/games")
    assert "invalid connection option" in refused(run, *play, f"{url}?colour=red")
    postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    assert " LATIN1" in refused(run, *play, postgres.url("latin"))
    with monkeypatch.context() as patch:
        patch.setattr(backend, "MIN_VERSION", 99)
        message = refused(run, *play, url)
        assert " 99 " in message
    monkeypatch.setenv("PGPASSWORD", "wrong")
    assert "password authentication failed" in refused(run, *play, url)


@here
def test_rights_are_enough_to_read_or_said_in_one_line(
    run: Run, postgres: Postgres, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = url.rpartition("/")[2]
    guest = postgres.url(database, "guest")
    postgres.execute(f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'")
    play = ("fight", "monkey", "triples", "-n", "1", "--store")
    assert "permission denied for schema public" in refused(run, *play, guest)
    assert run(*play, url).code == 0
    assert "permission denied for table" in refused(run, "show", guest)
    postgres.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest", database)
    assert run("show", guest) == run("show", url)
    assert run("copy", guest, url).code == 0
    assert "permission denied for table" in refused(run, *play, guest, "--again")
    later = ("ALTER TABLE runs ADD COLUMN label TEXT",)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, later))
    assert "must be owner of table" in refused(run, "show", guest)


@here
def test_the_server_ends_a_silent_machines_session_after_about_15_seconds(url: str) -> None:
    with Store(url, create=True).database.begin("read") as connection:
        results = [
            connection.exec_driver_sql(f"SHOW tcp_{name}").scalar_one()
            for name in ("keepalives_idle", "keepalives_interval", "keepalives_count")
        ]
        answer = connection.exec_driver_sql("SHOW tcp_user_timeout").scalar_one()
    assert (results, answer) == (["5", "3", "3"], "15000")


@here
@pytest.mark.slow
def test_a_server_that_does_not_answer_is_given_up(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        message = refused(run, "runs", f"postgresql://{USER}@127.0.0.1:{port}/games")
    assert "timeout expired" in message


def lose_answers(monkeypatch: pytest.MonkeyPatch, then: Any = lambda lock: None) -> list[str]:
    """Have every commit of a run be kept, but its first answer be lost."""
    real, lost = backend.SessionLock._done, list[str]()

    def done(lock: backend.SessionLock, work: Any, again: bool) -> Any:
        result = real(lock, work, again)
        if again:
            return result
        lost.append("lost")
        then(lock)
        raise backend.Lost("the answer is lost")

    monkeypatch.setattr(backend.SessionLock, "_done", done)
    return lost


@here
def test_what_a_lost_commit_has_kept_is_not_written_twice(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = arena.fight("monkey", "triples", 4, seed=1)
    lost = lose_answers(monkeypatch)
    again = arena.fight("monkey", "triples", 4, seed=1, store=url, executor="serial")
    assert len(lost) > 1
    assert again.total == played.total
    assert arena.show(url) == again
    assert arena.verify(url).divergence is None


@here
def test_work_outside_of_runs_is_done_again_when_the_connection_is_lost(url: str) -> None:
    results = list[bool]()

    def work(_: object, again: bool) -> str:
        results.append(again)
        if not again:
            raise backend.Lost("the answer is lost")
        return "done"

    assert Store(url, create=True).keep(work) == "done"
    assert results == [False, True]


@here
def test_games_that_another_process_has_played_meanwhile_stop_the_run(
    url: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = url.rpartition("/")[2]
    change = "UPDATE games SET seconds = seconds + 1"
    lose_answers(monkeypatch, lambda _: postgres.execute(change, database))
    with pytest.raises(StoreError, match=r"run 1 "):
        arena.fight("monkey", "triples", 4, seed=1, store=url, executor="serial")


def seed_of(url: str) -> object:
    return arena.stored_runs(url).rows[0]["seed"]


@here
def test_who_has_lost_the_lock_to_another_process_writes_nothing(
    url: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "MAX_RETRY_SECONDS", 0.3)
    arena.fight("monkey", "triples", 1, seed=1, store=url)
    store = Store(url)
    lock = store.lock(1)
    postgres.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1"
    )
    eventually(lambda: not postgres.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'"))
    with Store(url).lock(1):
        with pytest.raises(StoreError, match=re.escape(str(refusal(1, store.name)))):
            lock.keep(lambda connection, _: connection.execute(update(schema.runs).values(seed=0)))
        with pytest.raises(UsageError, match=re.escape(str(refusal(1, store.name)))):
            store.lock(1)
    assert seed_of(url) == 1
    lock.keep(lambda connection, _: connection.execute(update(schema.runs).values(seed=2)))
    lock.release()
    assert seed_of(url) == 2


HOLD = """
import os, sys, time
from arena.store.sql import Store
lock = Store(sys.argv[1]).lock(1)
child = os.fork()
if child:
    print(child, flush=True)
time.sleep(600)
"""


@here
def test_a_lock_ends_with_its_process_though_a_forked_one_lives_on(url: str) -> None:
    arena.fight("monkey", "triples", 1, seed=1, store=url)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            with pytest.raises(UsageError, match=re.escape(str(refusal(1, Store(url).name)))):
                Store(url).lock(1)
            holder.kill()

            def is_free() -> bool:
                try:
                    Store(url).lock(1).release()
                except UsageError:
                    return False
                return True

            eventually(is_free)
            os.kill(child, 0)  # it lives
        finally:
            os.kill(child, signal.SIGKILL)


@here
def test_several_processes_can_make_a_store_at_the_same_time(url: str) -> None:
    make = "import sys; from arena.store.sql import Store; Store(sys.argv[1], create=True)"
    crew = [subprocess.Popen([sys.executable, "-c", make, url]) for _ in range(4)]
    assert [process.wait() for process in crew] == [0] * 4
    assert arena.stored_runs(url).rows == ()


@here
@pytest.mark.slow
def test_two_runs_can_be_written_at_the_same_time(url: str, run: Run) -> None:
    plays = [("fight", "monkey", "triples", "-n", "1500", "--seed", seed) for seed in "12"]
    python = [sys.executable, "-m", "arena"]
    own = ["--engine", "calls", "-j", "1", "--store", url]
    crew = [subprocess.Popen([*python, *play, *own], stdout=subprocess.PIPE) for play in plays]
    assert [process.communicate()[0].decode() for process in crew] == [
        run(*play, "--engine", "calls").out for play in plays
    ]
    assert [process.returncode for process in crew] == [0, 0]
    assert arena.verify(url).divergence is None
    games = [(row["run"], row["played"]) for row in arena.stored_runs(url).rows]
    assert games == [(1, 3000), (2, 3000)]


@here
def test_runs_are_numbered_one_by_one_though_the_server_restarts(
    url: str, postgres: Postgres
) -> None:
    for seed in (1, 2):
        arena.fight("monkey", "triples", 1, seed=seed, store=url)
        arena.regress(["tictactoe1"], store=url)
        postgres.kill()
        postgres.start()
    runs = arena.stored_runs(url)
    assert [row["run"] for row in runs.rows] == [1, 2]
    with Store(url).read() as connection:
        numbers = connection.execute(select(schema.regression_runs.c.id)).scalars()
        assert list(numbers) == [1, 2]
