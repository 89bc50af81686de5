"""Find out who sends a request, by the token that it has, before its body is read.

A browser has the token in a cookie that no script reads and no other site sends. A program has it
in a header. Guesses are limited by address, requests by entrant and by address, whatever comes of
them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import arena
from arena.clock import now
from arena.plugins.web.security import (
    ALLOWANCE,
    HEADERS,
    IS_BY_HEADER,
    SAFE,
    Allowance,
    RequestRefused,
    cookie_of,
)
from arena.plugins.web.site import LINKS
from arena.reports.html.document import Links

#: The cookie with the token of a browser.
ENTRANT_COOKIE = "arena-token"

#: How a header begins that has a token.
BEARER = "bearer "

#: Where hand-ins are sent, and where a token is shown for the first time.
HAND_INS, LOGIN = "/hand-ins", "/login"

#: Seconds that a hand-in may take to come.
MAX_UPLOAD_SECONDS = 60

#: Hand-ins that are sent at once: each is kept in memory, whole.
MAX_UPLOADS = 32

#: Keys of a scope: who sends a request, and why that is not known.
IDENTITY_KEY, FAULT_KEY = "arena.identity", "arena.fault"


@dataclass(frozen=True)
class RateLimits:
    """The rates at which each sender may do what."""

    #: Wrong tokens from an address.
    guesses: Rate = field(default_factory=lambda: Rate(at_once=20, a_second=0.1))
    #: Requests from an address without a token, and requests of an entrant.
    strangers: Rate = field(default_factory=lambda: Rate(at_once=300, a_second=30))
    entrants: Rate = field(default_factory=lambda: Rate(at_once=200, a_second=20))


def identity_of(scope: Scope) -> arena.plugin.Identity | None:
    """Return who sends a request, or None for a stranger."""
    identity: arena.plugin.Identity | None = scope[IDENTITY_KEY]
    return identity


def entrant_of(request: Request) -> str:
    """Return the entrant that sends a request. Raises RequestRefused for any other sender."""
    identity = identity_of(request.scope)
    if identity is None or identity.is_owner:
        raise RequestRefused(401, "this is for an entrant of the contest: log in with its token")
    return identity.name


def require_owner(request: Request) -> None:
    """Raise RequestRefused unless the owner of the contest sends the request."""
    identity = identity_of(request.scope)
    if identity is None:
        raise RequestRefused(
            401, "this is for the owner of the contest: log in with the owner's token"
        )
    if not identity.is_owner:
        raise RequestRefused(403, "this is for the owner of the contest")


class Door:
    """Knows who has which token, and who asks too often."""

    def __init__(self, contest: arena.plugin.HostedContest, limits: RateLimits) -> None:
        self._contest, self._limits = contest, limits
        #: Whose hand-in is being sent.
        self._sending: set[arena.plugin.Identity] = set()

    @property
    def title(self) -> str:
        """The title of the contest behind it."""
        return self._contest.title

    def identify(self, token: str, address: str) -> arena.plugin.Identity | None:
        """Return the holder of a token: it is let in, however often its address has guessed.

        Raises RequestRefused for a wrong one if that was too often.
        """
        identity = self._contest.identify(token)
        if identity is None and not self._limits.guesses.take(address):
            raise RequestRefused(429, "too many wrong tokens came from your address: wait a minute")
        return identity

    def may_ask(self, identity: arena.plugin.Identity | None, address: str) -> bool:
        """Return whether the stranger may send one more request now, and count it."""
        if identity is None:
            return self._limits.strangers.take(address)
        return self._limits.entrants.take(str(identity))

    @contextmanager
    def sending(self, identity: arena.plugin.Identity) -> Iterator[None]:
        """Count a hand-in while it is sent. Raises RequestRefused for an entrant's second one."""
        if identity in self._sending:
            raise RequestRefused(429, "you are handing in already: one at a time")
        if len(self._sending) >= MAX_UPLOADS:
            raise RequestRefused(503, "many hand in just now: try again in a minute")
        self._sending.add(identity)
        try:
            yield
        finally:
            self._sending.discard(identity)


