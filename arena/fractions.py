"""Read an exact number from a text that a stranger may have written."""

from __future__ import annotations

import re
from fractions import Fraction

#: Characters of a number. Python reads 4,300 digits at most.
MAX_LENGTH = 2000

#: A number as programs write one: ``3``, ``-0.5``, ``1/3``, ``1e-05``. ``1e999999999`` is a number
#: too, but too long to write out.
_NUMBER = re.compile(
    r"[+-]?([0-9]+/[0-9]+|([0-9]+([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,3})?)",
    re.ASCII | re.IGNORECASE,
)


def fraction_of(text: str) -> Fraction:
    """Return the number of a text. Raises ValueError if the text is not one."""
    try:
        if len(text) <= MAX_LENGTH and _NUMBER.fullmatch(text):
            return Fraction(text)
    except ZeroDivisionError:
        pass
    raise ValueError(f"{text[:80]!r} is not a number such as 2, -0.5 or 1/3")
