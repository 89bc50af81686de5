"""A browser that goes away while the server waits for news of a table."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.plugin.manager import load_catalogue

pytestmark = pytest.mark.needs("starlette", "uvicorn")

#: Seconds: no wait of these tests ends by itself.
NEVER = 600.0


class Browser:
    """What a server receives of a browser that asks for something and may leave."""

    def __init__(self) -> None:
        self.leaves = asyncio.Event()
        self._said = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive(self) -> Any:
        if self._said:
            return self._said.pop()
        await self.leaves.wait()
        return {"type": "http.disconnect"}


async def waiting(browser: Browser, table: Any) -> asyncio.Task[Any]:
    """Ask for the next state of a table, and return the request once it waits."""
    from starlette.requests import Request

    from arena.plugins.web import play
    from arena.plugins.web.site import Site

    hall = play._Hall(Site(load_catalogue()), ())
    hall._tables._tables["t"] = table
    scope = {"type": "http", "path_params": {"table": "t"}, "query_string": b"after=0"}
    request = asyncio.create_task(hall.state(Request(scope, browser.receive)))
    while not table.waiting:
        await asyncio.sleep(0)
    return request


def a_table() -> Any:
    from arena.plugins.web.tables import TableState, WebTable

    return WebTable(TableState("tictactoe", ("person", "monkey"), 1))


@pytest.fixture(autouse=True)
def no_wait_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web import play

    monkeypatch.setattr(play, "MAX_NEWS_SECONDS", NEVER)


def test_a_closed_page_waits_no_longer() -> None:
    async def work() -> None:
        browser, table = Browser(), a_table()
        request = await waiting(browser, table)
        browser.leaves.set()
        async with asyncio.timeout(NEVER / 2):
            assert (await request).status_code == 204
        while table.waiting:
            await asyncio.sleep(0)

    asyncio.run(work())


def test_a_page_that_stays_gets_the_news() -> None:
    async def work() -> None:
        browser, table = Browser(), a_table()
        request = await waiting(browser, table)
        await table._show({**table.state, "says": "hello"})
        async with asyncio.timeout(NEVER / 2):
            assert b'"says":"hello"' in (await request).body

    asyncio.run(work())
