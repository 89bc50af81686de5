"""The generated pages are up to date."""

from __future__ import annotations

import re
import runpy
import sys
from typing import Any

import pytest

import arena
from tests.docs.reading import ROOT, needs_of
from tests.golden import kept

API = ("api.md", *sorted(page.name for page in (ROOT / "docs").glob("api-*.md")))


def generator() -> dict[str, Any]:
    """Return the names of the script that writes pages, which imports others of its folder."""
    folder = ROOT / "docs"
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return runpy.run_path(str(folder / "generate.py"))


def test_every_generated_page_is_compared() -> None:
    pages = {*API, "json.md", "schemas.json"}
    pages |= {"commands.md", "certified.md", "variants.md", "openspiel.md"}
    assert generator()["PAGES"].keys() == pages


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse's layout differs by version")
@pytest.mark.parametrize(
    "name",
    [
        *API,
        "json.md",
        "schemas.json",
        "commands.md",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("certified.md", "variants.md")),
        pytest.param("openspiel.md", marks=needs_of("openspiel.md")),
    ],
)
def test_generated_pages_are_up_to_date(name: str) -> None:
    text = generator()["PAGES"][name]()
    assert text == kept(ROOT / "docs" / name, text), f"{name} is written: read it, then commit it"


def test_the_page_of_values_names_the_sources_of_published_ones() -> None:
    text = (ROOT / "docs" / "values.md").read_text(encoding="utf-8")
    head = runpy.run_path(str(ROOT / "docs" / "values.py"))["head_of"](830)
    assert text.startswith(head)
    assert "*Games solved: now and in" in head
    assert "https://tromp.github.io/c4/c4.html" in head


@pytest.mark.slow
def test_the_values_of_small_boards_are_those_that_arena_finds() -> None:
    text = (ROOT / "docs" / "values.md").read_text(encoding="utf-8")
    rows_of = runpy.run_path(str(ROOT / "docs" / "values.py"))["rows_of"]
    rows = [f"| {' | '.join(map(str, row))} |" for row in rows_of({1: 6, 2: 3})]
    assert len(rows) == 49
    assert [row for row in rows if row not in text] == []


def test_every_public_name_has_one_place_in_the_pages_of_the_api() -> None:
    headings = [
        name
        for page in API[1:]
        for name in re.findall(r"^## ([\w.]+)$", (ROOT / "docs" / page).read_text(), re.MULTILINE)
    ]
    named = {
        f"{door.__name__}.{name}"
        for door in (arena, arena.records, arena.plugin, arena.testing)
        for name in door.__all__
    }
    assert named <= {*headings}
    assert len(headings) == len({*headings})
    links = re.findall(r"^\| \[([\w.]+)\]", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert sorted(links) == sorted(name for name in headings if "." in name)
