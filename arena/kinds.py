"""Define the kinds of values of options, of arena's own options and of those of players.

A kind checks a value, reads the text of one, and says what a value must be.
"""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from arena.dataclass import dataclass
from arena.errors import UsageError, class_name, did_you_mean, numeral, one_line, quoted

#: Returns the value of a text. Raises ValueError that says what the text must be: ``a number from 1
#: to 9``.
ReadText = Callable[[str], Any]

#: More digits than any bound of an option has.
_MAX_DIGITS = 30


class Kind:
    """A kind of values. To call it reads the option of a player, which is written in one way."""

    @property
    def words(self) -> str:
        """The values that it allows, in words, such as ``a whole number from 1 to 9``."""
        raise NotImplementedError

    def check(self, value: Any) -> Any:
        """Return the value as functions take it. Raises ValueError with the words."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Return the value of a text on the command line. Raises ValueError if it is bad."""
        return self.check(text)

    def hint(self, value: object) -> str:
        """Return ``, did you mean 'off'?`` for a bad value with a near good one, or nothing."""
        return ""

    def __call__(self, text: str) -> Any:
        """Return the value of the text of a player's option. Raises ValueError if it is bad."""
        return self.read(text)

    def __str__(self) -> str:
        """Return how a value is written: ``1..20``, ``on|off``."""
        return "VALUE"


@dataclass(frozen=True)
class Whole(Kind):
    """Whole numbers from the least to the most."""

    least: int
    most: int

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return f"a whole number from {self.least} to {self.most}"

    def check(self, value: Any) -> int:
        """Return an int. Accept a whole number of another library too."""
        is_whole = not isinstance(value, bool) and hasattr(value, "__index__")
        if not is_whole or not self.least <= operator.index(value) <= self.most:
            raise ValueError(self.words)
        return operator.index(value)

    def read(self, text: str) -> int:
        """Return the number of a text in digits."""
        is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
        return self.check(int(text) if is_number else None)

    def __call__(self, text: str) -> int:
        """Return the number of a text in digits without zeros before them."""
        number = self.read(text)
        if str(number) != text:
            raise ValueError(self.words)
        return number

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


#: A fraction as people write one: ``3``, ``0.05``, ``1/24``.
_FRACTION = re.compile(r"[0-9]{1,20}([.][0-9]{1,20}|/[0-9]{1,20})?", re.ASCII)


class Ratio(Kind):
    """Exact numbers from 0 on, written as a decimal number or a fraction."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return "a number from 0, such as 0.05 or 1/24"

    def check(self, value: Any) -> Fraction:
        """Return the number as a fraction: a float is what it is written as."""
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            raise ValueError(self.words)
        if isinstance(value, float):
            return self.read(str(value))
        if value < 0:
            raise ValueError(self.words)
        return Fraction(value)

    def read(self, text: str) -> Fraction:
        """Return the number of a text."""
        try:
            return Fraction(text if _FRACTION.fullmatch(text) else "")
        except (ValueError, ZeroDivisionError):
            raise ValueError(self.words) from None


@dataclass(frozen=True)
class Number(Kind):
    """Finite numbers from the least to the most, without these two if they are excluded."""

    least: float = -math.inf
    most: float = math.inf
    excludes_ends: bool = False

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        least, most = (f"{end:g}" if isinstance(end, float) else str(end) for end in self._ends)
        if self.most == math.inf:
            above = "above" if self.excludes_ends else "from"
            return "a number" if self.least == -math.inf else f"a number {above} {least}"
        if self.excludes_ends:
            return f"a number between {least} and {most}"
        return f"a number from {least} to {most}"

    @property
    def _ends(self) -> tuple[float, float]:
        return self.least, self.most

    def check(self, value: Any) -> float:
        """Return the number as it is, an int or a float."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(self.words)
        is_inside = math.isfinite(value) and self.least <= value <= self.most
        if not is_inside or (self.excludes_ends and value in self._ends):
            raise ValueError(self.words)
        return value

    def read(self, text: str) -> float:
        """Return the number of a text."""
        try:
            return self.check(float(text))
        except ValueError:
            raise ValueError(self.words) from None

    def __call__(self, text: str) -> float:
        """Return the number of a text in digits, without zeros that say nothing."""
        digits = text.replace(".", "", 1)
        number = self.read(text if digits.isascii() and digits.isdigit() else "")
        if f"{number:g}" != text:
            raise ValueError(self.words)
        return number

    def __str__(self) -> str:
        return f"{float(self.least)}..{float(self.most)}"


