"""``arena work`` with what goes wrong: one line, and an exit code."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.golden import Wording


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_TOKEN", "t" * 30)


@contextmanager
def server(status: int, answer: Any) -> Iterator[str]:
    """Run a server that answers every message so, and return its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{made.server_port}"
        finally:
            made.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (401, {"problem": "the token is not one of a volunteer of this server"}),
        (403, {"problem": "you are dismissed: a game came out otherwise"}),
        (200, {"status": 409, "problem": "this machine has arena 0.9, the server has arena 1.0"}),
        (404, b"<html>"),
        (503, {"problem": "later"}),
        (503, {"problem": "no games are handed out now", "is_idle": True}),
        (200, b"not json"),
        (200, []),
        (200, {"head": "x", "run": 7}),
        (200, {"head": "x", "run": {"schema": "arena.work/9"}}),
        (200, {"wait": 10**400}),
        (200, {"wait": "soon"}),
        (200, b'{"wait": NaN}'),
    ],
    ids=str,
)
def test_what_a_server_says_ends_in_one_line(
    status: int, answer: Any, run: Run, wording: Wording
) -> None:
    with server(status, answer) as url:
        ran = run("work", url, "--patience", "0.1")
        wording([ran.code, (ran.out + ran.err).replace(url, "URL")])
        assert len((ran.out + ran.err).splitlines()) == 1


@pytest.mark.parametrize(
    "url", ["", "x", "ftp://h", "http://", "http://h:0", "http://a b", "http://a..b"]
)
def test_what_is_no_url_is_named(url: str, run: Run, wording: Wording) -> None:
    ran = run("work", url)
    assert ran.code == 2
    wording(ran.err)


def test_without_a_token_or_a_server(
    run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = run("work", "http://127.0.0.1:1", "--patience", "0")
    assert away.code != 0
    wording(away.err)
    assert run("work", "http://127.0.0.1:1", "--patience", "-1").code == 2
    monkeypatch.setenv("ARENA_TOKEN", "a b")
    wording(run("work", "http://127.0.0.1:1").err)
    monkeypatch.delenv("ARENA_TOKEN")
    wording(run("work", "http://127.0.0.1:1").err)
