"""The documentation as a site: every page has its place, and every link on it leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {page.name for page in (ROOT / "docs").glob("*.md")}


def test_every_page_is_under_one_heading_in_the_index_and_the_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    contents = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
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
        found = dict(attrs)
        self.addresses |= {value for key in ("href", "src") if (value := found.get(key))}
        self.places |= {value for key in ("id", "name") if (value := found.get(key))}


@pytest.mark.needs("mkdocs")
def test_the_site_is_built_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    """Links out of the site are files of the project."""
    site = tmp_path / "site"
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(site))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (site / "404.html").unlink()  # its links begin at the root of a server
    pages = {page: Links(page.read_text()) for page in site.glob("*.html")}
    assert len(pages) >= len(PAGES)
    for page, links in pages.items():
        for address in links.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            target = (page.parent / unquote(parts.path)).resolve()
            if target in pages and parts.fragment:
                assert parts.fragment in pages[target].places, f"{page.name}: {address}"
            outside = ROOT / "docs" / unquote(parts.path)
            assert target.exists() or outside.exists(), f"{page.name}: {address}"
