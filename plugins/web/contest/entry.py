"""Find out who sends a request, by the token that it has, before its body is read.

A browser has the token in a cookie that no script reads and no other site sends; a program has it
in a header. Guesses are limited by address, requests by entrant and by address.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import arena
from arena.plugins.web.rates import Rate, stranger
from arena.plugins.web.security import (
    ALLOWANCE,
    IS_BY_HEADER,
    SAFE,
    Allowance,
    Refused,
    cookie_of,
)
from arena.plugins.web.site import LINKS
from arena.reports.html.document import Links

#: The cookie with the token of a browser.
COOKIE = "arena-token"

#: How a header begins that has a token.
BEARER = "bearer "

#: Where hand-ins are sent, and where a token is shown for the first time.
HAND_INS, LOGIN = "/hand-ins", "/login"

#: Seconds that a hand-in may take to come.
UPLOAD_SECONDS = 60

#: Most tokens that are known to be right from an address.
MAX_KNOWN = 10_000

#: Hand-ins that are sent at once: each is kept in memory, whole.
MAX_UPLOADS = 32

IDENTITY = "arena.identity"


@dataclass(frozen=True)
class Limits:
    """How often who may do what."""

    #: Wrong tokens from an address.
    guesses: Rate = field(default_factory=lambda: Rate(at_once=20, a_second=0.1))
    #: Requests from an address without a token, and requests of an entrant.
    strangers: Rate = field(default_factory=lambda: Rate(at_once=300, a_second=30))
    entrants: Rate = field(default_factory=lambda: Rate(at_once=200, a_second=20))


def identity_of(scope: Scope) -> arena.Identity | None:
    """Return who sends a request; None for a stranger."""
    identity: arena.Identity | None = scope[IDENTITY]
    return identity


def entrant_of(request: Request) -> str:
    """Return the entrant that sends a request. Raises Refused for anybody else."""
    identity = identity_of(request.scope)
    if identity is None or identity.is_owner:
        raise Refused(401, "this is for an entrant of the contest: log in with its token")
    return identity.name


def require_owner(request: Request) -> None:
    """Raise Refused unless the owner of the contest sends the request."""
    identity = identity_of(request.scope)
    if identity is None:
        raise Refused(401, "this is for the owner of the contest: log in with the owner's token")
    if not identity.is_owner:
        raise Refused(403, "this is for the owner of the contest")


class Door:
    """Knows who has which token, and who guesses."""

    def __init__(self, contest: arena.HostedContest, limits: Limits) -> None:
        self._contest, self.limits = contest, limits
        #: Tokens that were right from an address, by digest: a neighbour who guesses does not lock
        #: out who is in.
        self._known: OrderedDict[bytes, None] = OrderedDict()
        #: Whose hand-in is being sent.
        self._sending: set[arena.Identity] = set()

    def identify(self, token: str, address: str) -> arena.Identity | None:
        """Return who has a token. Raises Refused for an address that guesses too often."""
        known = sha256(f"{address} {token}".encode(errors="replace")).digest()
        if known not in self._known and not self.limits.guesses.may(address):
            raise Refused(429, "too many wrong tokens came from your address: wait a minute")
        identity = self._contest.identify(token)
        if identity is None:
            self._known.pop(known, None)
            self.limits.guesses.take(address)
            return None
        self._known[known] = None
        self._known.move_to_end(known)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return identity

    @contextmanager
    def sending(self, identity: arena.Identity) -> Iterator[None]:
        """Count a hand-in while it is sent. Raises Refused for a second one of an entrant."""
        if identity in self._sending:
            raise Refused(429, "you are handing in already: one at a time")
        if len(self._sending) >= MAX_UPLOADS:
            raise Refused(503, "many hand in just now: try again in a minute")
        self._sending.add(identity)
        try:
            yield
        finally:
            self._sending.discard(identity)


@dataclass(frozen=True)
class Entry:
    """Middleware between the checks of a request's headers and of its body."""

    app: ASGIApp
    door: Door
    #: Most bytes of a hand-in.
    size: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say who sends a request, or refuse it."""
        address = address_of(scope)
        identity = scope[IDENTITY] = self._identity(scope, address)
        scope[LINKS] = _links(identity)
        limits = self.door.limits
        rate, who = (
            (limits.strangers, address) if identity is None else (limits.entrants, str(identity))
        )
        if not rate.take(who):
            await _too_often(scope, receive, send)
            return
        if scope["method"] in SAFE:
            await self.app(scope, receive, send)
        elif identity is None and scope["path"] != LOGIN:
            raise Refused(401, "log in with a token of this contest first")
        elif identity is not None and scope["path"] == HAND_INS:
            with self.door.sending(identity):
                scope[ALLOWANCE] = Allowance(self.size, UPLOAD_SECONDS)
                await self.app(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _identity(self, scope: Scope, address: str) -> arena.Identity | None:
        """Return who sends a request. Raises Refused for a wrong token in a header."""
        headers = Headers(scope=scope)
        if "authorization" not in headers:
            token = cookie_of(scope, COOKIE)
            return None if token is None else self.door.identify(token, address)
        scope[IS_BY_HEADER] = True
        shown = headers["authorization"]
        is_bearer = shown.lower().startswith(BEARER)
        identity = self.door.identify(shown[len(BEARER) :].strip(), address) if is_bearer else None
        if identity is None:
            raise Refused(401, "the token is not one of this contest")
        return identity


def _links(identity: arena.Identity | None) -> Links:
    own = ("/login", "Log in")
    if identity is not None:
        own = ("/owner", "Owner") if identity.is_owner else ("/me", identity.name)
    return [("/", "Standings"), own]


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from."""
    return stranger((scope.get("client") or ("",))[0])


async def _too_often(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with as little work as possible, and close the connection."""
    headers = {"retry-after": "1", "connection": "close"}
    status = HTTPStatus.TOO_MANY_REQUESTS
    await PlainTextResponse("too many requests: wait a second\n", status, headers)(
        scope, receive, send
    )
