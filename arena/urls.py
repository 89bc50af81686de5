"""Tell stores and their URLs from other files, and hide the passwords of URLs."""

from __future__ import annotations

import os
import re

_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*://"

#: How a file of SQLite begins.
SQLITE_MAGIC = b"SQLite format 3\0"

#: The mark that replaces a password in a text.
HIDDEN = "***"

#: A URL up to its user, and a password, which a cut may have ended. A host's port has five digits.
_LOGIN = (
    r"([A-Za-z][A-Za-z0-9+.-]*://[^\s:/@\[]*)(?<!['\"]):"
    r"(?:\S*(@)|(?!\d{1,5}(?:[^\w@]|$))[^\s@'\"]*)"
)
_OPTION = r"([?&](?:ssl)?password=)[^\s&'\"]*"


def is_url(named: object) -> bool:
    """Return whether a store's name is a URL: any other text is the name of a file."""
    return isinstance(named, str) and re.match(_SCHEME, named) is not None


def is_store(path: str) -> bool:
    """Return whether a word is the URL of a database, or a file as SQLite writes it.

    A pipe never is.
    """
    if is_url(path):
        return True
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError:
        return False


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
