"""Take the pictures of pages in the documentation from the running thing.

``python docs/screenshots.py`` plays a small tournament and makes its report, holds a contest, and
plays a game, and has a headless Chromium show each. It needs Debian's ``chromium`` and the extras
``browser`` and ``web``, and a tier of isolation for the contest. ``python docs/screenshots.py
contest`` takes those of the contest alone, and so on.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the benchmarks, which are not installed

import arena
from arena.reports.html.report import html
from benchmarks.contesting import ENTRANTS, Contest, contest, prepare, waited
from benchmarks.serving import serving

DOCS = Path(__file__).parent

PLAYERS = (
    "mcts:simulations=60",
    "mcts:simulations=20",
    "minimax:depth=2",
    "minimax:depth=1",
    "mcts:simulations=8",
)

#: The pixels of a picture: the top of a page.
WIDTH, HEIGHT = 1120, 760

CONTEST = """
title = "Connect four cup"
rules = "Hand in your own code. You may talk about ideas."
game = "connect4"
players = ["monkey"]
pairs = 6

[hand-ins]
public = true
closes = {closes:%Y-%m-%dT18:00:00+01:00}
"""

#: The width and the height of a phone.
PHONE = {"width": 375, "height": 760}

#: A hand-in: it looks for wins and threats, and else prefers a column, so that entrants differ.
HAND_IN = """
def choose(position, rng):
    moves = position.legal_moves()
    for move in moves:
        if position.play(move).outcome():
            return move
    return sorted(moves)[{place} % len(moves)] if rng.random() < 0.{place}5 else rng.choice(moves)
"""

#: The moves of the first side in the game that is shown.
MOVES = ("4", "4", "3", "5")


def main() -> None:
    """Write the pictures, or those that the command names."""
    with TemporaryDirectory() as folder, browser() as tab:
        pictures = {
            "report": partial(report, tab, Path(folder)),
            "contest": partial(standings, tab, Path(folder)),
            "game": partial(game, tab),
        }
        for name in sys.argv[1:] or pictures:
            pictures[name]()


@contextmanager
def browser() -> Iterator[Any]:
    """Open a tab of a headless browser."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or sys.exit("chromium is missing: apt install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        size: Any = {"width": WIDTH, "height": HEIGHT}
        yield opened.new_context(color_scheme="light", viewport=size).new_page()
        opened.close()


def report(tab: Any, folder: Path) -> None:
    """Take the page of a tournament: its standings and its cross table."""
    store, page = folder / "contest.db", folder / "report.html"
    arena.tournament(PLAYERS, n=20, game="connect4", seed=1, store=store)
    page.write_text(html(arena.report(store)), encoding="utf-8")
    tab.goto(page.as_uri())
    tab.screenshot(path=DOCS / "report.png")


def standings(tab: Any, folder: Path) -> None:
    """Take the standings of a contest in which five entrants have handed in, and other pages."""
    prepare(folder, file=CONTEST.format(closes=datetime.now(UTC) + timedelta(days=6)))
    with contest(folder) as served:
        for place, entrant in enumerate(ENTRANTS):
            served.passes(entrant, HAND_IN.format(place=2 * place))
        served.own("start")
        waited(lambda: served.standings()["play"] == "complete" or None, 600)
        _enter(tab, served, "owner")
        tab.screenshot(path=DOCS / "contest-owner.png")
        _enter(tab, served, ENTRANTS[1])
        tab.goto(served.served.url)
        tab.wait_for_timeout(1000)
        tab.screenshot(path=DOCS / "contest.png")
        phone = tab.context.browser.new_context(color_scheme="dark", viewport=PHONE).new_page()
        _enter(phone, served, ENTRANTS[1])
        phone.screenshot(path=DOCS / "contest-phone.png")


def _enter(tab: Any, served: Contest, name: str) -> None:
    """Log in, and show the page of an entrant or of the owner."""
    tab.goto(f"{served.served.url}/login")
    tab.fill("#token", served.tokens[name])
    tab.click("text=Log in >> nth=-1")
    tab.wait_for_timeout(1000)


def game(tab: Any) -> None:
    """Take a game against minimax in the middle, with a hint."""
    with serving() as served:
        tab.goto(f"{served.url}/play")
        tab.fill("#game", "connect4")
        tab.select_option("#second", "minimax")
        tab.click("form.choice button")
        for move in MOVES:
            tab.fill("#move", move)
            tab.press("#move", "Enter")
            tab.wait_for_timeout(3000)
        tab.click("text=Hint")
        tab.wait_for_timeout(3000)
        tab.screenshot(path=DOCS / "play.png", full_page=True)


if __name__ == "__main__":
    main()
