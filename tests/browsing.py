"""Open pages in a browser, wide and light, narrow and dark, and hear what they complain of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest


class Shown:
    """A page in a browser, with what it complained of and asked the network for."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda said: self.complaints.append(said.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))

    def text(self, selector: str) -> str:
        result: str = self.tab.inner_text(selector)
        return result

    def require_good(self) -> None:
        """Check that the page is accessible, fits, and asked nobody else for anything."""
        self.require_silent()
        from axe_playwright_python.sync_playwright import Axe

        result = Axe().run(self.tab).response["violations"]
        assert [f["id"] for f in result if f["impact"] in ("serious", "critical")] == []
        width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.tab.evaluate(width) <= 0

    def require_silent(self) -> None:
        """Check that the page complained of nothing, and asked no other server for anything."""
        own = self.tab.evaluate("location.protocol + '//' + location.host")
        assert [url for url in self.requests if not url.startswith((own, "data:"))] == []
        assert self.complaints == []


Scheme = Literal["dark", "light"]

#: The colours that a person prefers, and the width of the screen in pixels.
LOOKS: dict[str, tuple[Scheme, int]] = {"wide": ("light", 1200), "narrow and dark": ("dark", 375)}

#: The looks of a test that takes long: one now, and the other at night.
LONG_LOOKS = pytest.mark.parametrize(
    "shown",
    [LOOKS["wide"], pytest.param(LOOKS["narrow and dark"], marks=pytest.mark.nightly)],
    ids=[*LOOKS],
    indirect=True,
)


@contextmanager
def tab_of(scheme: Scheme, width: int) -> Iterator[Any]:
    """Open an empty page of this width."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]  # tests may be root, in a container
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        yield context.new_page()
        browser.close()


@pytest.fixture(name="shown", params=[*LOOKS.values()], ids=[*LOOKS])
def opened(request: pytest.FixtureRequest) -> Iterator[Shown]:
    with tab_of(*request.param) as tab:
        yield Shown(tab)
