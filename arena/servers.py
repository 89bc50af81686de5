"""Read the address of a server of arena's, and the token by which it knows a user."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from arena.errors import UsageError, quoted


def read_server(url: str) -> SplitResult:
    """Return the parts of a URL. Raises UsageError for a text that is none of a server."""
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")
    except ValueError:
        is_good = False
    if not is_good or not url.isprintable() or " " in url:
        raise UsageError(f"{quoted(url)} is not a URL, such as https://contest.example")
    return parts


def require_token(text: str) -> str:
    """Return a token. Raises UsageError for a text that cannot be one."""
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise UsageError("the token is empty, or has characters that no token has")
    return text
