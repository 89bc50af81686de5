"""Pages as a browser shows them: clicked through, stepped by keys, and silent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from arena.reports.html.report import html
from tests.browsing import Shown
from tests.browsing import opened as opened  # a fixture
from tests.golden import Wording

pytestmark = pytest.mark.needs("chromium", "playwright")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a store with a tournament and a fight."""
    folder = tmp_path_factory.mktemp("browser")
    store, page = folder / "s.db", folder / "report.html"
    arena.tournament(["monkey", "minimax:depth=1"], n=3, game="connect4", seed=1, store=store)
    arena.fight("monkey", "triples", n=3, seed=2, store=store)
    page.write_text(html(arena.report(store)), encoding="utf-8")
    return page


@pytest.fixture(autouse=True)
def of_report(report: Path, shown: Shown) -> Iterator[None]:
    """Open the page, and check afterwards that it complained of nothing."""
    shown.tab.goto(report.as_uri())
    yield
    shown.require_silent()


def test_a_cell_leads_to_a_game_that_the_keys_step_through(shown: Shown, wording: Wording) -> None:
    tab = shown.tab
    assert not tab.is_visible("#replay")
    tab.click(".cross a >> nth=0")
    tab.wait_for_selector("#replay-games table")
    tab.click("#replay-games a >> nth=0")
    tab.wait_for_selector("#replay-board svg")
    last = shown.text("#replay-caption")
    assert "wins" in last
    assert tab.locator("#replay-board path.l").count() == 1
    assert tab.locator("#replay-board path.w").count() == 1  # the line that wins
    tab.keyboard.press("Home")
    wording(shown.text("#replay-caption"))
    assert tab.locator("#replay-board path.dx").count() == 0
    tab.keyboard.press("ArrowRight")
    assert shown.text("#replay-caption").startswith("1. ")
    tab.keyboard.press("End")
    assert shown.text("#replay-caption") == last
    tab.go_back()
    tab.go_back()
    tab.wait_for_function("document.getElementById('replay').hidden")


def test_headers_sort_and_say_so(shown: Shown) -> None:
    header = shown.tab.locator("table.sortable").first.locator("th", has_text="score")
    ranks = first_cells(shown)
    header.locator("button").press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    assert first_cells(shown) == ranks[::-1]


def first_cells(shown: Shown) -> list[str]:
    """Return the ranks of the standings, from top to bottom."""
    rows = shown.tab.locator("table.sortable").first.locator("tbody tr").all_inner_texts()
    return [row.split()[0] for row in rows]


@pytest.mark.needs("axe_playwright_python")
def test_the_page_is_accessible_and_fits(shown: Shown) -> None:
    shown.require_good()
    shown.tab.click(".cross a >> nth=0")
    shown.tab.click("#replay-games a >> nth=0")
    shown.tab.wait_for_selector("#replay-board svg")
    shown.require_good()


def test_games_can_be_chosen_by_their_result(shown: Shown) -> None:
    tab = shown.tab
    tab.click("text=Show the games")
    tab.wait_for_selector("#replay-games select")
    every = tab.locator("#replay-games tbody tr").count()
    tab.select_option("#replay-games select", "drawn")
    drawn = arena.fight("monkey", "triples", n=3, seed=2).total.draws
    assert (every, tab.locator("#replay-games tbody tr").count()) == (6, drawn)


def test_blunders_of_a_small_game_are_marked(shown: Shown) -> None:
    tab = shown.tab
    tab.click("text=Show the games")
    tab.wait_for_selector("#replay-games select")
    tab.select_option("#replay-games select", "with blunders")
    tab.click("#replay-games tbody a >> nth=0")
    blunder = tab.locator("#replay-moves button", has_text="??").first
    move = blunder.inner_text().removesuffix(" ??")
    blunder.click()
    assert f". {move} (?? gives a " in shown.text("#replay-caption")


def test_a_game_of_cards_is_seen_as_a_seat_sees_it(shown: Shown, tmp_path: Path) -> None:
    page, tab = tmp_path / "game.html", shown.tab
    page.write_text(html(arena.replay("leduc/monkey/monkey/1/1.1")), encoding="utf-8")
    tab.goto(page.as_uri())
    tab.wait_for_selector("#replay-board img")

    def moves() -> list[str]:
        return [*tab.locator("#replay-moves button").all_inner_texts()]

    def picture() -> str:
        return str(tab.locator("#replay-board img").get_attribute("src"))

    whole, everything = moves(), picture()
    assert whole[0][:9] in ("chance: J", "chance: Q", "chance: K")
    tab.select_option("#replay-seat", "1")
    seen = moves()
    assert seen[:2] == ["chance: ?"] * 2
    assert {"?", "chance: ?"} >= {new for old, new in zip(whole, seen, strict=True) if new != old}
    assert picture() != everything
    tab.select_option("#replay-seat", "all")
    assert (moves(), picture()) == (whole, everything)
