"""Refuse requests that another page, or a name that was bent to this machine, has a browser send.

A browser sends requests for any page that it shows. So every request must name this server as its
host (a page that rebinds its own name to this machine does not), come from a page of this server if
it says where it comes from, and know a token of its session if it changes anything.
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
MAX_HEADERS = 16 * 1024

#: Most bytes of a body, and most seconds until it has come.
MAX_BODY = 64 * 1024
BODY_SECONDS = 10

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


class Session(NamedTuple):
    """A browser, by a cookie that a script cannot read, and the token that its pages know."""

    id: str
    token: str


def session_of(scope: Scope) -> Session:
    """Return the session of a request."""
    session: Session = scope["arena.session"]
    return session


class Refused(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message
        super().__init__(message)


@dataclass(frozen=True)
class Guard:
    """Middleware around the whole application."""

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
        known = _cookie(scope)
        session = scope["arena.session"] = self._session(known or secrets.token_urlsafe(32))
        started = False

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._add_headers(message, None if known else session)
            await send(message)

        try:
            self._check_headers(scope)
            if scope["method"] not in SAFE:
                receive = await self._checked_body(scope, receive, session)
            await self.app(scope, receive, send_safely)
        except Refused as refused:
            answer = self.refuse(Request(scope), refused.status, refused.message)
            await answer(scope, receive, send_safely)
        except ClientDisconnect:
            pass  # a browser may leave at any time
        except Exception as error:
            self.complain(error)
            if not started:
                answer = self.refuse(Request(scope), 500, "the terminal of the server says more")
                await answer(scope, receive, send_safely)

    def _session(self, name: str) -> Session:
        return Session(name, hmac.new(self.secret, name.encode(), "sha256").hexdigest())

    def _add_headers(self, message: Message, fresh: Session | None) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("content-security-policy", policy())
        if fresh is not None:
            cookie = f"{COOKIE}={fresh.id}; Path=/; HttpOnly; SameSite=Strict"
            headers.append("set-cookie", cookie)

    def _check_headers(self, scope: Scope) -> None:
        """Raise Refused unless the request is meant for this server and none of a foreign page."""
        headers = Headers(scope=scope)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
            raise Refused(431, f"the headers of a request have at most {MAX_HEADERS} bytes")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            raise Refused(403, "the request is for another host; see --name in arena serve --help")
        origins = headers.getlist("origin")
        if any(origin.partition("://")[2] != hosts[0] for origin in origins):
            raise Refused(403, "the request comes from a page of another site")
        from_here = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        follows_link = scope["method"] in SAFE and headers.get("sec-fetch-mode") == "navigate"
        if not (from_here or follows_link):
            raise Refused(403, "the request comes from a page of another site")

    def _is_own(self, host: str) -> bool:
        name = re.sub(r":\d*$", "", host).strip("[]").lower()
        if name in self.hosts:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self.is_public or address.is_loopback

    async def _checked_body(self, scope: Scope, receive: Receive, session: Session) -> Receive:
        """Return what repeats the body of a request that knows its session's token."""
        body = await _body(scope, receive)
        headers = Headers(scope=scope)
        token = headers.get(TOKEN_HEADER, "")
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if not token and kind == "application/x-www-form-urlencoded":
            token = parse_qs(body.decode(errors="replace")).get(TOKEN_FIELD, [""])[0]
        if not hmac.compare_digest(token.encode(), session.token.encode()):
            raise Refused(403, "the page is of another session: load it anew")
        return _repeat(body, receive)


def _cookie(scope: Scope) -> str | None:
    """Return the name of the session that a request has, if it is one."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None and _SESSION.fullmatch(found.value) else None


async def _body(scope: Scope, receive: Receive) -> bytes:
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdigit() or int(length) > MAX_BODY:
        raise Refused(413, f"a request has at most {MAX_BODY} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the request ended early")
                body += message.get("body", b"")
                if len(body) > MAX_BODY:
                    raise Refused(413, f"a request has at most {MAX_BODY} bytes")
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise Refused(408, f"the request did not come within {BODY_SECONDS} seconds") from None


def _repeat(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    rest = [body]

    async def again() -> Message:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        return await receive()

    return again
