"""Share what every page of the server needs: the store, the catalogue, and the templates."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute

from arena.plugin.catalogue import Catalogue
from arena.plugins.web.paths import mapped, without_paths
from arena.plugins.web.security import policy, session_of
from arena.reports.html import document
from arena.reports.html.document import Links, environment, style
from arena.reports.html.markup import trusted
from arena.urls import is_url

T = TypeVar("T")

_FOLDER = Path(__file__).parent

#: A key of a scope: links of a page other than those of the site, for who sends the request.
LINKS = "arena.links"


class _NumberConvertor(IntegerConvertor):  # type: ignore[misc]
    """Converts a number of at most nine digits in an address."""

    regex = "[0-9]{1,9}"


#: The name of it in routes, as in ``/runs/{run:number}``.
register_url_convertor("number", _NumberConvertor())


@dataclass
class Site:
    """The site of one server. Every part gets it with ``routes(site)``."""

    catalogue: Catalogue
    #: The name of the store; empty without one.
    store: str = ""
    #: Links at the top of every page: addresses and names.
    links: Links = ()
    #: Key of the tokens against forged requests; it ends with the server.
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    #: Set when the server ends: streams of events then end too.
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def label(self) -> str:
        """How pages name the store: without its folder, its server, its user."""
        return "the store" if is_url(self.store) else Path(self.store).name

    def page(
        self,
        request: Request,
        template: str,
        title: str,
        scripts: Sequence[str] = (),
        status: int = 200,
        **values: Any,
    ) -> HTMLResponse:
        """Return a page by a template of this folder that extends ``base.html``.

        ``scripts`` are names of files of this folder, or of that of reports. The policy of the page
        allows them by hash.
        """
        texts = [read(name) for name in scripts]
        text = (
            environment(_FOLDER)
            .get_template(template)
            .render(
                title=title,
                links=request.scope.get(LINKS, self.links),
                style=style(),
                own_style=trusted(read("web.css")),
                scripts=[trusted(text) for text in texts],
                csrf=session_of(request.scope).token,
                **values,
            )
        )
        return HTMLResponse(text, status, {"content-security-policy": policy(*texts)})

    def error(self, request: Request, status: int, message: str) -> Response:
        """Return a page, or JSON if asked, that says what went wrong. It shows no path."""
        message = self.hidden(message)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"problem": message}, status)
        title = TITLES.get(status, "This did not work")
        return self.page(request, "error.html", title, status=status, message=message)

    def hidden(self, text: str) -> str:
        """Return a text without the store's address and without paths of this machine."""
        return without_paths(text.replace(self.store, self.label) if self.store else text)

    def pathless(self, record: T) -> T:
        """Return a record whose texts are all hidden so."""
        mapped_record: T = mapped(record, self.hidden)
        return mapped_record


@dataclass(frozen=True)
class SitePart:
    """A part of the site: its routes, and its links at the top of every page."""

    routes: Callable[[Site], Sequence[BaseRoute]]
    links: Links = ()


TITLES = {
    401: "Log in first",
    403: "Refused",
    404: "There is no such page",
    405: "This page takes no such request",
    413: "Too large",
    429: "Too often",
    500: "Arena failed here",
    503: "Not now",
}


@cache
def read(name: str) -> str:
    """Return a file of this folder, or else of that of reports."""
    file = _FOLDER / name
    return file.read_text(encoding="utf-8") if file.exists() else document.read(name)
