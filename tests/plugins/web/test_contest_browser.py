"""The student's and the teacher's way through a contest, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.hand_in.record import STATES, WAITING
from arena.main import main
from benchmarks.contesting import RIGHT, WRONG, Contest, contest, prepare
from benchmarks.serving import PATIENCE
from tests.browsing import LONG_LOOKS, LOOKS, Shown
from tests.browsing import opened as opened  # a fixture
from tests.golden import Wording

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


@LONG_LOOKS
def test_students_hand_in_watch_and_hand_in_again_and_the_teacher_conducts(
    tmp_path: Path, shown: Shown, wording: Wording
) -> None:
    prepare(tmp_path)
    tab = shown.tab
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "bot.py").write_text(RIGHT)
    with contest(tmp_path) as served:
        teacher = tab.context.browser.new_context().new_page()
        enter(served, teacher, "owner")
        teacher.click("text=Start the games")
        shows(teacher, "#fresh", "The games begin as soon as there are enough players.")

        tab.goto(served.served.url)  # a stranger is asked who it is
        assert shown.complaints == []
        shown.require_good()
        tab.fill("#token", "a" * 32)
        tab.click("text=Log in >> nth=-1")
        wording(shown.text(".problem"))
        shown.complaints.clear()  # the browser says that the answer was 401
        enter(served, tab, "alice")
        shows(tab, "main", "You have handed in nothing yet.")
        hand_in(tab, tmp_path / "wrong.py", 1)
        shows(tab, "#fresh", "did not pass its check")
        tab.click("#fresh a >> text=1")
        shows(tab, "main", "legal moves")
        shown.require_good()
        tab.go_back()
        hand_in(tab, tmp_path / "bot.py", 2)
        shows(tab, "#fresh", "Hand-in 2 plays for you.")
        assert STATES[WAITING] not in shown.text("body")
        shown.require_good()

        tab.click("nav >> text=Standings")
        shows(tab, "#rows", "alice")
        until(tab, lambda: shown.text("#state") == PLAYED, PLAYED)
        assert "alice (you)" in shown.text(".mine")
        require_seen(tab, ".mine .score")
        shown.require_good()
        tab.click("nav >> text=alice")
        shows(tab, "#fresh .facts", "of 2")
        tab.click("text=Your games")
        tab.click("text=16 >> nth=0")
        tab.click("#replay-games a >> nth=0")
        tab.wait_for_selector("#replay-board svg")
        shown.require_good()

        shows(teacher, "#fresh", "passed its check")
        assert not teacher.is_visible("[aria-label='Withdraw alice']")
        teacher.click("[aria-label='Withdraw alice …']")
        teacher.click("[aria-label='Withdraw alice']")
        shows(teacher, "#fresh", "Let in")
        teacher.click("text=Change the closing time")
        teacher.fill("#closes", "2026-01-01T00:00Z")
        teacher.wait_for_timeout(3000)
        assert teacher.input_value("#closes") == "2026-01-01T00:00Z", "the page has kept it"
        teacher.click("text=Set the time")
        shows(teacher, "#fresh", "Hand-ins closed:")
        tab.goto(f"{served.served.url}/me")
        wording(shown.text(".problem"))
        tab.click("text=Log out")
        tab.goto(f"{served.served.url}/me")
        assert "log in" in shown.text("main")


PLAYED = "No game is left to play; a new hand-in plays at once."


def hand_in(tab: Any, file: Path, number: int) -> None:
    tab.set_input_files("#file", file)
    tab.click("text=Hand in >> nth=-1")
    shows(tab, "#fresh", f"Hand-in {number} ")


def require_seen(tab: Any, selector: str) -> None:
    """Check that something is on the screen, without scrolling to it."""
    box, screen = tab.locator(selector).first.bounding_box(), tab.viewport_size
    assert 0 <= box["x"] <= box["x"] + box["width"] <= screen["width"]


@LONG_LOOKS
def test_standings_come_back_when_their_server_does(tmp_path: Path, shown: Shown) -> None:
    prepare(tmp_path, "public = true\n")
    tab = shown.tab
    with contest(tmp_path) as served:
        tab.goto(served.served.url)
        shows(tab, "#summary", "No game was played yet.")
        port = str(served.served.port)
    shows(tab, "#state", "trying again")
    with contest(tmp_path, "--port", port) as again:
        shows(tab, "#state", "The games are stopped.")
        again.own("start")
        shows(tab, "#state", "The games begin as soon as there are enough players.")
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


#: Entrants of a class; the last three hand nothing in.
CLASS = [f"pupil-{number:02}" for number in range(27)] + ["dora", "emil", "fatima"]

CLASS_FILE = """
title = "Cup of class 10b"
rules = "Hand in your own code."
players = ["monkey"]
pairs = 1

