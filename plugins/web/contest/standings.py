"""The standings of a contest, live, and the games behind them."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Sequence
from threading import Lock, Timer
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Route

import arena
from arena.clock import now, timestamp
from arena.errors import StoreError, UsageError
from arena.model.codec import decode
from arena.plugins.web.aside import aside
from arena.plugins.web.channel import EventStream, live_scripts
from arena.plugins.web.contest.entry import LOGIN, address_of, identity_of
from arena.plugins.web.security import RequestRefused, policy
from arena.plugins.web.site import Site, read
from arena.records.base import Json
from arena.records.contests import ContestRanking, ContestStandings
from arena.reports.html.document import page_script

#: Most browsers that watch: in all, of an entrant, and of an address without a token.
MAX_STANDINGS_WATCHERS = 300
MAX_WATCHERS_OF_ENTRANT = 6
MAX_WATCHERS_OF_ADDRESS = 60

#: Most seconds between two looks: one reads all games.
MAX_LOOK_PAUSE_SECONDS = 30.0

#: Seconds for which pages show what the last look saw.
MAX_STALE_SECONDS = 10.0

#: Most seconds for which a page waits for another look.
MAX_PAGE_WAIT_SECONDS = 2.0

#: What pages show before the first look.
NO_STANDINGS = ContestStandings()

#: The address of the standings as JSON.
STANDINGS = "/standings.json"

#: The scripts of a page that keeps itself as the server has it.
PAGE_SCRIPTS = ("contest/morph.js", "contest/times.js", "contest/fresh.js")

#: The script that keeps a page of games as the server has it.
FOLLOWING = "contest/games.js"


class Standings:
    """The pages that show how a contest stands."""

    def __init__(self, site: Site, contest: arena.plugin.HostedContest) -> None:
        self._site, self._contest = site, contest
        self._client = PageClient(contest.store, site.catalogue.files)
        self._channel = EventStream(site, self._look, MAX_LOOK_PAUSE_SECONDS)
        self._pages = PageCache()
        self._watching: Counter[str] = Counter()
        #: What the last look saw, the time of the last, and the one that goes on for a page.
        self._last = NO_STANDINGS
        self._looked = -math.inf
        self._looking: asyncio.Task[None] | None = None

    def routes(self) -> list[BaseRoute]:
        """Return the routes to the standings and to the games of each entrant."""
        return [
            Route("/", self.show),
            Route("/standings/events", self.events),
            Route(STANDINGS, self.listing),
            Route("/games/{entrant}", self.games),
        ]

    def close(self) -> None:
        """End the process that reads the store."""
        self._client.close()

    async def show(self, request: Request) -> Response:
        """Show the standings, to strangers if they are public."""
        if not self._may_watch(request):
            return RedirectResponse(LOGIN, 303)
        identity = identity_of(request.scope)
        reader = "" if identity is None or identity.is_owner else identity.name
        sees_all = self._contest.rules.games == "all" or (
            identity is not None and identity.is_owner
        )
        return self._site.page(
            request,
            "contest/standings.html",
            self._contest.title,
            ["contest/morph.js", "contest/times.js", *live_scripts("contest/standings.js")],
            now=timestamp(),
            contest=self._contest,
            state=await aside(self._contest.status),
            first=json.dumps((await self.latest()).as_json()),
            reader=reader,
            links_to="all" if sees_all else reader,
        )

    async def events(self, request: Request) -> Response:
        """Tell a browser what is new."""
        self.require_watcher(request)
        identity = identity_of(request.scope)
        reader = address_of(request.scope) if identity is None else f"{identity.name}="
        most = MAX_WATCHERS_OF_ADDRESS if identity is None else MAX_WATCHERS_OF_ENTRANT
        if self._watching[reader] >= most or self._watching.total() >= MAX_STANDINGS_WATCHERS:
            raise HTTPException(503, "too many browsers watch already")
        return StreamingResponse(
            self._counted(reader, self._channel.events(request)),
            headers={"x-accel-buffering": "no"},
            media_type="text/event-stream",
        )

    async def listing(self, request: Request) -> Response:
        """Return the standings as JSON, to strangers if they are public."""
        self.require_watcher(request)
        return JSONResponse((await self.latest()).as_json())

    def require_watcher(self, request: Request) -> None:
        """Raise RequestRefused for a sender to whom the standings are not shown."""
        if not self._may_watch(request):
            raise RequestRefused(401, "log in with a token of this contest first")

    async def games(self, request: Request) -> Response:
        """Show the games of an entrant to itself, and to others as the contest allows."""
        entrant, identity = request.path_params["entrant"], identity_of(request.scope)
        if not self._may_watch(request):
            return RedirectResponse(LOGIN, 303)
        is_own = identity is not None and not identity.is_owner and identity.name == entrant
        is_owner = identity is not None and identity.is_owner
        if not (is_own or is_owner or self._contest.rules.games == "all"):
            raise RequestRefused(403, "this contest shows an entrant its own games alone")
        key, reader = (entrant, is_own), address_of(request.scope) if identity is None else identity
        text = self._pages.get(key)
        if text is None:
            self._pages.begin(reader)
            try:
                text = await aside(self._games_page, entrant, is_own)
            finally:
                self._pages.end(reader)
            self._pages.keep(key, text)
        script = page_script() + read(FOLLOWING)
        return HTMLResponse(text, headers={"content-security-policy": policy(script)})

    async def latest(self) -> ContestStandings:
        """Return what the last look saw, or another one if that is too old.

        A page does not wait long for a look, which reads all games.
        """
        is_looking = self._looking is not None and not self._looking.done()
        if not is_looking and now() - self._looked >= MAX_STALE_SECONDS:
            self._looked = now()
            self._looking, is_looking = asyncio.create_task(self._renew()), True
        if is_looking and self._looking is not None:
            await asyncio.wait({self._looking}, timeout=MAX_PAGE_WAIT_SECONDS)
        return self._last

    async def _renew(self) -> None:
        try:
            await self._channel.look()
        except arena.ArenaError as error:
            self._contest.tell(str(error))

    def _may_watch(self, request: Request) -> bool:
        return self._contest.rules.public or identity_of(request.scope) is not None

    async def _counted(self, reader: str, events: AsyncIterator[str]) -> AsyncIterator[str]:
        self._watching[reader] += 1
        try:
            async for event in events:
                yield event
        finally:
            self._watching[reader] -= 1
            self._watching += Counter()  # forget entrants that watch no more

    def _games_page(self, entrant: str, is_own: bool) -> str:
        run = self._contest.run
        if run is None:
            raise UsageError("no game was played yet")
        links = [("/", "Standings"), *([("/me", entrant)] if is_own else [])]
        question = {"run": run, "entrant": entrant, "is_own": is_own, "links": links}
        text: str = self._client.ask(ask="games", script=read(FOLLOWING), **question)["html"]
        return text

    def _look(self) -> Json:
        """Return what pages show of the standings."""
        status, ranked = self._contest.status(), self._contest.ranked()
        ranking = ContestRanking()
        if status.run is not None:
            answer = self._client.ask(ask="standings", run=status.run)
            ranking = decode(ContestRanking, answer)
        plays = {row.player: row.hand_in for row in ranking.rows}
        new = [name for name, hand_in in ranked.items() if plays.get(name) != hand_in.number]
        self._last = ContestStandings(
            ranking=ranking,
            play=status.play,
            phase=status.phase,
            state=status.words,
            waiting=status.waiting,
            closes=status.closes,
            closed=status.closed,
            new=tuple(new),
        )
        self._looked = now()
        return self._last.as_json()


#: Seconds that the process may take for an answer.
MAX_PAGE_SECONDS = 120.0

#: Seconds for which a page of games is not made again, and most pages that are kept.
MAX_PAGE_AGE_SECONDS = 10.0
MAX_KEPT_PAGES = 100

_COMMAND = (sys.executable, "-m", "arena.plugins.web.contest.page_process")


class PageClient:
    """Asks the page process of a store. Any thread may call a method, which takes long."""

    def __init__(self, store: str, plugins: Sequence[str]) -> None:
        self._setting = {"store": store, "plugins": list(plugins)}
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None

    def ask(self, **question: Any) -> Json:
        """Return an answer. Raises UsageError without one, StoreError if the process is silent."""
        with self._lock:
            answer = self._answer(json.dumps(question))
        if "problem" in answer:
            raise UsageError(answer["problem"])
        return answer

    def close(self) -> None:
        """End the process, even while it works."""
        if self._process is not None:
            self._process.kill()

    def _answer(self, text: str) -> Json:
        process = self._running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        too_long = Timer(MAX_PAGE_SECONDS, process.kill)
        too_long.daemon = True
        too_long.start()
        try:
            process.stdin.write(text + "\n")
            process.stdin.flush()
            answer: Json = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:  # it has ended, or is ended
            process.kill()
            raise StoreError("the page could not be made now: try again") from error
        finally:
            too_long.cancel()
        return answer

    def _running_process(self) -> subprocess.Popen[str]:
        """Return the process, started again if it has ended."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - arena's own
                _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(self._setting) + "\n")
        return self._process


class PageCache:
    """Keeps pages for a while. Each reader has one in the making at a time."""

    def __init__(self) -> None:
        self._pages: OrderedDict[object, tuple[float, str]] = OrderedDict()
        self._making: set[object] = set()

    def get(self, key: object) -> str | None:
        """Return a page that is not too old."""
        created, text = self._pages.get(key, (0.0, None))
        return text if text is not None and now() - created < MAX_PAGE_AGE_SECONDS else None

    def keep(self, key: object, text: str) -> None:
        """Keep a page."""
        self._pages[key] = now(), text
        self._pages.move_to_end(key)
        while len(self._pages) > MAX_KEPT_PAGES:
            self._pages.popitem(last=False)

    def begin(self, reader: object) -> None:
        """Note that a page is being made for a reader. Raises RequestRefused if one is already."""
        if reader in self._making:
            raise RequestRefused(429, "a page is being made for you already: wait for it")
        self._making.add(reader)

    def end(self, reader: object) -> None:
        """Note that the page of a reader is made."""
        self._making.discard(reader)
