"""Play in the browser: against any player that is installed or that the command line names."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

import arena
from arena.errors import UsageError, quoted
from arena.player.human import HUMAN
from arena.plugins.web.aside import aside
from arena.plugins.web.disconnects import unless_gone
from arena.plugins.web.site import Site, SitePart
from arena.plugins.web.tables import CLOSED, Tables, TableState, WebTable
from arena.rng import fresh_seed

#: Seconds that a request for news waits for them.
MAX_NEWS_SECONDS = 20.0

#: The acts that a page may ask of the process of a table.
ACTS = ("move", "step", "undo", "hint", "resign", "again")

#: The usual choice: the human moves first.
USUAL_CHOICE: Mapping[str, str] = {"game": "tictactoe", "first": HUMAN.name, "second": "minimax"}

#: Names of games that a page may ask for: none of them reads a file.
_GAME = re.compile(r"[A-Za-z0-9_.-]{1,60}", re.ASCII)


def part(players: Sequence[str] = ()) -> SitePart:
    """Return the part of a site where people play, also against these, which a page may name."""
    return SitePart(partial(routes, players=players), (("/play", "Play"),))


def routes(site: Site, players: Sequence[str] = ()) -> list[BaseRoute]:
    """Return the routes to the tables."""
    hall = _Hall(site, players)
    table = "/play/{table}"
    return [
        Route("/play", hall.choose),
        Route("/play", hall.begin, methods=["POST"]),
        Route(table, hall.show),
        Route(f"{table}/state", hall.state),
        Route(f"{table}/game.json", hall.record),
        Route(f"{table}/{{act}}", hall.act, methods=["POST"]),
    ]


class _Hall:
    """The pages of all tables."""

    def __init__(self, site: Site, players: Sequence[str]) -> None:
        self._site = site
        #: The players that the command line names, by what pages call them.
        self._players = dict(_called(site, player) for player in players)
        self._tables = Tables(site.catalogue.isolation, site.catalogue.files)
        self._end: asyncio.Task[None] | None = None

    async def choose(self, request: Request) -> Response:
        """Show what there is to play."""
        choice = {
            name: request.query_params.get(name, usual) for name, usual in USUAL_CHOICE.items()
        }
        return self._choice(request, choice)

    def _choice(
        self, request: Request, choice: Mapping[str, str], problem: str = "", status: int = 200
    ) -> Response:
        catalogue = self._site.catalogue
        rows = arena.installed_games(catalogue).rows
        games = [row["name"] for row in rows if _GAME.fullmatch(row["name"])]
        players = {row["name"]: row["summary"] for row in arena.installed_players(catalogue).rows}
        return self._site.page(
            request,
            "choose.html",
            "Play",
            status=status,
            games=["tictactoe-4", "mnk-15-15-5", *games],
            players={**dict.fromkeys(self._players, ""), **players},
            person=HUMAN.name,
            asked=choice,
            problem=problem,
        )

    async def begin(self, request: Request) -> Response:
        """Open a table and show it."""
        form = parse_qs((await request.body()).decode(errors="replace"))
        choice = {name: form.get(name, [""])[0] for name in USUAL_CHOICE}
        try:
            setting = await aside(self._setting, choice)
            name = await self._tables.open(setting)
        except UsageError as error:
            return self._choice(request, choice, self._site.hidden(str(error)), 400)
        if self._end is None:
            self._end = asyncio.create_task(self._close_with_server())
        return RedirectResponse(f"/play/{name}", 303)

    def _setting(self, choice: Mapping[str, str]) -> TableState:
        """Return what is asked for. Raises UsageError if it cannot be played, or not by a page."""
        catalogue, sides = self._site.catalogue, (choice["first"], choice["second"])
        names = {HUMAN.name, *self._players, *(name for name, _ in catalogue.players)}
        for side in sides:
            if side not in names:
                raise UsageError(
                    f"player {quoted(side)} is not one of those here; arena serve --player NAME"
                    " adds one, such as a file or a program"
                )
        if not _GAME.fullmatch(choice["game"]):
            raise UsageError(f"game {quoted(choice['game'])} is not a name of letters and numbers")
        game = arena.get_game(choice["game"], catalogue)
        if game.is_refereed:
            raise UsageError(f"game {quoted(game.name)} is played by its referee, not on a board")
        if game.features:
            has = " and ".join(game.features)
            raise UsageError(f"game {quoted(game.name)} has {has}, and pages do not play it")
        for side in sides:
            if side in self._installed():
                catalogue.players.get(side).require(game)
        x, o = (self._players.get(side, side) for side in sides)
        return TableState(game.name, (x, o), fresh_seed())

    def _installed(self) -> set[str]:
        return {name for name, _ in self._site.catalogue.players}

    async def show(self, request: Request) -> Response:
        """Show a table."""
        table = self._table(request)
        first, second = (named.partition("=")[0] for named in table.setting.sides)
        title = f"{table.setting.game}: {first} against {second}"
        name = request.path_params["table"]
        return self._site.page(request, "play.html", title, ["play.js"], table=name)

    async def state(self, request: Request) -> Response:
        """Return the state of a table when it is newer than the page's, or after a while."""
        table, after = self._table(request), request.query_params.get("after", "")
        version = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else -1
        state = await unless_gone(request, table.after(version, MAX_NEWS_SECONDS))
        return Response(status_code=204) if state is None else self._answer(state)

    async def record(self, request: Request) -> Response:
        """Return the game as a file for ``arena replay``."""
        state = self._table(request).state
        if "record" not in state:
            raise UsageError("the game has not begun")
        record = dict(state["record"])
        if record["forfeit"]:
            message = self._site.hidden(record["forfeit"]["message"])
            record["forfeit"] = {**record["forfeit"], "message": message}
        headers = {"content-disposition": 'attachment; filename="game.json"'}
        return JSONResponse(record, headers=headers)

    async def act(self, request: Request) -> Response:
        """Do what a button says, and return the state of the table."""
        table, act = self._table(request), request.path_params["act"]
        fields = await _form(request)
        done: Callable[[], Any]
        if act in ACTS:
            done = partial(table.ask, act, fields["version"], fields["move"])
        elif act == "resume":
            done = partial(self._tables.resume, table)
        elif act == "leave":
            done = partial(table.end, CLOSED)
        else:
            raise UsageError(f"a table cannot do {quoted(act)}")
        try:
            await done()
        except UsageError as error:
            return self._answer({**table.state, "problem": str(error)}, 409)
        return self._answer(table.state)

    def _table(self, request: Request) -> WebTable:
        return self._tables.get(request.path_params["table"])

    def _answer(self, state: Mapping[str, Any], status: int = 200) -> Response:
        """Return a state without the record, and without paths of this machine."""
        answer = {key: value for key, value in state.items() if key != "record"}
        for key in ("problem", "ended", "says"):
            if key in answer:
                answer[key] = self._site.hidden(answer[key])
        return JSONResponse(answer, status)

    async def _close_with_server(self) -> None:
        await self._site.closing.wait()
        await self._tables.close()


async def _form(request: Request) -> dict[str, Any]:
    """Return the version of the state and the move that a page sends. Raises UsageError."""
    fields = parse_qs((await request.body()).decode(errors="replace"))
    version, move = fields.get("version", ["-1"])[0], fields.get("move", [""])[0]
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise UsageError("the page does not say which state it shows")
    return {"version": int(version), "move": move[:100]}


def _called(site: Site, player: str) -> tuple[str, str]:
    """Return what pages call a player, which has no path of this machine, and its spec."""
    named = site.catalogue.read_named(player)
    name = site.hidden(named.name)
    return name, f"{name}={named.spec}" if name != named.spec else player
