"""The documentation as a site: every page has its place, and every link on it leads somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {page.name for page in (ROOT / "docs").glob("*.md")}


def test_every_page_is_under_one_heading_in_the_index_and_the_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    contents = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2].partition("Decisions:")[0]
    in_index = by_heading(index, r"^## (.*)$", r"\]\(([\w-]+\.md)\)")
    in_contents = by_heading(contents, r"^  - (.*?):", r"[\w-]+\.md")
    assert in_index == in_contents | {"": []}
    assert in_contents[""] == ["index.md"]
    named = [page for pages in in_contents.values() for page in pages]
    assert sorted(named) == sorted(PAGES)


def by_heading(text: str, heading: str, page: str) -> dict[str, list[str]]:
    """Return the pages named below each heading, sorted; before the first one without a name."""
    first, *others = re.split(heading, text, flags=re.MULTILINE)
    parts = {"": first, **dict(zip(others[::2], others[1::2], strict=True))}
    return {name: sorted({*re.findall(page, part)}) for name, part in parts.items()}


class Links(HTMLParser):
    """The addresses on a page, and the places that an address can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        self.addresses |= {value for key in ("href", "src") if (value := result.get(key))}
        self.places |= {value for key in ("id", "name") if (value := result.get(key))}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; every link in its sources leads to a page or a file of it."""
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.needs("mkdocs", "material")
def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page.read_text()) for page in site.rglob("*.html")}
    del pages[site / "404.html"]  # its links begin at the root of a server
    assert len(pages) >= len(PAGES)
    for page, links in pages.items():
        for address in links.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            target = (page.parent / unquote(parts.path)).resolve()
            assert target.exists(), f"{page.name}: {address}"
            if target in pages and parts.fragment:
                assert parts.fragment in pages[target].places, f"{page.name}: {address}"


#: What people look for, and the page that should come first.
SEARCHES = {
    "my bot times out": "questions.html",
    "citation": "cite.html",
    "faq": "questions.html",
    "cheating": "questions.html",
    "elo": "questions.html",
    "licence": "licences.html",
    "fastchess": "engines.html",
}


@pytest.mark.needs("mkdocs", "material", "chromium", "playwright")
@pytest.mark.slow
def test_a_search_finds_what_people_look_for(site: Path) -> None:
    with served(site) as address, browsing() as tab:
        firsts = {words: first_result(tab, address, words) for words in SEARCHES}
    assert firsts == SEARCHES


def first_result(tab: Any, address: str, words: str) -> str:
    """Return the name of the page that a search on the site shows first."""
    tab.goto(f"{address}/index.html")
    tab.fill("input.md-search__input", words)
    link = tab.locator("a.md-search-result__link").first
    link.wait_for()
    tab.wait_for_timeout(500)  # until the results of the last letter are shown
    return str(urlsplit(link.get_attribute("href")).path.rpartition("/")[2])


class Silent(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for each request."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine, and yield its address."""
    handler = partial(Silent, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def browsing() -> Iterator[Any]:
    """Open a tab of a headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        yield browser.new_page(viewport={"width": 1400, "height": 900})
        browser.close()
