"""A run that is being played, live: one look at the store serves all browsers that watch it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

import arena
from arena import escape
from arena.player.names import short_names
from arena.plugins.web.aside import aside
from arena.plugins.web.channel import EventStream, live_scripts
from arena.plugins.web.paths import without_paths
from arena.plugins.web.site import Site
from arena.records.base import Json
from arena.seats import ended_word, winner_of

#: Most browsers that watch.
MAX_WATCHERS = 50


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes to the page of a run that is played, and to its events."""
    channels: dict[int, EventStream] = {}

    async def channel_of(number: int) -> EventStream:
        if not site.store:
            raise HTTPException(404, "no store is shown: arena serve STORE")
        if number not in channels:
            look = await aside(arena.plugin.watch, site.store, number, site.catalogue)
            channels.setdefault(number, EventStream(site, _shown_by(look)))
        return channels[number]

    async def page(request: Request) -> Response:
        number = request.path_params["run"]
        state = await (await channel_of(number)).look()
        title, first = f"Run {number} at {state['game']}", json.dumps(state)
        scripts = live_scripts("watch.js")
        return site.page(request, "watch.html", title, scripts, run=number, first=first)

    async def events(request: Request) -> Response:
        channel = await channel_of(request.path_params["run"])
        if sum(each.watchers for each in channels.values()) >= MAX_WATCHERS:
            raise HTTPException(503, f"{MAX_WATCHERS} browsers watch already")
        return channel.stream(request)

    return [Route("/runs/{run:number}/watch", page), Route("/runs/{run:number}/events", events)]


def _shown_by(look: Callable[[], arena.records.Watched]) -> Callable[[], Json]:
    return lambda: _page_state(look())


def _page_state(watched: arena.records.Watched) -> Json:
    """Return what a page shows: names as they may be shown, and boards as pictures."""
    short = short_names(row.player for row in watched.standings)
    names = {name: escape.line(without_paths(form)) for name, form in short.items()}
    state = watched.as_json()
    for row in state["standings"]:
        row["player"] = names[row["player"]]
    state["games"] = [_game(game, names) for game in watched.games]
    return state


def _game(game: arena.records.WatchedGame, names: Mapping[str, str]) -> dict[str, Any]:
    players = [names[name] for name in game.players]
    winner = winner_of(players, game.outcome, game.payoffs)
    picture = game.position.svg(last=game.last) if game.position is not None else ""
    return {
        "game": game.game,
        "players": players,
        "result": f"{winner} wins" if winner else ended_word(len(players)),
        "reason": game.reason,
        "moves": len(game.moves),
        "picture": picture and f"data:image/svg+xml;charset=utf-8,{quote(picture)}",
    }
