"""Pass the messages of volunteers on to the process that hands out parts of a run.

It stands before all pages: a volunteer is known by a token of its own, has no session, and sends
more than a browser may. Nothing here reads what a volunteer says.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

import arena
from arena.plugins.web.aside import aside
from arena.plugins.web.contest.entry import BEARER, Rate, address_of
from arena.plugins.web.security import HEADERS, Allowance, RequestRefused, read_body

#: The path at which volunteers work.
WORK = "/work"

#: Most bytes of a message, and the seconds in which it comes.
MESSAGE = Allowance(bytes=16 << 20, seconds=60)

#: Messages of one volunteer that are answered at once.
MAX_MESSAGES = 8


@dataclass
class WorkLimits:
    """The rates at which each may send what."""

    #: Wrong tokens of an address, and messages of a volunteer.
    guesses: Rate = field(default_factory=lambda: Rate(at_once=20, a_second=0.1))
    messages: Rate = field(default_factory=lambda: Rate(at_once=400, a_second=100))


class WorkGate:
    """Middleware before all else: it answers volunteers, and lets all others through."""

    def __init__(
        self,
        app: ASGIApp,
        tokens: arena.plugin.WorkerTokens,
        socket: str,
        limits: WorkLimits | None = None,
    ) -> None:
        self._app, self._tokens, self._socket = app, tokens, socket
        self._limits = limits or WorkLimits()
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a message of a volunteer."""
        if scope["type"] != "http" or scope["path"] != WORK:
            await self._app(scope, receive, send)
            return
        try:
            answer = await self._answer(scope, receive)
        except RequestRefused as refused:
            answer = _problem(refused.status, refused.message)
        except arena.ArenaError:  # the tokens cannot be read
            answer = _problem(503, "the server cannot read its tokens now")
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        if scope["method"] != "POST":
            raise RequestRefused(405, "volunteers post their messages here: arena work URL")
        name = self._name(scope)
        if not self._limits.messages.take(name) or self._open[name] >= MAX_MESSAGES:
            raise RequestRefused(429, "you send too many messages: wait a second")
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or int(length) > MESSAGE.bytes:
            raise RequestRefused(413, f"a message has at most {MESSAGE.bytes} bytes")
        self._open[name] += 1
        try:
            message = await read_body(MESSAGE, receive)
            content: Any = await aside(arena.plugin.ask_here, self._socket, name, message)
        except arena.plugin.Away:  # also what was played is sent again then
            return _problem(503, "no games are handed out now", is_idle=True)
        finally:
            self._open[name] -= 1
            self._open += Counter()  # which forgets those that have none
        return Response(content, media_type="application/json")

    def _name(self, scope: Scope) -> str:
        """Return the name of the volunteer. Raises RequestRefused for a wrong token."""
        address, authorization = address_of(scope), Headers(scope=scope).get("authorization", "")
        is_token = authorization.lower().startswith(BEARER)
        name = self._tokens.identify(authorization[len(BEARER) :].strip()) if is_token else None
        if name is not None:
            return name
        if not self._limits.guesses.take(address):
            raise RequestRefused(429, "too many wrong tokens came from your address: wait a minute")
        raise RequestRefused(401, "the token is not one of a volunteer of this server")


def _problem(status: int, message: str, **more: bool) -> Response:
    return JSONResponse({"problem": message, **more}, status, {"connection": "close"})
