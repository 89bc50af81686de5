"""Refuse requests that another page, or a name that was bent to this machine, has a browser send.

A browser sends requests for any page that it shows. So every request must name this server as its
host (a page that rebinds its own name to this machine does not), come from a page of this server if
it says where it comes from, and know a token of its session if it changes anything.

A site may identify the user between the two checks: after :class:`Guard`, which sees the headers,
and before :class:`Bodies`, which reads the rest. So who may send nothing cannot send much.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.reports.html.document import digest

#: Most bytes of the headers of a request.
MAX_HEADERS_BYTES = 16 * 1024

#: Most bytes of a body, and most seconds until it has come.
MAX_BODY_BYTES = 64 * 1024
MAX_BODY_SECONDS = 10

#: Methods that change nothing.
SAFE = ("GET", "HEAD", "OPTIONS")

COOKIE = "arena"
TOKEN_HEADER = "x-csrf-token"  # noqa: S105 - names of the places where a token is
TOKEN_FIELD = "csrf"  # noqa: S105

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

_SESSION = re.compile(r"[\w-]{43}", re.ASCII)


def policy(*scripts: str) -> str:
    """Return the content security policy of a page with these scripts, and no others."""
    hashes = " ".join(f"'sha256-{digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline';"
        " img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    )


class Allowance(NamedTuple):
    """How much a request may send, and how long it may take."""

    bytes: int = MAX_BODY_BYTES
    seconds: float = MAX_BODY_SECONDS


#: Keys of a scope. A site sets the allowance of a request, and whether it showed who it is by a
#: header: no page can have a browser send that, so such a request needs no token of a session.
ALLOWANCE = "arena.allowance"
IS_BY_HEADER = "arena.is-by-header"


class BrowserSession(NamedTuple):
    """A browser, by a cookie that a script cannot read, and the token that its pages know."""

    id: str
    token: str


def session_of(scope: Scope) -> BrowserSession:
    """Return the session of a request."""
    session: BrowserSession = scope["arena.session"]
    return session


def renew_session(scope: Scope) -> None:
    """Begin another session with the answer to a request: the user's identity has changed."""
    scope["arena.session-ends"] = True


class RequestRefused(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message
        super().__init__(message)


@dataclass(frozen=True)
class Guard:
    """Middleware around the whole application: it checks the headers of a request."""

    app: ASGIApp
    secret: bytes
    #: Names by which a request may call this server.
    hosts: Collection[str]
    #: Whether it listens on the network: then it goes by any address, for an address has no name
    #: that could be rebound.
    is_public: bool
    #: Return the page for a refusal.
    refuse: Callable[[Request, int, str], Response]
    #: Hear of a fault of arena's own.
    complain: Callable[[BaseException], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        session_id = _session_id(scope)
        session = scope["arena.session"] = self._session(session_id)
        started = False

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                fresh = self._session() if scope.get("arena.session-ends") else session
                is_asked = fresh.id != session_id and not scope.get(IS_BY_HEADER)
                self._add_headers(message, fresh if is_asked else None)
            await send(message)

        try:
            self._check_headers(scope)
            await self.app(scope, receive, send_safely)
        except RequestRefused as refused:
            answer = self.refuse(Request(scope), refused.status, refused.message)
            if scope["method"] not in SAFE:
                answer.headers["connection"] = "close"  # the rest of it is not read
            await answer(scope, receive, send_safely)
        except ClientDisconnect:
            pass  # a browser may leave at any time
        except Exception as error:
            self.complain(error)
            if not started:
                answer = self.refuse(Request(scope), 500, "the terminal of the server says more")
                await answer(scope, receive, send_safely)

    def _session(self, session_id: str | None = None) -> BrowserSession:
        name = session_id or secrets.token_urlsafe(32)
        return BrowserSession(name, hmac.new(self.secret, name.encode(), "sha256").hexdigest())

    def _add_headers(self, message: Message, fresh: BrowserSession | None) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("content-security-policy", policy())
        if fresh is not None:
            cookie = f"{COOKIE}={fresh.id}; Path=/; HttpOnly; SameSite=Strict"
            headers.append("set-cookie", cookie)

    def _check_headers(self, scope: Scope) -> None:
        """Raise RequestRefused unless the request is for this server and not of a foreign page."""
        headers = Headers(scope=scope)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS_BYTES:
            raise RequestRefused(
                431, f"the headers of a request have at most {MAX_HEADERS_BYTES} bytes"
            )
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            raise RequestRefused(
                403, "the request is for another host; see --name in arena serve --help"
            )
        origins = headers.getlist("origin")
        if any(origin.partition("://")[2] != hosts[0] for origin in origins):
            raise RequestRefused(403, "the request comes from a page of another site")
        from_here = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        follows_link = scope["method"] in SAFE and headers.get("sec-fetch-mode") == "navigate"
        if not (from_here or follows_link):
            raise RequestRefused(403, "the request comes from a page of another site")

    def _is_own(self, host: str) -> bool:
        name = re.sub(r":\d*$", "", host).strip("[]").lower()
        if name in self.hosts:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self.is_public or address.is_loopback


@dataclass(frozen=True)
class Bodies:
    """Middleware around the pages: it checks the body of a request that changes something."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body, or raise RequestRefused."""
        if scope["method"] not in SAFE:
            receive = await self._repeated_body(scope, receive)
        await self.app(scope, receive, send)

    async def _repeated_body(self, scope: Scope, receive: Receive) -> Receive:
        """Return what repeats the body of a request that knows its session's token."""
        headers = Headers(scope=scope)
        allowed: Allowance = scope.get(ALLOWANCE, Allowance())
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > allowed.bytes:
            raise _too_large(allowed)
        token, kind = headers.get(TOKEN_HEADER), headers.get("content-type", "")
        is_known = scope.get(IS_BY_HEADER, False)
        if token is not None and not is_known:
            _require_token(token, scope)
            is_known = True
        is_form = kind.partition(";")[0].strip() == "application/x-www-form-urlencoded"
        if not (is_known or is_form):
            _require_token("", scope)
        body = await read_body(allowed, receive)
        if not is_known:
            _require_token(parse_qs(body.decode(errors="replace")).get(TOKEN_FIELD, [""])[0], scope)
        return _repeat(body, receive)


def _require_token(token: str, scope: Scope) -> None:
    if not hmac.compare_digest(token.encode(), session_of(scope).token.encode()):
        raise RequestRefused(403, "the page is of another session: load it again")


def cookie_of(scope: Scope, name: str) -> str | None:
    """Return the value of a cookie that a request has."""
    try:
        morsel = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def _session_id(scope: Scope) -> str | None:
    """Return the name of the session that a request has, if it is one."""
    value = cookie_of(scope, COOKIE)
    return value if value is not None and _SESSION.fullmatch(value) else None


def _too_large(allowed: Allowance) -> RequestRefused:
    return RequestRefused(413, f"a request has at most {allowed.bytes} bytes here")


async def read_body(allowed: Allowance, receive: Receive) -> bytes:
    """Return the body of a request. Raises RequestRefused for one that is too large, or late."""
    body = bytearray()
    try:
        async with asyncio.timeout(allowed.seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RequestRefused(400, "the request ended early")
                body += message.get("body", b"")
                if len(body) > allowed.bytes:
                    raise _too_large(allowed)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise RequestRefused(
            408, f"a request comes within {allowed.seconds} seconds here"
        ) from None


def _repeat(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    rest = [body]

    async def receive_body() -> Message:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        return await receive()

    return receive_body
