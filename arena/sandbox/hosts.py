"""Tell which hosts arena connects to for a player: this machine, and those that the user names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from arena.errors import UsageError, one_line, quoted

#: A name or an IPv4 address, or an IPv6 address with or without brackets.
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,252})"
_ADDRESS = r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\w+)?"
_HOST = re.compile(rf"(?:({_NAME})|\[({_ADDRESS})\])(?::([0-9]{{1,5}}))?|({_ADDRESS})")

#: The largest port.
MAX_PORT = 65535


class Host(NamedTuple):
    """A host that the user names, and its port; None for every port."""

    name: str
    port: int | None = None

    def __str__(self) -> str:
        """Return the text that is read as the same host."""
        if self.port is None:
            return self.name
        return f"[{self.name}]:{self.port}" if ":" in self.name else f"{self.name}:{self.port}"


def read_host(text: object) -> Host:
    """Return the host that a text names, ``HOST`` or ``HOST:PORT``. Raises UsageError for others.

    >>> read_host("Bots.example.org:8000"), read_host("[::1]").name
    (Host(name='bots.example.org', port=8000), '::1')
    """
    match = _HOST.fullmatch(text) if isinstance(text, str) else None
    if match is not None:
        name, bracketed, port, bare = match.groups()
        if port is None or 0 < int(port) <= MAX_PORT:
            return Host(same_host(name or bracketed or bare), int(port) if port else None)
    host = quoted(text) if isinstance(text, str) else one_line(repr(text))
    raise UsageError(f"a host of the network is HOST or HOST:PORT, not {host}")


def read_hosts(texts: object) -> tuple[str, ...]:
    """Return hosts as :func:`read_host` writes them. Raises UsageError for anything else."""
    several = [texts] if isinstance(texts, str) or not isinstance(texts, Iterable) else texts
    return tuple(str(read_host(text)) for text in several)


def same_host(name: str) -> str:
    """Return the one way to write a host: in lower case, without a dot at the end."""
    return name.lower().removesuffix(".")


def is_allowed(name: str, port: int, allowed: Iterable[str]) -> bool:
    """Return whether the user names this host and port, or this host without a port.

    >>> is_allowed("bots.example.org", 80, ["bots.example.org:8000"])
    False
    """
    hosts = map(read_host, allowed)
    return any(host.name == same_host(name) and host.port in (None, port) for host in hosts)


def is_this_machine(address: str) -> bool:
    """Return whether an address in numbers is a loopback address.

    >>> is_this_machine("127.0.0.1"), is_this_machine("::ffff:127.0.0.1"), is_this_machine("::")
    (True, True, False)
    """
    from ipaddress import IPv6Address, ip_address  # most commands connect to nothing

    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return ip.ipv4_mapped.is_loopback
    return ip.is_loopback
