"""The site as a browser shows it: runs, replays and a run that goes on; silent and accessible."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from benchmarks.serving import PATIENCE, Served, serving
from tests.browsing import Shown
from tests.browsing import opened as opened  # a fixture
from tests.golden import Wording

pytestmark = pytest.mark.needs("chromium", "playwright", "starlette", "uvicorn")

GAME = "connect4"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve two runs that are complete."""
    store = tmp_path_factory.mktemp("browser") / "s.db"
    arena.tournament(["monkey", "minimax:depth=1"], n=3, game=GAME, seed=1, store=store)
    arena.fight("monkey", "triples", n=3, seed=2, store=store)
    with serving(store) as site:
        yield site


@pytest.mark.needs("axe_playwright_python")
def test_from_the_runs_to_a_replay_and_back(served: Served, shown: Shown, wording: Wording) -> None:
    tab = shown.tab
    tab.goto(served.url)
    shown.require_good()
    header = tab.locator("table.sortable th", has_text="run").first
    header.locator("button").click()
    header.locator("button").click()
    assert shown.text("tbody tr >> nth=0").startswith("2")
    tab.click("tbody a >> text=1")
    tab.click(".cross a >> nth=0")
    tab.wait_for_selector("#replay-games table")
    tab.click("#replay-games a >> nth=0")
    tab.wait_for_selector("#replay-board svg")
    shown.require_good()
    tab.keyboard.press("Home")
    wording(shown.text("#replay-caption"))
    tab.keyboard.press("ArrowRight")
    assert shown.text("#replay-caption").startswith("1. ")
    for _ in range(3):
        tab.go_back()
    tab.wait_for_selector("h1 >> text=Runs")
    assert shown.complaints == []


PLAY = f"""
import arena, sys
players = "mcts:simulations=300", "minimax:depth=1"
arena.fight(*players, n=50_000, game="{GAME}", seed=1, store=sys.argv[1])
"""


@pytest.mark.needs("axe_playwright_python")
def test_a_run_is_watched_in_two_tabs_while_it_is_played(tmp_path: Path, shown: Shown) -> None:
    store = tmp_path / "live.db"
    played = subprocess.Popen([sys.executable, "-c", PLAY, str(store)])
    try:
        tab = shown.tab
        while not has_run(store):
            tab.wait_for_timeout(100)
        with serving(store) as served:
            tab.goto(served.url)
            tab.click("text=open: watch")
            other = tab.context.new_page()
            other.goto(tab.url)
            first = games_of(tab)
            for each in (tab, other):
                wait_for_more(each, first + 4)
                assert each.inner_text("#state") == "Live"
            tab.wait_for_selector("#games img")
            assert tab.evaluate("document.querySelector('#games img').naturalWidth") > 0
            shown.require_good()
            tab.reload()
            tab.go_back()
            tab.go_forward()
            wait_for_more(tab, first + 4)
            assert shown.complaints == []
    finally:
        played.kill()
        played.wait()


def has_run(store: Path) -> bool:
    """Return whether a run has begun in a store, which may be missing or empty until then."""
    try:
        return bool(arena.stored_runs(store).rows)
    except arena.UsageError:
        return False


def games_of(tab: Any) -> int:
    """Return how many games a page says were played."""
    words = tab.inner_text("#played").replace(",", "").split()
    return int(words[0]) if words else 0


def wait_for_more(tab: Any, games: int) -> None:
    """Wait until more games were played: the policy of the page forbids a script that waits."""
    for _ in range(10 * PATIENCE):
        if games_of(tab) > games:
            return
        tab.wait_for_timeout(100)
    raise AssertionError(f"no more than {games_of(tab)} games were shown")


def test_a_page_comes_back_when_its_server_does(tmp_path: Path, shown: Shown) -> None:
    store = tmp_path / "s.db"
    arena.fight("monkey", "triples", n=3, seed=2, store=store)
    tab = shown.tab
    with serving(store) as served:
        tab.goto(f"{served.url}/runs/1/watch")
        tab.wait_for_selector("#state >> text=complete")
        port = str(served.port)
    tab.wait_for_selector("#state >> text=trying again")
    with serving(store, "--port", port):
        tab.wait_for_selector("#state >> text=complete", timeout=60_000)


#: Gives a page a thousand events at once, and returns how often it was drawn until the screen was.
FLOOD = """async () => {
  source.close(); // the server's own events would come between
  let drawn = 0;
  const played = document.getElementById("played");
  new MutationObserver(() => drawn++).observe(played, { childList: true });
  const run = JSON.parse(document.getElementById("live").dataset.first);
  for (let count = 1; count <= 1000; count++) {
    const data = JSON.stringify({ ...run, played: count, planned: null });
    source.dispatchEvent(new MessageEvent("message", { data }));
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return drawn;
}"""


def test_a_page_draws_the_last_of_a_thousand_events(served: Served, shown: Shown) -> None:
    tab = shown.tab
    tab.goto(f"{served.url}/runs/1/watch")
    tab.wait_for_selector("#state >> text=complete")
    assert tab.evaluate(FLOOD) == 1
    assert shown.text("#played") == "1,000 games"
    assert shown.complaints == []
