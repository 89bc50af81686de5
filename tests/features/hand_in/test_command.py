"""``arena hand-in`` against a server of the test's own: what it sends, and what it says."""

from __future__ import annotations

import io
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import arena
from arena.main import main
from tests.golden import Wording

TAKEN: dict[str, Any] = {
    "schema": "arena.hand-in/1",
    "entrant": "anna",
    "number": 3,
    "received": "2026-11-23T01:02:03Z",
    "filename": "bot.py",
    "digest": "0",
    "size": 7,
    "state": "waiting",
    "report": None,
    "problem": "",
    "seconds": 0.0,
}


class Server(ThreadingHTTPServer):
    """Answers with what the test says, one answer after the other; the last stays."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[tuple[int, Any]] = []
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Notes a request and answers it."""

    server: Server

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        known = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, known, body))
        answers = self.server.answers
        status, result = answers.pop(0) if len(answers) > 1 else answers[0]
        text = result if isinstance(result, bytes) else json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_TOKEN", "a-token")
    monkeypatch.setattr("arena.features.hand_in.function.QUESTION_SECONDS", 0.01)
    Path("bot.py").write_text("# a bot")
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def in_state(state: str, **more: Any) -> tuple[int, Any]:
    return 200, {**TAKEN, "state": state, **more}


def test_a_file_is_sent_with_its_name_and_the_token_and_its_verdict_shown(
    server: Server, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    finding = {"check": "legal moves", "level": "pass", "message": "at 5 positions"}
    report = {"schema": "arena.check/1", "findings": [finding]}
    server.answers = [(201, TAKEN), in_state("checking"), in_state("passed", report=report)]
    assert main(["hand-in", f"{server.url}/", "bot.py"]) == 0
    captured = capsys.readouterr()
    wording(captured.out)
    assert "at 5 positions" in captured.out
    wording(captured.err)
    method, path, headers, body = server.asked[0]
    assert (method, path, body) == ("POST", "/hand-ins", b"# a bot")
    assert headers["authorization"] == "Bearer a-token"
    assert headers["x-file-name"] == "bot.py"
    assert server.asked[1][:2] == ("GET", "/hand-ins/3")


@pytest.mark.parametrize(("state", "code"), [("refused", 1), ("replaced", 3), ("passed", 0)])
def test_the_verdict_is_the_exit_code(server: Server, state: str, code: int) -> None:
    server.answers = [(201, TAKEN), in_state(state, problem="it forks")]
    assert main(["hand-in", server.url, "bot.py", "--format", "json"]) == code


def test_a_folder_is_packed_without_what_python_leaves_there(server: Server) -> None:
    Path("anna/data").mkdir(parents=True)
    Path("anna/__pycache__").mkdir()
    Path("anna/bot.py").write_text("")
    Path("anna/data/book.txt").write_text("e4")
    Path("anna/__pycache__/bot.pyc").write_text("")
    server.answers = [(201, TAKEN)]
    assert main(["hand-in", server.url, "anna", "--no-wait"]) == 0
    _, _, headers, body = server.asked[0]
    assert headers["x-file-name"] == "anna.zip"
    assert ZipFile(io.BytesIO(body)).namelist() == ["bot.py", "data/book.txt"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((401, {"problem": "the token is not one of this contest"}), 2),
        ((422, {"problem": "it is\nempty \x1b[31m"}), 2),
        ((503, {"problem": "many hand in just now"}), 4),
        ((500, b"<html>"), 4),
        ((200, b"<html>"), 4),
        ((302, {}), 4),
        ((201, {**TAKEN, "number": "3"}), 4),
    ],
)
def test_what_is_not_taken_is_one_line(
    server: Server,
    answer: tuple[int, Any],
    code: int,
    capsys: pytest.CaptureFixture[str],
    wording: Wording,
) -> None:
    server.answers = [answer]
    assert main(["hand-in", server.url, "bot.py"]) == code
    [line] = capsys.readouterr().err.splitlines()
    wording(line.replace(server.url, "URL"))
    assert "\x1b" not in line


def test_a_server_that_is_away_for_a_moment_is_asked_again(server: Server) -> None:
    server.answers = [(201, TAKEN), (503, b""), (503, b""), in_state("passed")]
    assert main(["hand-in", server.url, "bot.py"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["bot.py", "bot.py"],
        ["http://127.0.0.1:99999", "bot.py"],
        ["ftp://127.0.0.1", "bot.py"],
        ["http://127.0.0.1", "no.py"],
        ["http://127.0.0.1", "bot.py", "--token-file", "no.txt"],
        ["http://127.0.0.1", "bot.py", "--token-file", "bot.py"],
    ],
)
def test_a_mistake_is_one_line(
    server: Server, arguments: list[str], capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    assert main(["hand-in", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    wording(line)


def test_a_missing_token_is_named(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ARENA_TOKEN")
    assert main(["hand-in", server.url, "bot.py"]) == 2
    assert "set ARENA_TOKEN" in capsys.readouterr().err
    with pytest.raises(arena.UsageError, match="empty"):
        arena.hand_in(server.url, "bot.py", "")


def test_a_server_that_does_not_listen_is_a_fault_of_the_machine(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server() as other:
        url = other.url
    assert main(["hand-in", url, "bot.py"]) == 4
    assert "Connection refused" in capsys.readouterr().err


def test_a_server_that_says_nothing_is_a_fault_of_the_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.features.hand_in.function.MAX_REPLY_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert main(["hand-in", url, "bot.py"]) == 4
    [line] = capsys.readouterr().err.splitlines()
    assert " 0.2 s" in line


@pytest.mark.slow
def test_a_server_that_dies_while_it_checks_is_named_at_once_and_given_up_soon(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.features.hand_in.function.MAX_AWAY_SECONDS", 0.3)
    server.answers = [(201, TAKEN), (503, b"")]
    assert main(["hand-in", server.url, "bot.py"]) == 4
    _, stall, end = capsys.readouterr().err.splitlines()
    assert " 0.3 s" in stall
    assert end.endswith(f" {server.url}/hand-ins/3")


def test_a_file_of_a_gigabyte_is_not_read(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("big.py").open("wb") as file:
        file.truncate(1 << 30)
    assert main(["hand-in", server.url, "big.py"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "larger than 64 MiB" in line
    assert not server.asked


def test_an_interrupt_while_it_waits_is_one_line(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.features.hand_in.function.sleep", interrupted)
    server.answers = [(201, TAKEN)]
    assert main(["hand-in", server.url, "bot.py"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "arena: interrupted"
