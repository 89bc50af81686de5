"""Pages as a browser shows them: clicked through, stepped by keys, and silent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.reports.html.report import html

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


class Shown:
    """A page in a browser, with what it complained of and asked the network for."""

    def __init__(self, tab: Any, page: Path) -> None:
        self.tab = tab
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda said: self.complaints.append(said.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.goto(page.as_uri())

    def text(self, selector: str) -> str:
        found: str = self.tab.inner_text(selector)
        return found


@pytest.fixture(params=[("light", 1200), ("dark", 375)], ids=["wide", "narrow and dark"])
def shown(request: pytest.FixtureRequest, report: Path) -> Iterator[Shown]:
    from playwright.sync_api import sync_playwright

    scheme, width = request.param
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]  # tests may be root, in a container
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        found = Shown(context.new_page(), report)
        yield found
        assert found.complaints == []
        assert [url for url in found.requests if not url.startswith(("file:", "data:"))] == []
        browser.close()


def test_a_cell_leads_to_a_game_that_the_keys_step_through(shown: Shown) -> None:
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
    assert shown.text("#replay-caption") == "The position before the first move"
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


def test_the_page_does_not_scroll_sideways(shown: Shown) -> None:
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert shown.tab.evaluate(width) <= 0


@pytest.mark.needs("axe_playwright_python")
def test_the_page_is_accessible(shown: Shown) -> None:
    from axe_playwright_python.sync_playwright import Axe

    shown.tab.click(".cross a >> nth=0")
    shown.tab.click("#replay-games a >> nth=0")
    shown.tab.wait_for_selector("#replay-board svg")
    violations = Axe().run(shown.tab).response["violations"]
    bad = [found["id"] for found in violations if found["impact"] in ("serious", "critical")]
    assert bad == []


def test_games_can_be_chosen_by_their_result(shown: Shown) -> None:
    tab = shown.tab
    tab.click("text=Show the games")
    tab.wait_for_selector("#replay-games select")
    every = tab.locator("#replay-games tbody tr").count()
    tab.select_option("#replay-games select", "drawn")
    drawn = arena.fight("monkey", "triples", n=3, seed=2).total.draws
    assert (every, tab.locator("#replay-games tbody tr").count()) == (6, drawn)
