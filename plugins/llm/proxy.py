"""Find the proxy that the environment names for a service, as other programs do."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from arena.errors import UsageError
from arena.plugins.http_bot.address import BotUrl, Proxy, places_of
from arena.sandbox.hosts import is_allowed, is_this_machine


def through_proxy(address: BotUrl, allowed: tuple[str, ...]) -> BotUrl | None:
    """Return the address with the places of a proxy, None if the environment names none for it.

    Raises UsageError if the proxy is not found, or its URL is none.
    """
    parts = proxy_for(address, allowed)
    if parts is None:
        return None
    host, port, login = parts
    return replace(address, places=places_of(host, port), proxy=Proxy(f"{host}:{port}", login))


def proxy_for(address: BotUrl, allowed: tuple[str, ...]) -> tuple[str, int, str] | None:
    """Return the host, the port and the login of the proxy that the environment names.

    ``http_proxy``, ``https_proxy`` and ``no_proxy`` say which. A host that the user does not allow
    has none, nor has this machine. Raises UsageError if the URL is none.
    """
    url = getproxies_environment().get(address.scheme)
    if not url or proxy_bypass(address.host):
        return None
    if address.host == "localhost" or is_this_machine(address.host):
        return None
    if not is_allowed(address.host, address.port, allowed):
        return None
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        host, port = None, 0
    if not host or parts.scheme != "http":
        name = f"{address.scheme}_proxy"
        raise UsageError(f"the variable {name} of the environment is no URL such as http://HOST:80")
    login = ""
    if parts.username is not None:
        words = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        login = b64encode(words.encode()).decode()
    return host, port, login
