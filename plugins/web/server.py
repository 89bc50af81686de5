"""Listen, serve, and end at once when a signal says so."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from typing import NamedTuple

import uvicorn
from starlette.applications import Starlette

from arena import escape
from arena.errors import UsageError, describe, quoted
from arena.plugin.catalogue import Catalogue
from arena.plugins.web import play
from arena.plugins.web.app import LOCAL, RUNS, application
from arena.plugins.web.limits import MAX_CONNECTIONS, Connection
from arena.plugins.web.security import MAX_HEADERS
from arena.urls import without_passwords


class Address(NamedTuple):
    """Where to listen, and what to answer to."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    opens_browser: bool = False


def serve(catalogue: Catalogue, store: str, address: Address, players: Sequence[str] = ()) -> int:
    """Serve a store, and tables to play at also against these players, until a signal comes.

    Raises UsageError for an address that cannot be listened on, and what opening the store raises.
    """
    if store:
        import arena

        arena.stored_runs(store)  # so that a wrong name is told now
    listening = listen(address.host, address.port)
    with listening:
        host, port = listening.getsockname()[:2]
        is_public = not ip_address(host).is_loopback
        names = {*LOCAL, *address.names, socket.gethostname(), address.host}
        parts = (RUNS, play.part(players))
        app = application(
            catalogue, store, hosts=names, is_public=is_public, parts=parts, complain=_complain
        )
        url = f"http://{_shown(host)}:{port}/"
        print(f"Serving {url} (Ctrl-C ends it)", flush=True)
        if address.opens_browser:
            import webbrowser

            webbrowser.open(url)
        _Server(app).run(sockets=[listening])
    return 0


class _Server(uvicorn.Server):  # type: ignore[misc]
    """Ends streams of events before it waits for connections."""

    def __init__(self, app: Starlette) -> None:
        self._site = app.state.site
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                h11_max_incomplete_event_size=MAX_HEADERS,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=1,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would go on for ever, then everything."""
        self._site.closing.set()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises UsageError if that is not possible."""
    try:
        [*found] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        made = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"host {quoted(host)}: {describe(error)}") from error
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(where)
        made.listen(128)
    except OSError as error:
        made.close()
        problem = error.strerror or describe(error)
        raise UsageError(
            f"cannot listen on {_shown(host)}:{port}: {problem}; --port 0 takes a free port"
        ) from error
    return made


def _shown(host: str) -> str:
    """Return an address as a URL has it; who listens everywhere is reached here."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{shown}]" if ":" in shown else shown


def _complain(error: BaseException) -> None:
    text = escape.line(without_passwords(describe(error)))
    print(f"arena: a page failed: {text}", file=sys.stderr, flush=True)
