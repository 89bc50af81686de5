"""Read the options of players: ``depth=3,decay=off``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.errors import UsageError, did_you_mean, quoted

#: Returns the value of a text. Raises ValueError that says what the text must be: ``a number from 1
#: to 9``.
Kind = Callable[[str], Any]


def read_options(player: str, text: str, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Return the values of ``key=value,key=value`` by key, each read by its kind.

    Keys that are not in the text are not in the answer. Raises UsageError for an unknown or
    repeated key or an invalid value. ``player`` names the culprit in the message.

    >>> read_options("minimax:depth=3", "depth=3", {"depth": whole(1, 9), "budget": whole(1, 99)})
    {'depth': 3}
    """
    options: dict[str, Any] = {}
    for word in text.split(","):
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(
                f"player {quoted(player)}: {quoted(word)} is not an option, write OPTION=VALUE"
                f" (it has: {', '.join(kinds)})"
            )
        if key not in kinds:
            raise UsageError(
                f"player {quoted(player)}: no option {quoted(key)}{did_you_mean(key, kinds)}"
                f" (it has: {', '.join(kinds)})"
            )
        if key in options:
            raise UsageError(f"player {quoted(player)}: option {key} is given twice")
        try:
            options[key] = kinds[key](value)
        except ValueError as error:
            raise UsageError(
                f"player {quoted(player)}: {key} must be {error}, not {quoted(value)}"
            ) from None
    return options


def shown(kind: Kind) -> str:
    """Return how a value is written: ``1..20``, ``on|off``."""
    return str(kind) if isinstance(kind, (_Whole, _Decimal, _OneOf)) else "VALUE"


@dataclass(frozen=True)
class _Whole:
    least: int
    most: int

    def __call__(self, text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        if not digits or not self.least <= int(text) <= self.most or str(int(text)) != text:
            raise ValueError(f"a whole number from {self.least} to {self.most}")
        return int(text)

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


@dataclass(frozen=True)
class _Decimal:
    least: float
    most: float

    def __call__(self, text: str) -> float:
        digits = text.replace(".", "", 1)
        number = float(text) if digits.isascii() and digits.isdigit() else -1.0
        if not self.least <= number <= self.most or f"{number:g}" != text:
            raise ValueError(f"a number from {self.least:g} to {self.most:g}")
        return number

    def __str__(self) -> str:
        return f"{float(self.least)}..{float(self.most)}"


@dataclass(frozen=True)
class _OneOf:
    words: tuple[str, ...]

    def __call__(self, text: str) -> str:
        if text not in self.words:
            raise ValueError(f"{' or '.join(self.words)}{did_you_mean(text, self.words)}")
        return text

    def __str__(self) -> str:
        return "|".join(self.words)


def whole(least: int, most: int) -> Kind:
    """Read a whole number in digits, from least to most, written in one way only.

    >>> whole(1, 9)("10")
    Traceback (most recent call last):
    ValueError: a whole number from 1 to 9
    """
    return _Whole(least, most)


def decimal(least: float, most: float) -> Kind:
    """Read a number from least, which is 0 or more, to most, written in one way only.

    >>> decimal(0, 2)("1.4")
    1.4
    >>> decimal(0, 2)("1.40")
    Traceback (most recent call last):
    ValueError: a number from 0 to 2
    """
    return _Decimal(least, most)


def one_of(*words: str) -> Kind:
    """Read one of these words.

    >>> one_of("on", "off")("off")
    'off'
    """
    return _OneOf(words)
