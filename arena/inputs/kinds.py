"""Define the kinds of values of a contest's keys: each reads a value, or says what it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.clock import in_utc
from arena.errors import UsageError
from arena.player.clocks import FORM, read_control
from arena.records.adjudication import DRAW_FORM, RESIGN_FORM, DrawRule, ResignRule
from arena.records.until import FORMS, OF_TOURNAMENTS, read_until
from arena.sandbox.settings import MAX_LIMIT

#: Returns the value of a key as the API takes it. Raises ValueError that says what it must be.
Kind = Callable[[Any], Any]


def whole(least: int, most: int) -> Kind:
    """Return the kind of whole numbers from the least to the most."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return read


def number(least: float) -> Kind:
    """Return the kind of limits from the least, which are whole if it is."""

    def read(value: Any) -> float:
        types = (int,) if isinstance(least, int) else (int, float)
        if type(value) not in types or not least <= value <= MAX_LIMIT:
            what = "a whole number" if isinstance(least, int) else "a number"
            raise ValueError(f"{what} from {least:g} to {MAX_LIMIT}")
        return float(value) if type(least) is float else int(value)

    return read


def share(value: Any) -> float:
    """Read a number between 0 and 1."""
    if type(value) is not float or not 0 < value < 1:
        raise ValueError("a number between 0 and 1, as in 0.02")
    return value


def text(value: Any) -> str:
    """Read a text that is not empty."""
    if type(value) is not str or not value:
        raise ValueError("a text in quotes")
    return value


def switch(value: Any) -> bool:
    """Read true or false."""
    if type(value) is not bool:
        raise ValueError("true or false")
    return value


def texts(value: Any) -> list[str]:
    """Read a text or several."""
    if type(value) is str:
        return [value]
    if type(value) is not list or not all(type(item) is str for item in value):
        raise ValueError('a list of texts, as in ["a", "b"]')
    return value


def clock(value: Any) -> str:
    """Read a time control, such as ``60+0.5``."""
    try:
        return str(read_control(value))
    except UsageError:
        raise ValueError(FORM) from None


def table(value: Any) -> dict[str, Any]:
    """Read a table."""
    if type(value) is not dict:
        raise ValueError("a table")
    return value


def resign(value: Any) -> str:
    """Read a rule by which engines resign."""
    return _rule(ResignRule.read, value, RESIGN_FORM)


def draw(value: Any) -> str:
    """Read a rule by which engines agree to a draw."""
    return _rule(DrawRule.read, value, DRAW_FORM)


def _rule(read: Callable[[str], object], value: Any, form: str) -> str:
    try:
        return str(read(value))
    except UsageError:
        raise ValueError(form) from None


def question(value: Any) -> str:
    """Read the question that ends a tournament."""
    try:
        return str(read_until(text(value), OF_TOURNAMENTS))
    except UsageError:
        raise ValueError(" or ".join(FORMS[name] for name in OF_TOURNAMENTS)) from None


def one_of(*words: str) -> Kind:
    """Return the kind of these words."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(" or ".join(map(repr, words)))
        return str(value)

    return read


def moment(value: Any) -> str:
    """Read a date with a time as ISO 8601 text in UTC; one without a zone is local time."""
    try:
        return in_utc(value)
    except (TypeError, OverflowError):
        raise ValueError("a date with a time, as in 2026-12-01T18:00:00+01:00") from None
