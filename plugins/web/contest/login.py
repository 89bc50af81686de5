"""Log in with a token, and out."""

from __future__ import annotations

import re
from functools import partial
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.plugins.web.contest.entry import ENTRANT_COOKIE, LOGIN, Door, address_of
from arena.plugins.web.security import RequestRefused, renew_session
from arena.plugins.web.site import Site

#: Seconds that a browser keeps a token: half a year.
COOKIE_SECONDS = 183 * 86_400

#: The form of a token.
_TOKEN = re.compile(r"[\w-]{1,200}", re.ASCII)


def routes(site: Site, door: Door) -> list[BaseRoute]:
    """Return the routes to the form that takes a token."""
    return [
        Route(LOGIN, partial(_form, site, door)),
        Route(LOGIN, partial(_enter, site, door), methods=["POST"]),
        Route("/logout", _leave, methods=["POST"]),
    ]


async def _form(site: Site, door: Door, request: Request) -> Response:
    return _form_page(site, door, request)


def _form_page(
    site: Site, door: Door, request: Request, problem: str = "", status: int = 200
) -> Response:
    values = {"contest": door.title, "problem": problem}
    return site.page(request, "contest/login.html", "Log in", status=status, **values)


async def _enter(site: Site, door: Door, request: Request) -> Response:
    """Take a token. The session is another one from now on."""
    form = parse_qs((await request.body()).decode(errors="replace"))
    token = form.get("token", [""])[0].strip()
    try:
        identity = door.identify(token, address_of(request.scope))
    except RequestRefused as refused:
        return _form_page(site, door, request, refused.message, refused.status)
    if identity is None or not _TOKEN.fullmatch(token):
        return _form_page(site, door, request, "This is not a token of the contest.", 401)
    renew_session(request.scope)
    answer = RedirectResponse("/owner" if identity.is_owner else "/me", 303)
    answer.headers["set-cookie"] = _cookie(request, token, COOKIE_SECONDS)
    return answer


async def _leave(request: Request) -> Response:
    renew_session(request.scope)
    answer = RedirectResponse("/", 303)
    answer.headers["set-cookie"] = _cookie(request, "", 0)
    return answer


def _cookie(request: Request, token: str, seconds: int) -> str:
    """Return a cookie that scripts and other sites do not have, nor a network if it is encrypted.

    The browser says whether it is: behind a proxy, this server would not know.
    """
    cookie: SimpleCookie = SimpleCookie({ENTRANT_COOKIE: token})
    morsel = cookie[ENTRANT_COOKIE]
    morsel["path"], morsel["max-age"] = "/", seconds
    morsel["httponly"], morsel["samesite"] = True, "Strict"
    morsel["secure"] = request.headers.get("origin", "").startswith("https://")
    return cookie.output(header="").strip()
