"""A run that is being played, live: one look at the store serves all browsers that watch it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

import arena
from arena import escape
from arena.clock import now
from arena.errors import ArenaError
from arena.player.names import short_names
from arena.plugins.web.aside import aside
from arena.plugins.web.leaving import gone
from arena.plugins.web.paths import without_paths
from arena.plugins.web.site import Site
from arena.records.base import Json

#: Least seconds between two looks at the store: all that came in between is one event.
PAUSE = 0.5

#: A pause is so many times as long as the look before it, up to this number of seconds, so that
#: looks cost little of a processor.
RATIO = 40
MAX_PAUSE = 5

#: Seconds without news after which a browser is told that the server is there.
SILENCE = 15

#: Most browsers that watch.
MAX_WATCHERS = 50

Look = Callable[[], arena.Watched]


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes to the page of a run that is played, and to its events."""
    channels: dict[int, _Channel] = {}

    async def channel_of(number: int) -> _Channel:
        if not site.store:
            raise HTTPException(404, "no store is shown: arena serve STORE")
        if number not in channels:
            look = await aside(arena.watch, site.store, number, site.catalogue)
            channels.setdefault(number, _Channel(site, look))
        return channels[number]

    async def page(request: Request) -> Response:
        number = request.path_params["run"]
        found = await (await channel_of(number)).look()
        title = f"Run {number} at {found.game}"
        first = json.dumps(_shown(found))
        return site.page(request, "watch.html", title, ["watch.js"], run=number, first=first)

    async def events(request: Request) -> Response:
        channel = await channel_of(request.path_params["run"])
        if sum(each.watchers for each in channels.values()) >= MAX_WATCHERS:
            raise HTTPException(503, f"{MAX_WATCHERS} browsers watch already")
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(channel.events(request), 200, headers, "text/event-stream")

    return [Route("/runs/{run:int}/watch", page), Route("/runs/{run:int}/events", events)]


class _Channel:
    """What is known of one run, and the browsers that wait for more. It looks while there are any.

    An event is the whole of what is shown, so that a browser that missed some needs only the last.
    """

    def __init__(self, site: Site, look: Look) -> None:
        self._site, self._look, self._one = site, look, asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._data, self._count = "", 0
        self.watchers = 0

    async def look(self) -> arena.Watched:
        """Look at the store, one look at a time."""
        async with self._one:
            return await aside(self._look)

    async def events(self, request: Request) -> AsyncIterator[str]:
        """Yield the events of a stream, from the one after that which the browser had."""
        last = request.headers.get("last-event-id", "")
        leaves = asyncio.create_task(gone(request))
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
        """The id of the last event; that of another server differs."""
        return f"{self._site.secret[:4].hex()}-{self._count}"

    async def _comes(self, leaves: asyncio.Task[None]) -> bool:
        """Wait for news, and return whether there are any, or the stream ends."""
        waits = [asyncio.ensure_future(e.wait()) for e in (self._news, self._site.closing)]
        first = asyncio.FIRST_COMPLETED
        done, _ = await asyncio.wait([*waits, leaves], timeout=SILENCE, return_when=first)
        for wait in waits:
            wait.cancel()
        return bool(done)

    async def _follow(self) -> None:
        while self.watchers and not self._site.closing.is_set():
            began = now()
            try:
                shown = _shown(await self.look())
            except ArenaError as error:
                shown = {"problem": self._site.hidden(str(error))}
            self._tell(json.dumps(shown))
            await asyncio.sleep(max(PAUSE, min(MAX_PAUSE, RATIO * (now() - began))))

    def _tell(self, data: str) -> None:
        if data != self._data:
            self._data, self._count = data, self._count + 1
            self._news.set()
            self._news = asyncio.Event()


def _shown(found: arena.Watched) -> Json:
    """Return what a page shows: names as they may be shown, and boards as pictures."""
    short = short_names(row.player for row in found.standings)
    names = {name: escape.line(without_paths(form)) for name, form in short.items()}
    known = found.as_json()
    for row in known["standings"]:
        row["player"] = names[row["player"]]
    known["games"] = [_game(game, names) for game in found.games]
    return known


def _game(game: arena.WatchedGame, names: Mapping[str, str]) -> dict[str, Any]:
    first, second = (names[name] for name in game.players)
    picture = game.position.svg(last=game.last) if game.position is not None else ""
    return {
        "game": game.game,
        "players": [first, second],
        "result": {"first": f"{first} wins", "second": f"{second} wins"}.get(game.outcome, "draw"),
        "reason": game.reason,
        "moves": len(game.moves),
        "picture": picture and f"data:image/svg+xml;charset=utf-8,{quote(picture)}",
    }
