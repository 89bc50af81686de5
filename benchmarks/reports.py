"""Measure the page of a store: how long it takes, how large it is, and how soon it is painted."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from time import perf_counter

import arena
from arena.reports.html.report import html
from benchmarks.table import Row, skipped

SEED = 1
PLAYERS = ("monkey", "tictactoe1", "tictactoe2", "triples", "heuristic")

#: The goals: bytes of the page, and milliseconds until a browser has painted it.
SIZE = 1_000_000
PAINTED = 1000


def rows(quick: bool) -> list[Row]:
    """Measure the report of a round robin of five players, 10,000 games."""
    pairs = 5 if quick else 500
    games = f"{20 * pairs:,} games of {len(PLAYERS)} players"
    with tempfile.TemporaryDirectory() as folder:
        store, page = Path(folder) / "contest.db", Path(folder) / "report.html"
        arena.tournament(PLAYERS, pairs, seed=SEED, store=store)
        start = perf_counter()
        page.write_text(html(arena.report(store)), encoding="utf-8")
        seconds = perf_counter() - start
        size = page.stat().st_size
        return [
            Row(f"report of {games}: time to make the page", f"{seconds:.2f} s"),
            Row(f"report of {games}: size", f"{size:,} bytes", None, "under 1 MB", size < SIZE),
            _painted(f"report of {games}: time to its first paint", page),
        ]


def _painted(work: str, page: Path) -> Row:
    chromium, bar = shutil.which("chromium"), "under 1 s"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return skipped(work, "playwright is missing")
    if chromium is None:
        return skipped(work, "chromium is missing")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        tab = browser.new_page()
        tab.goto(page.as_uri())
        while not tab.evaluate(f"{_PAINTS}.length"):  # the page's policy lets no script wait
            tab.wait_for_timeout(20)
        milliseconds: float = tab.evaluate(f"{_PAINTS}[0].startTime")
        browser.close()
    return Row(work, f"{milliseconds:.0f} ms", None, bar, milliseconds < PAINTED)


_PAINTS = "performance.getEntriesByName('first-contentful-paint')"
