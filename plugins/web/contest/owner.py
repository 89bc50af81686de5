"""The pages of the owner of a contest, who alone starts, stops, withdraws and closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

import arena
from arena.clock import timestamp
from arena.errors import UsageError, quoted
from arena.plugins.web.aside import aside
from arena.plugins.web.contest.entry import require_owner
from arena.plugins.web.contest.standings import PAGE_SCRIPTS, Standings
from arena.plugins.web.site import Site
from arena.records.contests import ContestRow

#: Most hand-ins of the page; the newest are shown.
MAX_OWNER_HAND_INS = 500


class Owner:
    """The owner's view and actions."""

    def __init__(
        self, site: Site, contest: arena.plugin.HostedContest, standings: Standings
    ) -> None:
        self._site, self._contest, self._standings = site, contest, standings

    def routes(self) -> list[BaseRoute]:
        """Return the routes to the owner's pages."""
        return [
            Route("/owner", self.show),
            Route("/owner/{act}", self.redirect, methods=["GET"]),
            Route("/owner/{act}", self.act, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show how the contest stands, and what its owner can do."""
        require_owner(request)
        return await self._page(request)

    async def redirect(self, request: Request) -> Response:
        """Lead back from the address of an action that was refused."""
        require_owner(request)
        return RedirectResponse("/owner", 303)

    async def act(self, request: Request) -> Response:
        """Do what a button says."""
        require_owner(request)
        form = parse_qs((await request.body()).decode(errors="replace"))
        value = form.get("value", [""])[0].strip()
        try:
            await aside(self._done, request.path_params["act"], value)
        except UsageError as error:
            return await self._page(request, str(error), 400)
        return RedirectResponse("/owner", 303)

    def _done(self, act: str, value: str) -> None:
        contest = self._contest
        acts: dict[str, Callable[[], Any]] = {
            "start": contest.start,
            "stop": contest.stop,
            "withdraw": lambda: contest.withdraw(value),
            "readmit": lambda: contest.readmit(value),
            "close": lambda: contest.close_at(value or None),
            "close-by-file": contest.close_by_file,
        }
        if act not in acts:
            raise UsageError(f"the owner cannot do {quoted(act)}")
        acts[act]()

    async def _page(self, request: Request, problem: str = "", status: int = 200) -> Response:
        state = await aside(self._contest.status)
        hand_ins = await aside(partial(self._contest.hand_ins, brief=True))
        standings = await self._standings.latest()
        rows = await aside(self._rows, state, hand_ins, standings.by_player)
        problems = [replace(each, text=self._site.hidden(each.text)) for each in state.problems]
        return self._site.page(
            request,
            "contest/owner.html",
            self._contest.title,
            PAGE_SCRIPTS,
            status,
            now=timestamp(),
            file=self._contest.setup.name,
            unit=self._contest.setup.unit,
            state=state,
            rows=rows,
            missing=[row["name"] for row in rows if row["last"] is None],
            plays=sum(row["plays"] is not None for row in rows),
            games=standings.ranking.games,
            hand_ins=self._site.pathless(hand_ins[:MAX_OWNER_HAND_INS]),
            more=len(hand_ins[MAX_OWNER_HAND_INS:]),
            problem=self._site.hidden(problem),
            problems=problems[::-1],
        )

    def _rows(
        self,
        status: arena.plugin.ContestStatus,
        hand_ins: Sequence[arena.records.HandIn],
        standings: Mapping[str, ContestRow],
    ) -> list[dict[str, Any]]:
        """Return a row for each entrant: its standing, its last hand-in, and the one that plays."""
        ranked = self._contest.ranked()
        last: dict[str, arena.records.HandIn] = {}
        for hand_in in hand_ins:
            last.setdefault(hand_in.entrant, hand_in)
        return [
            {
                "name": name,
                "standing": standings.get(name),
                "last": last.get(name),
                "plays": ranked[name].number if name in ranked else None,
                "is_withdrawn": name in status.withdrawn,
            }
            for name in self._contest.entrants
        ]
