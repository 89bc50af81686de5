"""Games in which a move places a stone for good: the stones alone are the position.

The text of such a position has a letter for every move that the first position allows, in the
order of their numbers, as a board of arena's own games has one for every square.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.errors import PositionError
from arena.games.board import read_marks

#: The games, unless one of these parameters is true. A swap would move a stone.
_GAMES: Mapping[str, tuple[str, ...]] = {
    "gomoku": (),
    "havannah": ("swap",),
    "hex": ("swap",),
    "mnk": (),
    "tic_tac_toe": (),
    "y": (),
}


def places_stones(name: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether the stones alone are the position: in any order they make the same."""
    return name in _GAMES and not any(parameters.get(key) for key in _GAMES[name])


def letters(history: Sequence[int], squares: Sequence[int]) -> str:
    """Return the text of the stones that a history has placed, one after the other in turns.

    >>> letters([4, 0, 8], range(9))
    'o___x___x'
    """
    owner = {action: "xo"[index & 1] for index, action in enumerate(history)}
    return "".join(owner.get(square, "_") for square in squares)


def read_letters(text: str, squares: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Return the stones of both sides in a text, None if it is not one of this board.

    >>> read_letters("O.. / .X. / ..X", range(9))
    ([4, 8], [0])
    """
    try:
        board = read_marks(text, len(squares), "")
    except PositionError:
        return None
    first, second = (
        [square for square, letter in zip(squares, board, strict=True) if letter == side]
        for side in "xo"
    )
    return first, second


def orders(first: Sequence[int], second: Sequence[int]) -> Iterator[list[int]]:
    """Yield orders of the stones in turns, each with another one last.

    One of them is a game if any is: neither side wins by fewer stones, only the last one ends it.
    """
    last = first if len(first) > len(second) else second
    for index in reversed(range(len(last))) if last else ():
        rest = [*last[:index], *last[index + 1 :], last[index]]
        x, o = (rest, [*second]) if last is first else ([*first], rest)
        yield [stone for pair in zip(x, o, strict=False) for stone in pair] + x[len(o) :]