@dataclass(frozen=True)
class RateLimiter:
    """Middleware before all else: it counts every request, also one that is refused later."""

    app: ASGIApp
    door: Door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find who sends a request, and refuse a sender that asks too often."""
        if scope["type"] == "http":
            address, token = address_of(scope), _token_of(scope)
            identity, may = None, True
            try:
                identity = None if token is None else self.door.identify(token, address)
            except RequestRefused:  # with an old cookie a browser can still log in
                may = scope["path"] == LOGIN and not _has_header(scope)
            except arena.ArenaError as error:  # the tokens cannot be read
                scope[FAULT_KEY] = error
            scope[IDENTITY_KEY] = identity
            if not (self.door.may_ask(identity, address) and may):
                await _too_often(scope, receive, send)
                return
        await self.app(scope, receive, send)


@dataclass(frozen=True)
class Entry:
    """Middleware between the checks of a request's headers and of its body."""

    app: ASGIApp
    door: Door
    #: Most bytes of a hand-in.
    size: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or raise RequestRefused for what its sender may not send."""
        if FAULT_KEY in scope:
            raise scope[FAULT_KEY]
        identity = identity_of(scope)
        scope[LINKS] = _links(identity)
        if _has_header(scope):
            scope[IS_BY_HEADER] = True
            if identity is None:
                raise RequestRefused(401, "the token is not one of this contest")
        if scope["method"] in SAFE:
            await self.app(scope, receive, send)
        elif identity is None and scope["path"] != LOGIN:
            raise RequestRefused(401, "log in with a token of this contest first")
        elif identity is not None and scope["path"] == HAND_INS:
            with self.door.sending(identity):
                scope[ALLOWANCE] = Allowance(self.size, MAX_UPLOAD_SECONDS)
                await self.app(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _has_header(scope: Scope) -> bool:
    return "authorization" in Headers(scope=scope)


def _token_of(scope: Scope) -> str | None:
    """Return the token of a request, empty for a header without one, or None if it shows
    nothing.
    """
    if not _has_header(scope):
        return cookie_of(scope, ENTRANT_COOKIE)
    authorization = Headers(scope=scope)["authorization"]
    return authorization[len(BEARER) :].strip() if authorization.lower().startswith(BEARER) else ""


def _links(identity: arena.plugin.Identity | None) -> Links:
    link = ("/login", "Log in")
    if identity is not None:
        link = ("/owner", "Owner") if identity.is_owner else ("/me", identity.name)
    return [("/", "Standings"), link]


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from."""
    return stranger((scope.get("client") or ("",))[0])


async def _too_often(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with as little work as possible, and close the connection."""
    headers = {**HEADERS, "retry-after": "1", "connection": "close"}
    status = HTTPStatus.TOO_MANY_REQUESTS
    await PlainTextResponse("too many requests: wait a second\n", status, headers)(
        scope, receive, send
    )


#: The most senders that it remembers. The one that did nothing for longest is forgotten first.
MAX_STRANGERS = 10_000

#: Bits of an IPv6 address that one stranger chooses: a network gets the rest.
OWN_BITS = 64


class Rate:
    """A rate: so often at once, and then so often a second.

    >>> rate = Rate(at_once=2, a_second=1, clock=lambda: 0)
    >>> [rate.take("anna"), rate.take("anna"), rate.take("anna"), rate.take("ben")]
    [True, True, False, True]
    """

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float] = now) -> None:
        self._most, self._a_second, self._clock = at_once, a_second, clock
        #: The allowance that each has left, and when that was so.
        self._allowances: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, stranger: Hashable) -> bool:
        """Return whether the stranger may do it now, and count it if so."""
        moment = self._clock()
        allowance, before = self._allowances.get(stranger, (self._most, moment))
        allowance = min(self._most, allowance + self._a_second * (moment - before))
        self._allowances[stranger] = (allowance - 1 if allowance >= 1 else allowance), moment
        self._allowances.move_to_end(stranger)
        if len(self._allowances) > MAX_STRANGERS:
            self._allowances.popitem(last=False)
        return allowance >= 1


def stranger(address: str) -> str:
    """Return what one stranger has in common whatever address it takes.

    >>> stranger("2001:db8::1:2"), stranger("192.0.2.7")
    ('2001:db8::', '192.0.2.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> OWN_BITS << OWN_BITS))
