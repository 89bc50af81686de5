"""Fuzz the texts of a game: near misses of real texts, and texts that no game has."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

#: Texts that are not a position and not a move of any game. ``str.isdigit`` takes the superscript
#: for a digit, and ``int`` raises ValueError for it and for the last text.
NONSENSE = ("", " ", "?!", "no such thing", "\0", "½", "²", "e²", "x" * 10_000, "9" * 5000)

#: Near misses of one text by a change at a random place, of each kind, and numbers with a sign.
_CHANGES = 3

#: How many times a text is repeated to make a long one.
_REPEATED = 50

_NUMBER = re.compile(r"(?<![0-9])(?=[0-9])")
_SIGNED = re.compile(r"[+-][0-9]")
_ARABIC = {ord(str(digit)): 0x660 + digit for digit in range(10)}
_FULL_WIDTH = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, range(0x21, 0x7F))}


class NearMiss(NamedTuple):
    """A text that is near a real one."""

    text: str
    #: Whether it may be read only as the real one, as ``+1`` may be read only as ``1``.
    is_spelling: bool


def near_misses(text: str, others: str, rng: random.Random) -> Iterator[NearMiss]:
    """Yield near misses of a real text. ``others`` has the letters of all real texts."""
    for spelling in _spellings(text, others, rng):
        yield NearMiss(spelling, is_spelling=True)
    for miss in (text.upper(), text.lower(), text.swapcase(), text * 2, text * _REPEATED):
        yield NearMiss(miss, is_spelling=False)
    for _ in range(_CHANGES):
        for miss in _changed(text, others, rng):
            yield NearMiss(miss, is_spelling=False)


def _spellings(text: str, others: str, rng: random.Random) -> Iterator[str]:
    """Yield the text in other letters, digits and blanks. It means the same or nothing."""
    yield f" {text}"
    yield f"{text}\n"
    yield text.translate(_FULL_WIDTH)
    yield text.translate(_ARABIC)
    signs = "+" if _SIGNED.search(others) else "+-"
    numbers = [*_NUMBER.finditer(text)]
    for number in rng.sample(numbers, min(_CHANGES, len(numbers))):
        for sign in signs:
            yield f"{text[: number.start()]}{sign}{text[number.start() :]}"
    yield re.sub("([0-9])([0-9])", r"\1_\2", text)


def _changed(text: str, others: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a letter that is missing, doubled, another, or at the wrong place."""
    at = rng.randrange(len(text))
    before, letter, after = text[:at], text[at], text[at + 1 :]
    yield before + after
    yield before + letter + text[at:]
    yield before + rng.choice(others) + after
    yield before + after[:1] + letter + after[1:]
    words = text.split(" ")
    rng.shuffle(words)
    yield " ".join(words)
