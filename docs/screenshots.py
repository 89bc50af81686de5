"""Take the pictures of pages in the documentation from the running thing.

``python docs/screenshots.py`` plays a small tournament, makes its report, and has a headless
Chromium show it. It needs Debian's ``chromium`` and the extra ``browser``.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import arena
from arena.reports.html.report import html

PICTURE = Path(__file__).parent / "report.png"
PLAYERS = (
    "mcts:simulations=60",
    "mcts:simulations=20",
    "minimax:depth=2",
    "minimax:depth=1",
    "mcts:simulations=8",
)

#: The pixels of the picture: the top of the page, its standings and its cross table.
WIDTH, HEIGHT = 1120, 760


def main() -> None:
    """Write the picture."""
    with TemporaryDirectory() as folder:
        store, page = Path(folder) / "contest.db", Path(folder) / "report.html"
        arena.tournament(PLAYERS, n=20, game="connect4", seed=1, store=store)
        page.write_text(html(arena.report(store)), encoding="utf-8")
        _take(page)


def _take(page: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or sys.exit("chromium is missing: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        size = {"width": WIDTH, "height": HEIGHT}
        tab = browser.new_context(color_scheme="light", viewport=size).new_page()
        tab.goto(page.as_uri())
        tab.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
