"""A whole game in the browser, by clicks and by keys, from both sides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from arena.games.mnk import mnk_game
from arena.games.search import solve
from benchmarks.serving import Served, serving
from tests.browsing import Shown
from tests.browsing import opened as opened  # a fixture

pytestmark = pytest.mark.needs(
    "chromium", "playwright", "axe_playwright_python", "starlette", "uvicorn"
)

TICTACTOE = mnk_game(3, 3, 3)


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as site:  # one each: the tables of all tests are more than a server has
        yield site


def begin(tab: Any, served: Served, game: str, first: str, second: str) -> None:
    tab.goto(f"{served.url}/play")
    tab.fill("#game", game)
    tab.select_option("#first", first)
    tab.select_option("#second", second)
    tab.click("form.choice button")


def wait_for(tab: Any, text: str) -> None:
    tab.locator("#says", has_text=text).wait_for()


def moves_of(served: Served, tab: Any) -> list[str]:
    """Return the moves of the game, from the file that the page offers."""
    path = tab.get_attribute("a[download]", "href")
    record: list[str] = json.loads(served.ask(path).text)["moves"]
    return record


def best(moves: list[str]) -> str:
    """Return a move by search, which no player can beat."""
    position = TICTACTOE.start()
    for move in moves:
        position = position.play(position.read_move(move))
    return TICTACTOE.format_move(solve(position)[1][0])


def press(tab: Any, square: str) -> None:
    """Walk to a square with the arrow keys, as who uses no mouse, and choose it."""
    tab.locator(".target[tabindex='0']").focus()
    goal = tab.locator(f".target[aria-label='{square}']")
    down, across = ("data-y", "ArrowUp", "ArrowDown"), ("data-x", "ArrowLeft", "ArrowRight")
    for axis, less, more in (down, across):
        for _ in range(3):
            at = tab.locator(":focus").get_attribute(axis)
            to = goal.get_attribute(axis)
            if at != to:
                tab.keyboard.press(less if int(at) > int(to) else more)
    if tab.locator(":focus").get_attribute("aria-label") != square:
        goal.focus()  # the square between was taken
    tab.keyboard.press("Enter")


@pytest.mark.parametrize("sides", [("person", "tictactoe3"), ("tictactoe3", "person")])
@pytest.mark.parametrize("way", ["clicks", "keys"])
def test_a_game_against_tictactoe3_is_never_won(
    served: Served, shown: Shown, sides: tuple[str, str], way: str
) -> None:
    tab = shown.tab
    begin(tab, served, "tictactoe", *sides)
    for turn in range(5):
        tab.locator("#says", has_text="Your turn.").or_(
            tab.locator("#says", has_text="Draw.")
        ).wait_for()
        if "Draw." in shown.text("#says"):
            break
        moves = moves_of(served, tab)
        move = best(moves)
        if turn == 1:
            shown.require_good()
        if way == "clicks":
            tab.click(f".target[aria-label='{move}']")
        else:
            press(tab, move)
        tab.locator(f".target[aria-label='{move}']").wait_for(state="detached")
    wait_for(tab, "Draw.")
    shown.require_good()


def test_hint_undo_and_the_back_button(served: Served, shown: Shown) -> None:
    tab = shown.tab
    begin(tab, served, "mnk-15-15-5", "person", "person")
    wait_for(tab, "x to move")
    tab.fill("#move", "h8")
    tab.keyboard.press("Enter")
    wait_for(tab, "x plays h8. o to move.")
    tab.go_back()
    tab.go_forward()
    wait_for(tab, "x plays h8. o to move.")
    tab.click("text=Undo")
    wait_for(tab, "x to move.")
    other = tab.context.new_page()
    other.goto(tab.url)
    other.click(".target[aria-label='a1']")
    wait_for(tab, "x plays a1. o to move.")
    tab.click("text=Leave the table")
    wait_for(other, "The table was left.")
    other.click("text=Go on")
    wait_for(tab, "x plays a1. o to move.")
    shown.require_good()


def test_chess_takes_two_clicks_and_connect_four_a_column(served: Served, shown: Shown) -> None:
    tab = shown.tab
    begin(tab, served, "chess", "person", "person")
    wait_for(tab, "x to move")
    tab.click(".target[aria-label='g1']")
    tab.click(".target[aria-label='f3']")
    wait_for(tab, "x plays Nf3.")
    begin(tab, served, "connect4", "person", "person")
    wait_for(tab, "x to move")
    tab.click(".target[aria-label='4']")
    wait_for(tab, "x plays 4.")
    shown.require_good()
