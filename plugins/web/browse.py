"""The runs of a store, each with its pairings, games and replays: the page of a report."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

import arena
from arena.errors import UsageError
from arena.plugins.web.aside import aside
from arena.plugins.web.paths import pathless
from arena.plugins.web.security import policy
from arena.plugins.web.site import Site
from arena.reports.html.document import page_script
from arena.reports.html.pages import reports
from arena.reports.html.pages.plain import parts
from arena.reports.names import shortened

#: Most games of a run whose page is made: it takes a second for a few thousand.
MAX_RUN_GAMES = 200_000

#: Most pages that are kept.
MAX_BROWSED_PAGES = 8


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes to the list of runs, and to each of them."""
    shelf = _Shelf(site)

    async def runs(request: Request) -> Response:
        listing = await aside(arena.stored_runs, site.store) if site.store else None
        return site.page(
            request,
            "runs.html",
            "Runs",
            ["common.js", "report.js"],
            store=site.label if site.store else "",
            runs=[] if listing is None else listing.rows,
            more=_more(listing),
        )

    async def run(request: Request) -> Response:
        return await shelf.page(request.path_params["run"])

    return [Route("/", runs), Route("/runs/{run:number}", run)]


def _more(listing: arena.records.Listing | None) -> list[Any]:
    """Return the other tables of a store, where they have rows."""
    if listing is None:
        return []
    tables = [more for more in listing.more if more.rows]
    return [part for more in tables for part in parts(shortened(more))["parts"]]


class _Shelf:
    """The pages of runs, made one at a time, and again when a run has more games."""

    def __init__(self, site: Site) -> None:
        self._site, self._lock = site, asyncio.Lock()
        self._pages: OrderedDict[tuple[int, Any, Any], str] = OrderedDict()

    async def page(self, number: int) -> Response:
        """Return the page of a run. Raises UsageError without it, or if it has too many games."""
        row = await aside(_row, self._site, number)
        key = number, row["played"], row["finished"]
        async with self._lock:
            if key not in self._pages:
                self._pages[key] = await aside(_page_of_run, self._site, number)
            self._pages.move_to_end(key)
            while len(self._pages) > MAX_BROWSED_PAGES:
                self._pages.popitem(last=False)
            text = self._pages[key]
        return HTMLResponse(text, headers={"content-security-policy": policy(page_script())})


def _row(site: Site, number: int) -> Mapping[str, Any]:
    if not site.store:
        raise UsageError("no store is shown: arena serve STORE")
    for row in arena.stored_runs(site.store).rows:
        if row["run"] == number:
            if row["played"] > MAX_RUN_GAMES:
                raise UsageError(
                    f"run {number} has {row['played']} games, more than a page is made of here"
                    f" ({MAX_RUN_GAMES}); see: arena show, arena browse"
                )
            return row
    raise UsageError(f"there is no run {number}")


def _page_of_run(site: Site, number: int) -> str:
    report = arena.report(site.store, runs=[number], catalogue=site.catalogue)
    return reports.html(pathless(report), site.links)
