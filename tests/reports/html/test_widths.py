"""Every kind of page fits a telephone: only what scrolls of itself is wider than 375 pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import arena
from arena.features.doctor.record import Attempt, Diagnosis
from arena.reports.html.report import html
from tests.browsing import LOOKS, tab_of
from tests.reports.fixed import RECORDS

pytestmark = pytest.mark.needs("chromium", "playwright")

#: A path, which has no blank to break a line at.
LONG = "/tmp/" + "a_very_long_name" * 6 + "/elsewhere"

#: An installed game whose positions have hundreds of letters.
BIG = arena.move("monkey", "_" * 225, game="mnk-15-15-5")

PAGES = {
    **RECORDS,
    "a-large-board": BIG,
    "plugins": arena.installed_plugins(),
    "diagnosis": Diagnosis(
        (
            Attempt("process", "read a file", False, f"FileNotFoundError: '{LONG}'", "", False),
            Attempt("bwrap", "read a file", False, f"it read '{LONG}'", f"see {LONG}", True),
        ),
        ("process", "bwrap"),
    ),
}


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    with tab_of(*LOOKS["narrow and dark"]) as opened:
        yield opened


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_not_wider_than_a_telephone(tab: Any, name: str) -> None:
    tab.set_content(html(PAGES[name]))
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert tab.evaluate(width) <= 0