@dataclass(frozen=True)
class OneOf(Kind):
    """Some words."""

    choices: tuple[str, ...]

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return " or ".join(self.choices)

    def check(self, value: Any) -> str:
        """Return the word."""
        if not isinstance(value, str) or value not in self.choices:
            raise ValueError(self.words)
        return value

    def hint(self, value: object) -> str:
        """Return the nearest word."""
        return did_you_mean(value, self.choices) if isinstance(value, str) else ""

    def __str__(self) -> str:
        return "|".join(self.choices)


@dataclass(frozen=True)
class OfType(Kind):
    """Values of some types, whatever they are."""

    types: tuple[type, ...]
    name: str

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return self.name

    def check(self, value: Any) -> Any:
        """Return the value as it is."""
        if not isinstance(value, self.types):
            raise ValueError(self.words)
        return value


class Texts(Kind):
    """Several texts, or names of files. One alone stands for a list of it."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return 'a list of texts, as in ["a", "b"]'

    def check(self, value: Any) -> list[Any]:
        """Return the list."""
        if isinstance(value, str | os.PathLike):
            return [value]
        if not isinstance(value, list | tuple) or not all(
            isinstance(text, str | os.PathLike) for text in value
        ):
            raise ValueError(self.words)
        return list(value)


#: Finite numbers.
FINITE = Number()

#: Numbers between 0 and 1, such as probabilities.
SHARES = Number(0, 1, excludes_ends=True)

TEXT = OfType((str,), "a text")
SWITCH = OfType((bool,), "true or false")
FILE = OfType((str, os.PathLike), "the name of a file")
TEXTS = Texts()


def check_value(name: str, kind: Kind, value: Any) -> Any:
    """Return the value of an argument as the function takes it. Raises UsageError if it is bad.

    >>> check_value("workers", whole(1, 9), 0)
    Traceback (most recent call last):
    arena.errors.UsageError: workers must be a whole number from 1 to 9, not 0
    """
    try:
        return kind.check(value)
    except ValueError as error:
        raise UsageError(
            f"{name} must be {error}, not {_written(value)}{kind.hint(value)}"
        ) from None


def _written(value: Any) -> str:
    """Return a value as its author writes it, on one line, or a word about its class."""
    if type(value) is int:
        return numeral(value)
    if type(value).__module__ == "datetime":  # a date of TOML
        return str(value)
    try:
        return one_line(repr(value))
    except Exception:  # of a value that is deep, or that does not want to be shown
        return f"a {class_name(value)}"


def read_options(player: str, text: str, kinds: Mapping[str, ReadText]) -> dict[str, Any]:
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
        read = kinds[key]
        try:
            options[key] = read(value)
        except ValueError as error:
            hint = read.hint(value) if isinstance(read, Kind) else ""
            raise UsageError(
                f"player {quoted(player)}: {key} must be {error}, not {quoted(value)}{hint}"
            ) from None
    return options


def form_of(kind: ReadText) -> str:
    """Return how a value is written: ``1..20``, ``on|off``."""
    return str(kind) if isinstance(kind, Kind) else "VALUE"


def whole(least: int, most: int) -> Kind:
    """Read a whole number in digits, from least to most, written in one way only.

    >>> whole(1, 9)("10")
    Traceback (most recent call last):
    ValueError: a whole number from 1 to 9
    """
    return Whole(least, most)


def decimal(least: float, most: float) -> Kind:
    """Read a number from least, which is 0 or more, to most, written in one way only.

    >>> decimal(0, 2)("1.4")
    1.4
    >>> decimal(0, 2)("1.40")
    Traceback (most recent call last):
    ValueError: a number from 0 to 2
    """
    return Number(least, most)


def one_of(*words: str) -> Kind:
    """Read one of these words.

    >>> one_of("on", "off")("off")
    'off'
    """
    return OneOf(words)
