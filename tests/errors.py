"""Errors that are hard to tell of."""

from __future__ import annotations


class Rude(BaseException):
    """No Exception."""


class Unspeakable(Exception):
    """Raises something that is not an Exception when it is asked for its message."""

    def __str__(self) -> str:
        raise Rude("no message")
