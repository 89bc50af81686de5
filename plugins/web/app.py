"""Put the parts of the site together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from arena.errors import ArenaError, StoreError, UsageError
from arena.plugin.catalogue import Catalogue
from arena.plugins.web import browse, play, watch
from arena.plugins.web.security import Bodies, Guard
from arena.plugins.web.site import Site, SitePart


def _run_routes(site: Site) -> list[BaseRoute]:
    return [*browse.routes(site), *watch.routes(site)]


#: The runs of the store, played or being played.
RUNS = SitePart(_run_routes, (("/", "Runs"),))

#: The parts of an ordinary server; a contest's server has others.
PARTS = (RUNS, play.part())

#: Names of this machine for itself.
LOCAL = frozenset({"localhost", "localhost.localdomain"})


def application(
    catalogue: Catalogue,
    store: str = "",
    *,
    hosts: Collection[str] = LOCAL,
    is_public: bool = False,
    parts: Sequence[SitePart] = PARTS,
    middleware: Sequence[Middleware] = (),
    complain: Callable[[BaseException], None] = lambda _: None,
) -> Starlette:
    """Return the application that shows a store.

    ``hosts`` are the names by which requests may call it. With ``is_public`` addresses do too.
    ``middleware`` runs between the checks of a request's headers and of its body: there a site may
    identify the user, and say how much the request may send.
    ``complain`` hears of faults of arena's own.
    """
    site = Site(catalogue, store, [link for part in parts for link in part.links])
    guard = Middleware(
        Guard,
        secret=site.secret,
        hosts=frozenset(name.lower() for name in hosts),
        is_public=is_public,
        refuse=site.error,
        complain=complain,
    )
    app = Starlette(
        routes=[route for part in parts for route in part.routes(site)],
        middleware=[guard, *middleware, Middleware(Bodies)],
        exception_handlers={
            HTTPException: partial(_http_problem, site),
            ArenaError: partial(_problem, site),
        },
    )
    app.state.site = site
    return app


async def _http_problem(site: Site, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = site.error(request, error.status_code, error.detail)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def _problem(site: Site, request: Request, error: Exception) -> Response:
    """Answer with the line that a command would print."""
    status = 503 if isinstance(error, StoreError) else 404 if isinstance(error, UsageError) else 500
    return site.error(request, status, str(error))
