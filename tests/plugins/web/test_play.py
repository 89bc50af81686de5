"""Playing over the network: what pages ask for, and what a stranger asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import arena
from benchmarks.serving import Answer, Served, serving
from tests.golden import Wording
from tests.processes import command_lines, wait_until

pytestmark = pytest.mark.needs("starlette", "uvicorn")

MARKUP = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve without a store, with a file to play against."""
    folder = tmp_path_factory.mktemp("hidden-folder")
    bot = folder / "bot.py"
    bot.write_text(f"def choose(position, rng):\n    open({str(folder / 'secret.txt')!r})\n")
    with serving("--player", f"fails={bot}") as site:
        yield site


class Visitor:
    """A browser's session: its cookie, the token of its pages, and one table."""

    def __init__(self, served: Served) -> None:
        self.served = served
        page = served.ask("/play")
        cookie = page.headers["set-cookie"].partition(";")[0]
        token = re.search(r'csrf-token" content="(\w+)"', page.text)
        assert token is not None
        self.headers = {
            "Cookie": cookie,
            "X-CSRF-Token": token[1],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.table = ""
        self.state: dict[str, Any] = {"version": -1}

    def post(self, path: str, **fields: object) -> Answer:
        return self.served.ask(path, "POST", self.headers, urlencode(fields))

    def begin(self, second: str, game: str = "tictactoe", first: str = "person") -> Answer:
        answer = self.post("/play", game=game, first=first, second=second)
        if answer.status == 303:
            self.table = answer.headers["location"]
            self.settle()
        return answer

    def act(self, act: str, move: str = "") -> Answer:
        answer = self.post(f"{self.table}/{act}", version=self.state["version"], move=move)
        self.settle()
        return answer

    def settle(self) -> None:
        """Wait until nobody thinks."""
        self.state = {"version": -1, "busy": True}
        while self.state["busy"]:
            answer = self.served.ask(f"{self.table}/state?after={self.state['version']}")
            assert answer.status == 200
            self.state = json.loads(answer.text)


def test_a_game_is_played_saved_and_replayed(
    served: Served, tmp_path: Path, wording: Wording
) -> None:
    visitor = Visitor(served)
    assert visitor.begin("tictactoe3").status == 303
    assert served.ask(visitor.table).status == 200
    assert visitor.act("move", "5").status == 200
    assert len(visitor.state["moves"]) == 2
    visitor.act("resign")
    wording(visitor.state["says"])
    saved = served.ask(f"{visitor.table}/game.json")
    assert saved.headers["content-disposition"].startswith("attachment")
    file = tmp_path / "game.json"
    file.write_text(saved.text)
    assert arena.replay(str(file)).winner == "tictactoe3"


def test_two_windows_cannot_both_move(served: Served) -> None:
    visitor = Visitor(served)
    visitor.begin("person")
    old = dict(visitor.state)
    visitor.act("move", "1")
    visitor.state = old
    refused = visitor.act("move", "2")
    assert refused.status == 409
    assert "another window" in json.loads(refused.text)["problem"]
    assert visitor.state["moves"] == ["1"]


@pytest.mark.parametrize(
    "asked",
    [
        {"second": "./bot.py"},
        {"second": "cmd:touch x"},
        {"second": "minimax:budget=1000000000"},
        {"second": MARKUP},
        {"second": "monkey", "game": "lines:/etc/passwd"},
        {"second": "monkey", "game": "x" * 10_000},
        {"second": "monkey", "game": MARKUP},
        {"second": "monkey", "game": "tictoe"},
        {"second": "monkey", "game": "mnk-99-99-5"},
        {"second": "tictactoe3", "game": "connect4"},
    ],
)
def test_what_a_page_may_not_play_is_refused_with_the_form(
    served: Served, asked: dict[str, str], wording: Wording
) -> None:
    answer = Visitor(served).begin(**asked)
    assert answer.status == 400
    wording.line(answer.text, 'role="alert"')
    assert MARKUP not in answer.text
    assert '<form method="post" action="/play"' in answer.text


def test_a_player_that_fails_tells_no_path_of_the_server(served: Served) -> None:
    visitor = Visitor(served)
    page = served.ask("/play").text
    assert visitor.begin("fails").status == 303
    visitor.act("move", "5")
    assert "fails (o) forfeits (exception)" in visitor.state["says"]
    texts = [visitor.state, served.ask(visitor.table).text, page]
    texts.append(served.ask(f"{visitor.table}/game.json").text)
    assert "hidden-folder" not in str(texts)


@pytest.mark.parametrize("path", ["/play/nothing", "/play/nothing/state", "/play/../play/x"])
def test_a_table_that_is_not_there_is_gone(served: Served, path: str) -> None:
    answer = served.ask(path)
    assert answer.status == 404


@pytest.mark.parametrize(
    ("act", "fields", "status"),
    [
        ("dance", {"version": 1}, 404),
        ("move", {}, 404),
        ("move", {"version": "9" * 5000}, 404),
        ("move", {"version": "-2", "move": "1"}, 404),
        ("move", {"version": 10**8, "move": "1"}, 409),
    ],
)
def test_what_a_page_would_not_send_is_answered(
    served: Served, act: str, fields: dict[str, Any], status: int, wording: Wording
) -> None:
    visitor = Visitor(served)
    visitor.begin("person")
    assert visitor.post(f"{visitor.table}/{act}", **fields).status == status
    visitor.act("move", "1" * 10_000)
    wording(visitor.state["problem"])
    visitor.act("move", "1")
    assert visitor.state["moves"] == ["1"]
    visitor.post(f"{visitor.table}/leave", version=0)


def test_a_table_begins_only_with_the_token_of_its_session(served: Served) -> None:
    visitor = Visitor(served)
    visitor.headers["X-CSRF-Token"] = Visitor(served).headers["X-CSRF-Token"]
    assert visitor.begin("monkey").status == 403


def test_tables_end_with_the_server() -> None:
    part = "arena.plugins.web.table"
    before = set(command_lines(part))
    with serving() as served:
        Visitor(served).begin("monkey")
        assert set(command_lines(part)) - before
    assert wait_until(lambda: not set(command_lines(part)) - before)