[hand-ins]
public = true
closes = 2099-12-01T18:00:00Z
"""


def play_class(folder: Path) -> None:
    """Play the contest of a class, without its checks and its walls."""
    prepare(folder, file=CLASS_FILE)
    (folder / "names.txt").write_text("\n".join(CLASS))
    arena.plugin.give_tokens(folder / "contest.toml", folder / "names.txt")
    contest = arena.plugin.open_contest(folder / "contest.toml")
    for place, name in enumerate(CLASS[:27]):
        received = contest.hand_in(name, "bot.py", f"# {place}\n{RIGHT}".encode())
        assert contest.take(received)
        contest.finalize(received, "passed", None, "", 0.0)
    players = [f"{name}={spec}" for name, spec in contest.wanted().specs.items() if name in CLASS]
    options = ("--seed=1234567890123456", f"--store={folder}/contest.db", "--isolation=none")
    words = ["tournament", str(folder / "contest.toml"), *players, *options, "--executor=serial"]
    assert main([*words, f"--output={folder}/table.txt"]) == 0


@LONG_LOOKS
def test_a_class_sees_what_it_looks_for_first(tmp_path: Path, shown: Shown) -> None:
    play_class(tmp_path)
    tab = shown.tab
    with contest(tmp_path) as served:
        tab.goto(served.served.url)
        shows(tab, "#rows", "pupil-26")
        assert shown.text("h1") == "Cup of class 10b"
        assert "Hand in your own code." in shown.text("main")
        shows(tab, "#fresh", "in ")
        for column in ("#rows .name", "#rows .score"):
            require_seen(tab, column)
        shown.require_good()
        tab.emulate_media(media="print")
        assert tab.is_visible("#rows")
        assert not tab.is_visible("nav")
        tab.emulate_media(media="screen")

        enter(served, tab, "pupil-05")
        shows(tab, "#fresh .facts", "of 28")
        assert "UTC" in shown.text(".clock")
        require_seen(tab, "#fresh .sign")
        shown.require_good()

        enter(served, tab, "owner")
        shows(tab, "#fresh", "Not handed in yet: dora, emil, fatima")
        for first in (".games", ".clock", "#fresh .facts", "text=Not handed in yet"):
            assert tab.locator(first).first.bounding_box()["y"] < 800
        require_seen(tab, "td.number >> nth=1")
        shown.require_good()

        tab.click("text=Change the closing time")
        tab.fill("#closes", "2030-01-01T00:00Z")
        tab.click("[aria-label='Withdraw pupil-03 …']")
        served.own("close", "2098-01-01T00:00Z")
        served.own("withdraw", "pupil-01")
        assert served.hand_in("dora", RIGHT).status == 201
        shows(tab, "#fresh", "Not handed in yet: emil, fatima")
        shows(tab, "#fresh", "This page has set that time.")
        assert tab.input_value("#closes") == "2030-01-01T00:00Z", "it is being typed"
        assert tab.is_visible("[aria-label='Withdraw pupil-03']"), "it was opened"
        assert tab.locator("td details[open]").count() == 1
        assert tab.locator("tr[data-key='dora 1']").count() == 1
