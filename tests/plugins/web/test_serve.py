"""``arena serve`` with what goes wrong: one clear answer each, and the server stays up."""

from __future__ import annotations

import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.main import main
from benchmarks.serving import PATIENCE, Served, serving
from tests.golden import Wording

pytestmark = pytest.mark.needs("starlette", "uvicorn")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = tmp_path / "s.db"
    arena.fight("monkey", "tictactoe1", n=3, seed=1, store=store, engine="calls")
    return store


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that the command complained with."""
    captured = capsys.readouterr()
    [line] = captured.err.splitlines()
    assert captured.out == ""
    return line


def test_a_port_that_is_taken_is_named(
    capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    wording(said(capsys), "127.0.0.1", "--port", f"{port}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["no.db"],
        ["."],
        ["text.db"],
        ["newer.db"],
        ["--host", "no.such.host.invalid"],
        ["--port", "65536"],
    ],
)
def test_what_cannot_be_served_is_named_at_the_start(
    arguments: list[str],
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wording: Wording,
) -> None:
    monkeypatch.chdir(store.parent)
    Path("text.db").write_text("no store at all, but long enough to be read as a file of text" * 9)
    store.rename("newer.db")
    with sqlite3.connect("newer.db") as connection:
        connection.execute("UPDATE arena_store SET version = 999")
    assert main(["serve", "--port", "0", *arguments]) == 2
    wording(capsys.readouterr().err.splitlines()[-1])


def damage(store: Path) -> None:
    with open(store, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 200_000)


def use_newer_version(store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("UPDATE arena_store SET version = 999")


@pytest.mark.parametrize("spoil", [Path.unlink, damage, use_newer_version])
def test_a_store_that_is_spoilt_later_is_answered_with_a_page(
    spoil: Callable[[Path], None], store: Path
) -> None:
    with serving(store) as served:
        assert served.ask("/runs/1").status == 200
        content = store.read_bytes()
        spoil(store)
        for path in ("/", "/runs/1", "/runs/1/watch"):
            answer = served.ask(path)
            assert answer.status in (404, 503)
            assert str(store.parent) not in answer.text
            assert "<h1>" in answer.text
        store.write_bytes(content)
        assert served.ask("/").status == 200


def test_a_store_that_another_process_writes_is_shown(store: Path) -> None:
    with serving(store) as served, sqlite3.connect(store, isolation_level=None) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM games")
        assert "6</td>" in served.ask("/").text
        connection.execute("ROLLBACK")


def test_no_store_and_no_games_have_pages_of_their_own(
    tmp_path: Path, store: Path, wording: Wording
) -> None:
    with serving() as served:
        wording.line(served.ask("/").text, "arena serve STORE")
        assert served.ask("/runs/1").status == 404
        assert served.ask("/runs/1/events").status == 404
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM games")
        connection.execute("UPDATE runs SET finished = NULL")
    with serving(store) as served:
        assert "open: watch" in served.ask("/").text
        assert served.ask("/runs/1").status == 200
        assert "&#34;played&#34;: 0" in served.ask("/runs/1/watch").text


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_and_its_streams(
    number: signal.Signals, code: int, store: Path
) -> None:
    with serving(store) as served, stream(served) as connection:
        assert b"data: " in read_until(connection, b"\n\ndata: ", b"data: ")
        served.process.send_signal(number)
        assert served.process.wait(PATIENCE) == code
        assert served.process.stdout is not None
        assert len(served.process.stdout.read().splitlines()) == 1


def stream(served: Served, last: str = "") -> socket.socket:
    """Open a stream of events of run 1."""
    known = f"Last-Event-ID: {last}\r\n" if last else ""
    head = f"GET /runs/1/events HTTP/1.1\r\nHost: localhost\r\n{known}\r\n"
    return served.connect(head.encode())


def read_until(connection: socket.socket, *ends: bytes) -> bytes:
    """Read until one of these texts has come."""
    result = b""
    while not any(end in result for end in ends):
        part = connection.recv(65_536)
        assert part, result
        result += part
    return result


def test_a_stream_tells_new_games_and_goes_on_after_the_last_event(store: Path) -> None:
    with serving(store) as served:
        with stream(served) as connection:
            text = read_until(connection, b"data: ").decode()
        last = text.partition("id: ")[2].partition("\n")[0]
        with stream(served, last) as again:
            read_until(again, b"retry: ")
            time.sleep(1)  # two looks at the store, which find nothing new
            with sqlite3.connect(store) as writing:
                writing.execute(
                    "INSERT INTO games (run, fight, pair, half, moves, outcome, seconds)"
                    " SELECT run, fight, 4, half, moves, outcome, seconds FROM games WHERE pair = 3"
                )
            text = read_until(again, b"data: ").decode()
        assert f"id: {last}\n" not in text
        assert '"played": 8' in text
