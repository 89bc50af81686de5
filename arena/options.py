"""Options of players: what may stand after the colon in a name, as in ``minimax:depth=3``.

A player that takes options is registered with a function that reads them and returns the player
that has them (see :meth:`arena.player.PlayerInfo.configured`)::

    def options(info, text):
        \"\"\"depth=PLIES.\"\"\"
        chosen = read_options(info.name, text, {"depth": whole(1, 20)})
        return replace(info, player=partial(choose, **chosen))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.errors import UsageError, did_you_mean, quoted

#: The value that a text means; ValueError says what it must be instead: ``a number from 1 to 9``.
Kind = Callable[[str], Any]


def read_options(player: str, text: str, known: Mapping[str, Kind]) -> dict[str, Any]:
    """The values of ``key=value,key=value`` by key, each read as its kind says.

    Keys that are not in the text are not in the answer. UsageError for a key that is unknown or
    given twice, and for a value that is none; ``player`` is who the message says it is about.

    >>> read_options("minimax:depth=3", "depth=3", {"depth": whole(1, 9), "budget": whole(1, 99)})
    {'depth': 3}
    """
    chosen: dict[str, Any] = {}
    for word in text.split(","):
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(
                f"player {quoted(player)}: {quoted(word)} is no option, write OPTION=VALUE"
                f" (it has: {', '.join(known)})"
            )
        if key not in known:
            raise UsageError(
                f"player {quoted(player)}: no option {quoted(key)}{did_you_mean(key, known)}"
                f" (it has: {', '.join(known)})"
            )
        if key in chosen:
            raise UsageError(f"player {quoted(player)}: option {key} is given twice")
        try:
            chosen[key] = known[key](value)
        except ValueError as error:
            raise UsageError(
                f"player {quoted(player)}: {key} must be {error}, not {quoted(value)}"
            ) from None
    return chosen


def whole(least: int, most: int) -> Kind:
    """A whole number in digits, from least to most, written in one way only.

    >>> whole(1, 9)("10")
    Traceback (most recent call last):
    ValueError: a whole number from 1 to 9
    """

    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        if not digits or not least <= int(text) <= most or str(int(text)) != text:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def one_of(*words: str) -> Kind:
    """One of these words.

    >>> one_of("on", "off")("off")
    'off'
    """

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{' or '.join(words)}{did_you_mean(text, words)}")
        return text

    return read
