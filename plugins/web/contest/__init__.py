"""A contest in the browser: entrants hand in, and all may watch."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

import arena
from arena.plugins.web.contest import login
from arena.plugins.web.contest.downloads import Downloads
from arena.plugins.web.contest.entry import Door, Entry, RateLimiter, RateLimits
from arena.plugins.web.contest.hand_in_pages import HandInPages
from arena.plugins.web.contest.llms import Llms
from arena.plugins.web.contest.owner import Owner
from arena.plugins.web.contest.standings import Standings
from arena.plugins.web.site import Site, SitePart


class Web:
    """The parts of a contest that a server needs: a part of its site, and who sends a request."""

    def __init__(self, contest: arena.plugin.HostedContest) -> None:
        self._contest = contest
        self._door = Door(contest, RateLimits())
        self._readers: list[Standings | Downloads] = []

    @property
    def part(self) -> SitePart:
        """The pages."""
        return SitePart(self._routes, (("/", "Standings"),))

    @property
    def middleware(self) -> Sequence[Middleware]:
        """The check that refuses a request between the checks of its headers and of its body."""
        return [Middleware(Entry, door=self._door, size=self._contest.rules.size)]

    def guard(self, app: Starlette) -> None:
        """Count every request and identify its sender before the application sees it."""
        app.add_middleware(RateLimiter, door=self._door)

    def close(self) -> None:
        """End the processes that read the store."""
        for reader in self._readers:
            reader.close()

    def _routes(self, site: Site) -> list[BaseRoute]:
        standings = Standings(site, self._contest)
        downloads = Downloads(site, self._contest, standings)
        self._readers += [standings, downloads]
        return [
            *standings.routes(),
            *Llms(site, self._contest, standings).routes(),
            *login.routes(site, self._door),
            *downloads.routes(),
            *HandInPages(site, self._contest, standings).routes(),
            *Owner(site, self._contest, standings).routes(),
        ]
