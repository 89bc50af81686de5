"""Ask a server one question at a time: every wait has a deadline, every answer a cap.

A deadline is absolute and no byte extends it, so a server that drips is late as one that is silent.
Arena follows no redirect, uses no proxy, keeps no cookie, and asks for no compression.
"""

from __future__ import annotations

import io
import os
import selectors
import socket
import sys
import weakref
from contextlib import suppress
from errno import EPROTO
from http.client import (
    HTTPException,
    HTTPResponse,
    IncompleteRead,
    RemoteDisconnected,
)
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from arena.clock import now
from arena.errors import Forfeited, one_line, quoted
from arena.plugins.http_bot.address import BotUrl, Proxy
from arena.sandbox.fairness import waited
from arena.sandbox.wire.languages import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    import ssl

#: An answer with all that comes with it, its head and the sizes of its pieces, is at most so many
#: times as long.
MAX_HEAD_RATIO = 3

#: Where Linux keeps the time of a round trip in what it knows of a connection (struct tcp_info).
_RTT = slice(68, 72)

#: The head of a request, which is the same for all.
_HEAD = (
    "POST {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: arena\r\n"
    "Content-Type: application/json\r\nAccept: {accept}\r\nAccept-Encoding: identity\r\n"
    "{more}Content-Length: {length}\r\n\r\n"
)


class Manner(NamedTuple):
    """How requests are made of a server."""

    #: Bytes of an answer that are read.
    most: int = MAX_MESSAGE_BYTES
    accept: str = "application/json"
    #: More lines of the head, each with its end. They stand in no message and no log.
    headers: str = ""


_USUAL = Manner()


class HttpResponse(NamedTuple):
    """The answer of a server."""

    status: int
    #: The status as the server words it, for messages.
    words: str
    body: bytes
    #: The values of these headers; empty without them.
    retry_after: str
    encoding: str
    kind: str


class Deadline:
    """The end of a wait. Time in which arena itself had no processor does not count."""

    def __init__(self, seconds: float) -> None:
        self._begun, self._seconds, self._waited = now(), seconds, own_waiting()

    @property
    def spent(self) -> float:
        """The seconds since it began that count."""
        return max(0.0, now() - self._begun - (own_waiting() - self._waited))

    def remaining(self) -> float:
        """Return the seconds until it ends. Raises TimeoutError if there are none."""
        seconds = self._begun + self._seconds - now()
        if seconds <= 0:
            seconds = self._seconds - self.spent
        if seconds <= 0:
            raise TimeoutError
        return seconds


def own_waiting() -> float:
    """Return for how many seconds this thread was ready to run and no processor was free."""
    if sys.platform != "linux":
        return 0.0
    try:
        descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return waited(descriptor)
    finally:
        os.close(descriptor)


class NotConnected(Forfeited):
    """There was no connection, so no request was sent."""


class _TooLong(Exception):
    """The server sends more than arena reads."""


class _ResponseBytes(io.RawIOBase):
    """The bytes that a server sends, until a deadline, up to a number of them."""

    def __init__(self, connected: socket.socket, deadline: Deadline, most: int) -> None:
        self._socket, self._deadline, self._most = connected, deadline, most
        self.number = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there. Raises TimeoutError, and _TooLong if it is too much."""
        if self.number >= self._most:
            raise _TooLong
        try:
            self._socket.settimeout(self._deadline.remaining())
            count = self._socket.recv_into(buffer)
        except TimeoutError:  # it may have arrived while this thread had to wait for another one
            self._socket.settimeout(0)
            try:
                count = self._socket.recv_into(buffer)
            except BlockingIOError:
                raise TimeoutError from None
        self.number += count
        return count

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return what HTTPResponse reads from, as a socket does."""
        return io.BufferedReader(self)


class _NotAnswered(Exception):
    """The connection ended before any byte of an answer came."""


