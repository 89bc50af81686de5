"""Read the URL of a bot, and find where it leads: arena connects to what was checked alone."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.player.names import split_protocol
from arena.sandbox.hosts import Host, is_allowed, is_this_machine, same_host

#: The ports of the schemes, if the URL has none.
PORTS = {"http": 80, "https": 443}


#: A place to connect to: the family, and the address as sockets have it.
SocketAddress = tuple[int, tuple[Any, ...]]


class Proxy(NamedTuple):
    """A proxy: it connects arena to a host that arena does not connect to itself."""

    name: str
    #: The user and the password as a proxy wants them; empty without. It stands in no message.
    login: str


@dataclass(frozen=True)
class BotUrl:
    """The URL of a bot in its parts."""

    scheme: str
    host: str
    port: int
    #: Begins with a slash unless it is empty, and does not end with one.
    path: str
    #: The family and the socket's address of each place that arena may connect to.
    places: tuple[SocketAddress, ...] = ()
    #: The proxy that these places are of, None without one.
    proxy: Proxy | None = field(default=None, repr=False)

    @property
    def authority(self) -> str:
        """The host as a request names it, with the port unless it is the usual one."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == PORTS[self.scheme] else f"{name}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL."""
        return f"{self.scheme}://{self.authority}{self.path}"


def read_address(name: str) -> BotUrl:
    """Return the address in a player's name. Raises UsageError for anything else."""
    named = split_protocol(name)
    assert named is not None
    if named.options:
        raise UsageError(f"{named.protocol} takes no options, such as {quoted(min(named.options))}")
    form = f"write {named.protocol}://HOST:8000, or with a path after it"
    text = f"{named.protocol}:{named.text}"
    if not (text.isascii() and text.isprintable()) or " " in text:
        raise UsageError(f"a URL is ASCII without blanks: {form}")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{str(error).lower()}: {form}") from None
    if not named.text.startswith("//") or not host or port == 0:
        raise UsageError(f"it names no host with a port: {form}")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"arena sends no user and no password: {form}")
    if parts.query or parts.fragment or named.text.endswith(("?", "#")):
        raise UsageError(f"arena adds /start, /move and /end to the path, so no ? and #: {form}")
    path = parts.path.rstrip("/")
    return BotUrl(parts.scheme, same_host(host), port or PORTS[parts.scheme], path)


def places_of(host: str, port: int) -> tuple[SocketAddress, ...]:
    """Return where a host can be connected to. Raises UsageError if it is not found."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"host {quoted(host)} is not found: {str(reason).lower()}") from None
    return tuple((family, place) for family, _, _, _, place in infos)


def find(address: BotUrl, allowed: Iterable[str]) -> BotUrl:
    """Return the address with its places, which are of this machine unless the user allows more.

    It is looked up once, so a name that leads elsewhere a moment later leads arena nowhere else.
    Raises UsageError if it leads to no place, or to none that the user allows.
    """
    host = address.host
    places = places_of(host, address.port)
    if not is_allowed(host, address.port, allowed):
        elsewhere = sorted({place[0] for _, place in places if not is_this_machine(place[0])})
        places = tuple(each for each in places if is_this_machine(each[1][0]))
        if not places:
            leads = "" if elsewhere[0] == host else f" (it is {elsewhere[0]})"
            raise UsageError(
                f"{host}{leads} is not this machine: --allow-network {Host(host, address.port)}"
                " lets arena connect to it"
            )
    return BotUrl(address.scheme, host, address.port, address.path, places)
