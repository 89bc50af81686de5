"""Hand-ins in the browser: what an entrant has handed in, what came of it, and a form for more."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

import arena
from arena.clock import timestamp
from arena.errors import UsageError, quoted
from arena.plugins.web.aside import aside
from arena.plugins.web.contest.entry import HAND_INS, entrant_of, require_owner
from arena.plugins.web.contest.standings import PAGE_SCRIPTS, Standings
from arena.plugins.web.site import Site
from arena.records.base import Json

#: The header with the name of the file, percent-encoded.
NAME_HEADER = "x-file-name"

#: Most hand-ins of a page; the newest are shown.
MAX_AUTHOR_HAND_INS = 100


class HandInPages:
    """The pages on which an entrant hands in."""

    def __init__(
        self, site: Site, contest: arena.plugin.HostedContest, standings: Standings
    ) -> None:
        self._site, self._contest, self._standings = site, contest, standings

    def routes(self) -> list[BaseRoute]:
        """Return the routes to an entrant's own pages."""
        return [
            Route("/me", self.show),
            Route(HAND_INS, self.listing),
            Route(HAND_INS, self.take, methods=["POST"]),
            Route(f"{HAND_INS}/{{number:number}}", self.report),
            Route("/owner/hand-ins/{entrant}/{number:number}", self.report_to_owner),
        ]

    async def show(self, request: Request) -> Response:
        """Show an entrant where it stands, and what it has handed in."""
        entrant = entrant_of(request)
        status, hand_ins, ranked = await aside(self._read, entrant)
        rows = (await self._standings.latest()).by_player
        plays = ranked.get(entrant)
        return self._site.page(
            request,
            "contest/me.html",
            entrant,
            [*PAGE_SCRIPTS, "contest/hand_in.js"],
            now=timestamp(),
            entrant=entrant,
            contest=self._contest,
            state=status,
            row=rows.get(entrant),
            players=len(rows),
            hand_ins=self._site.pathless(hand_ins[:MAX_AUTHOR_HAND_INS]),
            plays=None if plays is None else plays.number,
            is_withdrawn=entrant in status.withdrawn,
            is_busy=any(not each.is_settled for each in hand_ins),
        )

    def _read(
        self, entrant: str
    ) -> tuple[Any, list[arena.records.HandIn], dict[str, arena.records.HandIn]]:
        contest = self._contest
        return contest.status(), contest.hand_ins(entrant, brief=True), contest.ranked()

    async def listing(self, request: Request) -> Response:
        """Return an entrant's hand-ins as JSON, the newest first, without their reports."""
        brief = partial(self._contest.hand_ins, entrant_of(request), brief=True)
        rows = [hand_in.as_json() for hand_in in self._site.pathless(await aside(brief))]
        return JSONResponse({"schema": "arena.hand-ins/1", "hand_ins": rows})

    async def take(self, request: Request) -> Response:
        """Take what an entrant hands in."""
        entrant, content = entrant_of(request), await request.body()
        name = unquote(request.headers.get(NAME_HEADER, ""), errors="replace")
        try:
            hand_in = await aside(self._contest.hand_in, entrant, name, content)
        except arena.plugin.HandInRefused as refused:
            return JSONResponse({"problem": self._site.hidden(str(refused))}, 422)
        return JSONResponse(self._site.pathless(hand_in).as_json(), 201)

    async def report(self, request: Request) -> Response:
        """Show the whole report of the check of a hand-in, to its author."""
        entrant, number = entrant_of(request), request.path_params["number"]
        missing = f"you have no hand-in {number}"
        return await self._report(request, entrant, missing, ("/me", "All your hand-ins"))

    async def report_to_owner(self, request: Request) -> Response:
        """Show it to the owner, whosever it is."""
        require_owner(request)
        entrant, number = request.path_params["entrant"], request.path_params["number"]
        missing = f"{quoted(entrant)} has no hand-in {number}"
        return await self._report(request, entrant, missing, ("/owner", "All hand-ins"))

    async def _report(
        self, request: Request, entrant: str, missing: str, back: tuple[str, str]
    ) -> Response:
        number = request.path_params["number"]
        for hand_in in await aside(self._contest.hand_ins, entrant):
            if hand_in.number == number:
                break
        else:
            raise UsageError(missing)
        hand_in = self._site.pathless(hand_in)
        if "application/json" in request.headers.get("accept", ""):
            if hand_in.is_settled:
                standing = (await self._standings.latest()).by_player.get(entrant)
                hand_in = replace(hand_in, standing=standing)
            return JSONResponse(hand_in.as_json())
        return self._site.page(
            request,
            "contest/hand_in.html",
            f"Hand-in {number} of {entrant}",
            PAGE_SCRIPTS,
            hand_in=hand_in,
            report=hand_in.report,
            findings=_worst_first(hand_in),
            is_busy=not hand_in.is_settled,
            back=back,
        )


def _worst_first(hand_in: arena.records.HandIn) -> list[Json]:
    """Return the findings of a check, those that failed before the others."""
    findings = (hand_in.report or {}).get("findings", ())
    return sorted(findings, key=lambda finding: finding.get("level") != "fail")
