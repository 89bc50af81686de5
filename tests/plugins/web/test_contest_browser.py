"""The student's and the teacher's way through a contest, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.contesting import RIGHT, WRONG, Contest, contest, prepare
from benchmarks.serving import PATIENCE
from tests.browsing import LOOKS, Shown
from tests.browsing import opened as opened  # a fixture

pytestmark = [
    pytest.mark.needs(
        "axe_playwright_python", "chromium", "playwright", "starlette", "uvicorn", "locked"
    ),
    pytest.mark.slow,
]


def enter(served: Contest, tab: Any, who: str) -> None:
    """Log in with a token."""
    tab.goto(f"{served.served.url}/login")
    tab.fill("#token", served.tokens[who])
    tab.click("text=Log in >> nth=-1")


def until(tab: Any, is_so: Callable[[], bool], what: str) -> None:
    """Wait without loading the page again; its policy forbids a script that waits."""
    for _ in range(40 * PATIENCE):
        if is_so():
            return
        tab.wait_for_timeout(100)
    raise AssertionError(f"{what}: {tab.inner_text('main')}")


def shows(tab: Any, selector: str, text: str) -> None:
    until(tab, lambda: text in tab.inner_text(selector), text)


def test_students_hand_in_watch_and_hand_in_again_and_the_teacher_conducts(
    tmp_path: Path, shown: Shown
) -> None:
    prepare(tmp_path)
    tab = shown.tab
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "bot.py").write_text(RIGHT)
    with contest(tmp_path) as served:
        teacher = tab.context.browser.new_context().new_page()
        enter(served, teacher, "owner")
        teacher.click("text=Start the games")
        shows(teacher, "#fresh", "The games begin with the second player.")

        tab.goto(served.served.url)  # a stranger is asked who it is
        assert shown.complaints == []
        shown.require_good()
        tab.fill("#token", "a" * 32)
        tab.click("text=Log in >> nth=-1")
        assert "not a token" in shown.text("main")
        shown.complaints.clear()  # the browser says that the answer was 401
        enter(served, tab, "alice")
        shows(tab, "main", "You have handed in nothing yet.")
        hand_in(tab, tmp_path / "wrong.py")
        shows(tab, "#fresh", "did not pass its check")
        tab.click("#fresh a >> text=1")
        shows(tab, "main", "legal moves")
        shown.require_good()
        tab.go_back()
        hand_in(tab, tmp_path / "bot.py")
        shows(tab, "#fresh", "Hand-in 2 plays for you.")
        shown.require_good()

        tab.click("nav >> text=Standings")
        shows(tab, "#rows", "alice")
        until(tab, lambda: shown.text("#state") == PLAYED, PLAYED)
        shown.require_good()
        tab.click("nav >> text=alice")
        tab.click("text=Your games")
        tab.click("text=16 >> nth=0")
        tab.click("#replay-games a >> nth=0")
        tab.wait_for_selector("#replay-board svg")
        shown.require_good()

        shows(teacher, "#fresh", "passed its check")
        teacher.click("[aria-label='Withdraw alice']")
        shows(teacher, "#fresh", "Let in")
        teacher.fill("#closes", "2026-01-01T00:00Z")
        teacher.click("text=Set the time")
        shows(teacher, "#fresh", "Hand-ins are closed.")
        tab.goto(f"{served.served.url}/me")
        assert "has withdrawn you" in shown.text("main")
        tab.click("text=Log out")
        tab.goto(f"{served.served.url}/me")
        assert "log in" in shown.text("main")


PLAYED = "All games are played; a new hand-in plays at once."


def hand_in(tab: Any, file: Path) -> None:
    tab.set_input_files("#file", file)
    tab.click("text=Hand in >> nth=-1")
    shows(tab, "#said", "waits for its check")


def test_standings_come_back_when_their_server_does(tmp_path: Path, shown: Shown) -> None:
    prepare(tmp_path, "public = true\n")
    tab = shown.tab
    with contest(tmp_path) as served:
        tab.goto(served.served.url)
        shows(tab, "#summary", "No game was played yet.")
        port = str(served.served.port)
    shows(tab, "#state", "trying again")
    with contest(tmp_path, "--port", port) as again:
        shows(tab, "#state", "The owner has stopped the games.")
        again.own("start")
        shows(tab, "#state", "The games begin with the second player.")
        assert json.loads(again.ask("alice", "/hand-ins").text)["hand_ins"] == []


@pytest.mark.parametrize("shown", [LOOKS["wide"]], ids=["wide"], indirect=True)
def test_games_of_an_entrant_come_to_its_page_without_loading_it_again(
    tmp_path: Path, shown: Shown
) -> None:
    prepare(tmp_path)
    tab = shown.tab
    loads: list[Any] = []
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.over({"alice": 1})
        enter(served, tab, "alice")
        tab.goto(f"{served.served.url}/games/alice")
        tab.on("load", lambda page: loads.append(page))
        assert "bob" not in shown.text("main")
        served.passes("bob", RIGHT)
        shows(tab, "main", "bob")
        served.over({"alice": 1, "bob": 1})
        until(tab, lambda: tab.locator("a >> text=16").count() == 2, "16 games against each")
        assert loads == []
        tab.click("a >> text=16 >> nth=1")
        shows(tab, "#replay-title", "bob")
        tab.click("#replay-games a >> nth=0")
        tab.wait_for_selector("#replay-board svg")
        shown.require_good()
