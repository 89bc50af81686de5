"""Tell the URL of a database from the name of a file, and hide the passwords of URLs."""

from __future__ import annotations

import re

_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*://"

#: The mark that replaces a password in a text.
HIDDEN = "***"

#: A URL up to its user, and a password, which a cut may have ended. A host's port has five digits.
_LOGIN = (
    r"([A-Za-z][A-Za-z0-9+.-]*://[^\s:/@\[]*):"
    r"(?:\S*(@)|(?!\d{1,5}(?:[^\w@]|$))[^\s@'\"]*)"
)
_OPTION = r"([?&](?:ssl)?password=)[^\s&'\"]*"


def is_url(named: object) -> bool:
    """Return whether a store's name is a URL: any other text is the name of a file."""
    return isinstance(named, str) and re.match(_SCHEME, named) is not None


def without_passwords(text: str) -> str:
    """Return a text in which the passwords of URLs are hidden.

    >>> without_passwords("store 'postgresql://anna:geheim@host:5432/games'")
    "store 'postgresql://anna:***@host:5432/games'"
    """
    if "://" not in text:
        return text
    hidden = re.sub(_LOGIN, lambda match: f"{match[1]}:{HIDDEN}{match[2] or ''}", text)
    return re.sub(_OPTION, rf"\g<1>{HIDDEN}", hidden)


def passwordless(url: str) -> str:
    """Return a URL without its password, for a process that has the password from elsewhere."""
    without = re.sub(_LOGIN, lambda match: f"{match[1]}{match[2] or ''}", url)
    return re.sub(_OPTION, r"\g<1>", without)
