"""The gate of volunteers: who may send what, on a server with pages and on a contest's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from benchmarks.serving import Answer
from tests.conftest import Run
from tests.golden import Wording
from tests.volunteers.servers import Site, site

pytestmark = pytest.mark.needs("starlette", "uvicorn")


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Site]:
    arena.fight("monkey", "tictactoe1", n=3, seed=1, store=tmp_path / "s.db", engine="calls")
    with site(tmp_path, ["anna"]) as served:
        yield served


def send(at: Site, token: str | None, body: str = "{}", method: str = "POST") -> Answer:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return at.served.ask("/work", method, headers, body)


def test_only_a_volunteer_may_send(at: Site, wording: Wording) -> None:
    for token in (None, "", "wrong", at.tokens["anna"] + "x"):
        answer = send(at, token)
        assert answer.status == 401
    wording(json.loads(answer.text)["problem"])
    assert send(at, at.tokens["anna"]).status == 503  # nothing is played
    assert send(at, at.tokens["anna"], method="GET").status == 405
    assert at.served.ask("/work/").status == 404
    for _ in range(20):
        answer = send(at, "wrong")
    assert answer.status == 429
    assert send(at, at.tokens["anna"]).status == 503


def test_the_pages_are_as_without_volunteers(at: Site) -> None:
    page = at.served.ask("/")
    assert page.status == 200
    assert "content-security-policy" in page.headers
    assert send(at, at.tokens["anna"]).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "words",
    [
        ("--workers", "none.txt"),
        ("--workers", "tokens.txt"),
        ("s.db", "--workers", "none.txt"),
        ("s.db", "--audit", "0.5"),
        ("s.db", "--workers", "."),
        ("s.db", "--workers", "tokens.txt", "--audit", "2"),
        ("s.db", "--workers", "tokens.txt", "--audit", "x"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_served_is_named(
    words: tuple[str, ...],
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)
    arena.fight("monkey", "tictactoe1", n=1, seed=1, store="s.db", engine="calls")
    Path("tokens.txt").write_text("anna\n")
    ran = run("serve", "--port", "0", *words)
    assert ran.code == 2
    wording(ran.err.splitlines()[-1])
