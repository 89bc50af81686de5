"""Listen, serve, and end at once when a signal says so."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from ipaddress import ip_address
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena import escape
from arena.errors import UsageError, describe, quoted
from arena.plugin import ContestStatus
from arena.plugin.catalogue import Catalogue
from arena.plugins.web import play
from arena.plugins.web.app import LOCAL, RUNS, application
from arena.plugins.web.security import MAX_HEADERS_BYTES
from arena.urls import without_passwords


class ListenAddress(NamedTuple):
    """Where to listen, and what to answer to."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    opens_browser: bool = False


class Workers(NamedTuple):
    """The file that has the tokens of volunteers, and the share that is played again."""

    file: str
    share: float


def serve(
    catalogue: Catalogue,
    store: str,
    address: ListenAddress,
    players: Sequence[str] = (),
    workers: Workers | None = None,
) -> int:
    """Serve a store, and tables to play at also against these players, until a signal comes.

    With ``workers`` volunteers play its incomplete runs. Raises UsageError for an address that
    cannot be listened on, and what opening the store raises.
    """
    import arena

    if store:
        arena.stored_runs(store)  # so that a wrong name is reported now
    elif workers is not None:
        raise UsageError("volunteers play the incomplete runs of a store: name one")
    with listen(address.host, address.port) as listening, _work_folder(workers) as folder:
        parts = (RUNS, play.part(players))
        app = application(
            catalogue, store, **_host_options(address, listening), parts=parts, complain=_complain
        )
        background = None
        if workers is not None:
            path = _let_work(app, workers, folder)
            background = arena.plugin.VolunteerRunner(store, path, workers.share, _tell)
        _announce(address, listening)
        server = _WebServer(app, background, is_crowded=workers is not None)
        server.run(sockets=[listening])
    if server.fault is not None:
        raise server.fault
    return 0


@contextmanager
def _work_folder(workers: Workers | None) -> Iterator[str]:
    """Make a folder of this user's alone for the socket, if volunteers work."""
    if workers is None:
        yield ""
        return
    with TemporaryDirectory(prefix="arena-serve-", ignore_cleanup_errors=True) as folder:
        yield folder


def _let_work(app: Starlette, workers: Workers, folder: str) -> str:
    """Let volunteers in, and return the path of the socket to which their messages go."""
    import arena
    from arena.plugins.web.work import WorkGate

    tokens = arena.plugin.WorkerTokens(workers.file)
    for name in tokens.give():
        print(f"{escape.line(name)} has a token now: {escape.line(workers.file)}", flush=True)
    path = os.path.join(folder, "desk")
    app.add_middleware(WorkGate, tokens=tokens, socket=path)
    return path


def _tell(message: str) -> None:
    print(f"arena: {escape.line(message)}", file=sys.stderr, flush=True)


def conduct(
    catalogue: Catalogue,
    file: str,
    store: str,
    address: ListenAddress,
    names: str,
    workers: Workers | None,
) -> int:
    """Serve the contest of a file, and conduct it, until a signal comes.

    ``names`` is a file of those who get a token first. With ``workers`` volunteers play. Raises
    UsageError for a contest that cannot be conducted, and for an address that cannot be listened
    on.
    """
    import arena
    from arena.plugins.web.contest import Web

    with ExitStack() as stack:
        listening = stack.enter_context(listen(address.host, address.port))
        for name in arena.plugin.give_tokens(file, names, catalogue) if names else ():
            print(f"{escape.line(name)} has a token now: tokens.csv", flush=True)
        contest = arena.plugin.open_contest(file, store or None, catalogue)
        tell_clock(contest.setup.name, contest.status())
        web = stack.enter_context(closing(Web(contest)))
        work = stack.enter_context(_work_folder(workers))
        app = application(
            catalogue,
            contest.store,
            **_host_options(address, listening),
            parts=[web.part],
            middleware=web.middleware,
            complain=_complain,
        )
        web.guard(app)
        if workers is not None:
            path = _let_work(app, workers, work)
            contest.play_by_volunteers(arena.plugin.executor_of(path, workers.share))
        _announce(address, listening)
        server = _WebServer(app, arena.plugin.ContestRunner(contest), is_crowded=True)
        server.run(sockets=[listening])
    if server.fault is not None:
        raise server.fault
    return 0


def tell_clock(file: str, status: ContestStatus) -> None:
    """Say if hand-ins close at another time than the contest's file says."""
    if status.closes != status.closes_by_file:
        set_time, file_time = status.closes or "never", status.closes_by_file or "never"
        says = f"as set on the owner's page, not {file_time}, as {escape.line(file)} says"
        print(f"Hand-ins close: {set_time}, {says}", flush=True)


