"""Tell browsers what is new: one look serves all that watch the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from arena.clock import now
from arena.errors import ArenaError
from arena.plugins.web.aside import aside
from arena.plugins.web.disconnects import departure
from arena.plugins.web.site import Site
from arena.records.base import Json

#: Least seconds between two looks: all that came in between is one event.
MIN_PAUSE_SECONDS = 0.5

#: A pause is this many times as long as the look before it, up to this number of seconds, so that
#: looks cost little of a processor.
RATIO = 40
MAX_NEWS_PAUSE_SECONDS = 5

#: Seconds without news after which a browser is told that the server is there.
MAX_QUIET_SECONDS = 15


def live_scripts(script: str) -> list[str]:
    """Return the scripts of a page whose own one has ``show()`` and ``stateOf()`` for events."""
    return ["common.js", script, "live.js"]


class EventStream:
    """The state of one thing, and the browsers that wait. It looks while there are any.

    An event is the whole of what is shown, so that a browser that missed some needs only the last.
    """

    def __init__(
        self, site: Site, look: Callable[[], Json], max_pause: float = MAX_NEWS_PAUSE_SECONDS
    ) -> None:
        self._site, self._look, self._one = site, look, asyncio.Lock()
        self._max_pause = max_pause
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._data, self._count = "", 0
        self.watchers = 0

    async def look(self) -> Json:
        """Look, one look at a time, and return what to show."""
        async with self._one:
            return await aside(self._look)

    def stream(self, request: Request) -> Response:
        """Return the answer to a browser that waits for events."""
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(self.events(request), 200, headers, "text/event-stream")

    async def events(self, request: Request) -> AsyncIterator[str]:
        """Yield the events of a stream, from the one after that which the browser had."""
        last = request.headers.get("last-event-id", "")
        leaves = asyncio.create_task(departure(request))
        self.watchers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        try:
            yield "retry: 1000\n\n"
            while not (self._site.closing.is_set() or leaves.done()):
                if self._data and self._id != last:
                    last = self._id
                    yield f"id: {last}\ndata: {self._data}\n\n"
                elif not await self._comes(leaves):
                    yield ": nothing new\n\n"
        finally:
            self.watchers -= 1
            leaves.cancel()

    @property
    def _id(self) -> str:
        """The id of the last event. That of another server differs."""
        return f"{self._site.secret[:4].hex()}-{self._count}"

    async def _comes(self, leaves: asyncio.Task[None]) -> bool:
        """Wait for news, and return whether there are any, or the stream ends."""
        waits = [asyncio.ensure_future(e.wait()) for e in (self._news, self._site.closing)]
        first = asyncio.FIRST_COMPLETED
        done, _ = await asyncio.wait([*waits, leaves], timeout=MAX_QUIET_SECONDS, return_when=first)
        for wait in waits:
            wait.cancel()
        return bool(done)

    async def _follow(self) -> None:
        while self.watchers and not self._site.closing.is_set():
            began = now()
            try:
                state = await self.look()
            except ArenaError as error:
                state = {"problem": self._site.hidden(str(error))}
            self._tell(json.dumps(state))
            await asyncio.sleep(
                max(MIN_PAUSE_SECONDS, min(self._max_pause, RATIO * (now() - began)))
            )

    def _tell(self, data: str) -> None:
        if data != self._data:
            self._data, self._count = data, self._count + 1
            self._news.set()
            self._news = asyncio.Event()