class BotConnection:
    """A connection with a server, made again when the server has closed it. It has one question at
    a time.
    """

    def __init__(
        self, address: BotUrl, security: ssl.SSLContext | None, manner: Manner = _USUAL
    ) -> None:
        self._address, self._security, self._manner = address, security, manner
        self._socket: socket.socket | None = None
        #: Whether it was just made, and no answer has come by it.
        self._is_fresh = True
        #: The least seconds that one way to the server and back took, without its program: the
        #: system of the server answers when a connection is made.
        self.round_trip = inf

    def prepare(self, seconds: float) -> None:
        """Connect, unless it is connected. Raises Forfeited if that fails, or takes longer."""
        if self._is_open():
            return
        self.close()
        try:
            self._connect(Deadline(seconds))
        except TimeoutError:
            raise NotConnected("timeout", f"no connection within {seconds:g} s") from None
        except OSError as error:
            raise _unconnected(error) from None

    def post(self, path: str, text: str, deadline: Deadline) -> HttpResponse:
        """Return the answer to a text. Raises Forfeited if there is none until the deadline.

        The connection should be prepared. The question is asked once more if the server had closed
        the connection just then, which servers may do with one that is used again.
        """
        try:
            if not self._is_fresh:
                with suppress(_NotAnswered):
                    return self._exchange(path, text, deadline)
                self.prepare(deadline.remaining())
            return self._exchange(path, text, deadline)
        except _NotAnswered as error:
            raise Forfeited("crash", f"the connection ended without an answer{error}") from None
        except TimeoutError:
            raise Forfeited("timeout", "no answer in time") from None

    def close(self) -> None:
        """Close it."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _is_open(self) -> bool:
        """Return whether it is connected, and the server has sent nothing that was not asked for.

        A server that closes it may say so.
        """
        if self._socket is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return not selector.select(0)

    def _connect(self, deadline: Deadline) -> None:
        """Connect to the first place that answers, and note how long that took."""
        failure: OSError = OSError("no place to connect to")
        for family, place in self._address.places:
            connected = socket.socket(family, socket.SOCK_STREAM)
            try:
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connected.settimeout(deadline.remaining())
                start = now()
                connected.connect(place)
                self.round_trip = min(self.round_trip, _way(connected, now() - start))
                if self._address.proxy is not None and self._security is not None:
                    _pass_proxy(connected, self._address, deadline)
                if self._security is not None:
                    connected.settimeout(deadline.remaining())
                    connected = self._security.wrap_socket(
                        connected, server_hostname=self._address.host
                    )
            except OSError as error:  # the next place may answer
                connected.close()
                failure = error
                continue
            self._socket, self._is_fresh = connected, True
            return
        raise failure

    def _path(self, path: str) -> str:
        """Return the path of a request. A proxy gets the whole URL, unless it only passes on."""
        address = self._address
        is_whole = address.proxy is not None and self._security is None
        return f"{address.url if is_whole else address.path}{path}"

    def _login(self) -> str:
        """Return the line of the head for a proxy that reads it. It is empty for most."""
        proxy = self._address.proxy
        return "" if proxy is None or self._security is not None else _authorization(proxy)

    def _exchange(self, path: str, text: str, deadline: Deadline) -> HttpResponse:
        """Ask once. Close the connection unless the whole answer was read, and no more."""
        assert self._socket is not None
        body, manner = text.encode(), self._manner
        head = _HEAD.format(
            path=self._path(path),
            host=self._address.authority,
            accept=manner.accept,
            more=manner.headers + self._login(),
            length=len(body),
        )
        received = _ResponseBytes(self._socket, deadline, MAX_HEAD_RATIO * manner.most)
        is_whole = False
        try:
            self._socket.settimeout(deadline.remaining())
            self._socket.sendall(head.encode() + body)
            response = HTTPResponse(cast("Any", received), method="POST")
            try:
                response.begin()
                answer = _read(response, manner.most)
            finally:
                response.close()
            is_whole, self._is_fresh = not response.will_close, False
            return answer
        except TimeoutError:
            raise
        except (RemoteDisconnected, ConnectionError) as error:
            if not received.number:
                raise _NotAnswered(_reason(error)) from None
            raise Forfeited("crash", f"the connection ended in an answer{_reason(error)}") from None
        except IncompleteRead:
            raise Forfeited("crash", "the connection ended in an answer") from None
        except OSError as error:
            raise Forfeited("crash", f"the connection failed{_reason(error)}") from None
        except _TooLong:
            problem = f"answered more than {manner.most} bytes"
            raise Forfeited("protocol", problem) from None
        except (HTTPException, ValueError) as error:
            problem = f"does not speak HTTP: {quoted(one_line(str(error)))}"
            raise Forfeited("protocol", problem) from None
        finally:
            if not is_whole:
                self.close()


class Connections:
    """The connections with a server that wait for their next use, in the process that made them."""

    def __init__(self, address: BotUrl, manner: Manner = _USUAL) -> None:
        self._address, self._manner = address, manner
        self._idle: list[BotConnection] = []
        self._security: ssl.SSLContext | None = None
        weakref.finalize(self, _close_all, self._idle)

    def take(self) -> BotConnection:
        """Return a connection that waits, or else a new one."""
        if self._idle:
            return self._idle.pop()
        if self._security is None and self._address.scheme == "https":
            import ssl  # few servers speak TLS

            self._security = ssl.create_default_context()
        return BotConnection(self._address, self._security, self._manner)

    def keep(self, connection: BotConnection) -> None:
        """Let a connection wait for its next use."""
        self._idle.append(connection)

    def close(self) -> None:
        """Close the connections that wait."""
        _close_all(self._idle)


def _close_all(idle: list[BotConnection]) -> None:
    while idle:
        idle.pop().close()


def _authorization(proxy: Proxy) -> str:
    return f"Proxy-Authorization: Basic {proxy.login}\r\n" if proxy.login else ""


def _pass_proxy(connected: socket.socket, address: BotUrl, deadline: Deadline) -> None:
    """Ask a proxy to pass on all that follows. Raises OSError if it does not."""
    proxy, host = address.proxy, f"{address.host}:{address.port}"
    assert proxy is not None
    head = f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n{_authorization(proxy)}\r\n"
    connected.settimeout(deadline.remaining())
    connected.sendall(head.encode())
    received = _ResponseBytes(connected, deadline, MAX_MESSAGE_BYTES)
    response = HTTPResponse(cast("Any", received), method="CONNECT")
    try:
        response.begin()
    except (HTTPException, _TooLong) as error:
        raise OSError(EPROTO, f"the proxy {proxy.name} does not speak HTTP") from error
    if response.status != 200:
        words = one_line(f"{response.status} {response.reason}")
        raise OSError(EPROTO, f"the proxy {proxy.name} answered {words}")


def _way(connected: socket.socket, seconds: float) -> float:
    """Return for how long a connection that was just made was waited for.

    Linux tells what passed between its first packet and the answer to that, and leaves out what
    this process waited for afterwards.
    """
    if sys.platform != "linux":
        return seconds
    facts = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT.stop)
    microseconds = int.from_bytes(facts[_RTT], sys.byteorder)
    return min(seconds, microseconds / 1e6) if microseconds else seconds


def _read(response: HTTPResponse, most: int) -> HttpResponse:
    """Return the answer of a response whose head was read. Raises _TooLong for a long one."""
    if response.length is not None and response.length > most:
        raise _TooLong
    body = response.read(most + 1)
    if len(body) > most:
        raise _TooLong
    if response.length:
        raise IncompleteRead(body, response.length)
    return HttpResponse(
        response.status,
        one_line(f"{response.status} {response.reason}"),
        body,
        response.headers.get("Retry-After", "").strip(),
        response.headers.get("Content-Encoding", "").strip(),
        response.headers.get_content_type(),
    )


def _unconnected(error: OSError) -> NotConnected:
    """Return the forfeit of a server that cannot be connected to."""
    with suppress(ImportError):  # a Python without TLS
        import ssl

        if isinstance(error, ssl.SSLCertVerificationError):
            reason = f"its certificate is refused: {one_line(error.verify_message)}"
            return NotConnected("protocol", reason)
        if isinstance(error, ssl.SSLError):
            return NotConnected("protocol", f"it does not speak TLS{_reason(error)}")
    return NotConnected("crash", f"no connection{_reason(error)}")


def _reason(error: Exception) -> str:
    """Return what the system says of an error, after a colon, or nothing."""
    words = error.strerror if isinstance(error, OSError) else ""
    return f": {one_line(words).lower()}" if words else ""