def _host_options(address: ListenAddress, listening: socket.socket) -> dict[str, Any]:
    """Return what a server answers to."""
    names = {*LOCAL, *address.names, socket.gethostname(), address.host}
    return {"hosts": names, "is_public": not ip_address(listening.getsockname()[0]).is_loopback}


def _announce(address: ListenAddress, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    url = f"http://{_url_host(host)}:{port}/"
    print(f"Serving {url} (Ctrl-C ends it)", flush=True)
    if (others := outside_address(listening)) is not None:
        print(f"Others reach it at http://{_url_host(others)}:{port}/", flush=True)
    if address.opens_browser:
        import webbrowser

        webbrowser.open(url)


def outside_address(listening: socket.socket) -> str | None:
    """Return this machine's address on its network, if a socket listens on all of its addresses.

    It is that from which packets would go to a machine far away; none is sent. None without one.
    """
    host = ip_address(listening.getsockname()[0])
    if host.is_unspecified:
        far = "192.0.2.1" if host.version == 4 else "2001:db8::1"
        with suppress(OSError), socket.socket(listening.family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    return None


class BackgroundRun(Protocol):
    """Plays games as long as the server runs."""

    async def run(self) -> None:
        """Play until this is cancelled."""


class _WebServer(uvicorn.Server):  # type: ignore[misc]
    """Ends streams of events before it waits for connections. Conducts a contest if there is one.

    The processes of a contest must be started by the main thread, in which this runs.
    """

    def __init__(
        self, app: Starlette, background: BackgroundRun | None = None, is_crowded: bool = False
    ) -> None:
        is_crowded = is_crowded or background is not None
        self._site, self._background = app.state.site, background
        self._background_task: asyncio.Task[None] | None = None
        #: Why the contest cannot be conducted, or the runs of a store not be played.
        self.fault: BaseException | None = None
        super().__init__(
            uvicorn.Config(
                app,
                http=CrowdedConnection if is_crowded else BrowserConnection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                h11_max_incomplete_event_size=MAX_HEADERS_BYTES,
                limit_concurrency=MAX_CONNECTIONS * (CROWD if is_crowded else 1),
                timeout_graceful_shutdown=1,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to conduct the contest, then to listen."""
        if self._background is not None:
            self._background_task = asyncio.create_task(self._background.run())
            self._background_task.add_done_callback(self._note_end)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would go on for ever, then everything."""
        self._site.closing.set()
        if self._background_task is not None:
            self._background_task.cancel()
            await asyncio.wait([self._background_task])
        await super().shutdown(sockets)

    def _note_end(self, conducting: asyncio.Task[None]) -> None:
        if not conducting.cancelled():
            self.fault, self.should_exit = conducting.exception(), True


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises UsageError if that is not possible."""
    try:
        [*addresses] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, where = addresses[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"host {quoted(host)}: {describe(error)}") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(128)
    except OSError as error:
        listening.close()
        problem = error.strerror or describe(error)
        raise UsageError(
            f"cannot listen on {_url_host(host)}:{port}: {problem}; --port 0 takes a free port"
        ) from error
    return listening


def _url_host(host: str) -> str:
    """Return an address as a URL has it. This machine reaches a server that listens everywhere."""
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{address}]" if ":" in address else address


def _complain(error: BaseException) -> None:
    text = escape.line(without_passwords(describe(error)))
    print(f"arena: a page failed: {text}", file=sys.stderr, flush=True)


#: Most connections, of all and of one address. A browser opens up to six.
MAX_CONNECTIONS = 400
MAX_CONNECTIONS_OF_ADDRESS = 100

#: How many times as many a contest has: a school has one address.
CROWD = 3

#: Most seconds from the first byte of a request, or from the connection, to its last header.
MAX_REQUEST_SECONDS = 10

_open: Counter[str] = Counter()


class BrowserConnection(H11Protocol):  # type: ignore[misc]
    """A connection that is closed if its request does not come, or if its address has too many."""

    #: How many times as many connections as usual an address may have.
    times = 1
    _timer: asyncio.TimerHandle | None = None
    _from = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override, unused-ignore]
        """Count the connection and wait for its request."""
        self._from = str((transport.get_extra_info("peername") or ("",))[0])
        _open[self._from] += 1
        super().connection_made(transport)
        if _open[self._from] > self.times * MAX_CONNECTIONS_OF_ADDRESS:
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, error: Exception | None) -> None:
        """Count it no more."""
        _open[self._from] -= 1
        if not _open[self._from]:
            del _open[self._from]
        self._stop()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request. Wait on if it is not whole."""
        super().data_received(data)
        if self._is_answering():
            self._stop()
        elif self._timer is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, or its rest."""
        super().on_response_complete()
        if not self._is_answering() and self._timer is None:
            self._wait()

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(MAX_REQUEST_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self._is_answering():
            self.transport.abort()


class CrowdedConnection(BrowserConnection):
    """A connection to a contest."""

    times = CROWD
