"""Write the library's moves so that a text, and a number, mean the same move in every position.

The library's own often do not: ``Nf3`` needs the board, and in chess the number of a move is seen
from the side that moves. The tests compare what is here with the library along random games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: The library's text of a move at the start, by game; the groups are the text here.
_TEXTS: Mapping[str, str] = {
    "amazons": r"X From \((\d+), (\d+)\)",
    "connect_four": r"x(\d+)",
    "cursor_go": r"(\w+)(?: Stone)?",
    "dots_and_boxes": r"P1\((\w),(\d+),(\d+)\)",
    "go": r"B (\w+)",
    "hive": r"(\S+)(?: (\S+))?",
    "mnk": r"x\((\d+),(\d+)\)",
    "nim": r"pile:(\d+), take:(\d+);",
    "nine_mens_morris": r"(?:Point|Move) (\d+)(?: -> (\d+))?",
    "tic_tac_toe": r"x\((\d+),(\d+)\)",
    "twixt": r"x(\w+)",
    "xiangqi": r".\((\d+),(\d+)\)-\((\d+),(\d+)\)",
    **dict.fromkeys(("breakthrough", "checkers", "clobber", "gomoku", "havannah"), r"(\S+)"),
    **dict.fromkeys(("hex", "lines_of_action", "mancala", "othello", "oware"), r"(\S+)"),
    **dict.fromkeys(("pentago", "y"), r"(\S+)"),
}

#: The pieces of an underpromotion, and those that may be dropped, by game of the chess family.
_CHESS: Mapping[str, tuple[str, str]] = {
    "antichess": ("rbnk", ""),
    "chess": ("rbn", ""),
    "crazyhouse": ("rbn", "PNBRQ"),
}

#: The steps of a queen and of a knight in the order of the library.
_FAR = (*range(-7, 0), *range(1, 8))
_QUEEN = [(n * x, n * y) for x, y in ((0, 1), (1, 0), (1, 1), (1, -1)) for n in _FAR]
_KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2))

#: Moves on the board of shogi, before the drops.
_SHOGI = 81 * 81 * 2


def is_turned(name: str) -> bool:
    """Return whether the library turns the board for the second side, and so its moves."""
    return name in _CHESS


class Notation:
    """The moves of one game: ints and texts for people, and the numbers that the library takes."""

    def __init__(self, name: str, start: Any, actions: int) -> None:
        self.texts = _texts(name, start, actions)
        #: Whether the texts are not just numbers.
        self.has_words = name in _TEXTS or name == "shogi" or name in _CHESS
        #: The number of a move by that of the library, for a second side that has others.
        self._across: list[int] | None = None
        if is_turned(name):
            self._across = _across(self.texts)
            self._back = {move: action for action, move in enumerate(self._across)}
        self._moves = {text: move for move, text in enumerate(self.texts) if text}

    def moves(self, actions: Iterable[int], second: int) -> tuple[int, ...]:
        """Return the moves, ascending, of the library's ascending numbers.

        ``second`` is 1 if the second side makes them, else 0.
        """
        if second and self._across is not None:
            return tuple(sorted(map(self._across.__getitem__, actions)))
        return tuple(actions)

    def action(self, move: int, second: int) -> int:
        """Return the library's number of a legal move."""
        return self._back[move] if second and self._across is not None else move

    def read(self, text: str) -> int | None:
        """Return the move of a text, None if no move has it."""
        return self._moves.get(text, self._moves.get(text.lower()))


def _texts(name: str, start: Any, actions: int) -> list[str]:
    """Return the text of every number below ``actions``. The result is empty for one that is not a
    move.

    ``start`` is the library's first state. A game of which nothing is known here has the numbers
    as texts.
    """
    if name in _CHESS:
        return list(_chess(*_CHESS[name]))
    if name == "shogi":
        return [*_shogi(), *_action_texts(start, range(_SHOGI, actions))]
    if name in _TEXTS:
        pattern = re.compile(_TEXTS[name])
        return [_word(pattern, text) for text in _action_texts(start, range(actions))]
    return [str(action) for action in range(actions)]


def _action_texts(start: Any, actions: range) -> Iterator[str]:
    player, text = start.current_player(), start.action_to_string
    return (text(player, action) for action in actions)


def _word(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.fullmatch(text)
    if match is None or text == "unknown":  # a square beside a board that is not a rectangle
        return ""
    word = ",".join(group for group in match.groups() if group is not None)
    return word.lower() if word.isalpha() else word


def _chess(promoted: str, dropped: str) -> Iterator[str]:
    """Yield the moves of the first side in long algebraic notation, in the library's order.

    From every square these are the underpromotions, the moves of a queen and those of a knight. A
    pawn that reaches the last rank by the move of a queen becomes one.
    """
    for x in range(8):
        for y in range(8):
            for piece in promoted:
                yield from (_step(x, y, dx, 1, piece) for dx in (0, 1, -1))
            yield from (_step(x, y, dx, dy) for dx, dy in (*_QUEEN, *_KNIGHT))
    if "k" not in promoted:
        yield from ("O-O-O", "O-O")
    for piece in dropped:
        yield from (f"{piece}@{_square(square % 8, square // 8)}" for square in range(64))


def _step(x: int, y: int, dx: int, dy: int, piece: str = "") -> str:
    to_x, to_y = x + dx, y + dy
    inside = 0 <= to_x < 8 and 0 <= to_y < 8 and (not piece or to_y == 7)
    return _square(x, y) + _square(to_x, to_y) + piece if inside else ""


def _square(x: int, y: int) -> str:
    return "abcdefgh"[x] + str(y + 1)


def _across(texts: list[str]) -> list[int]:
    """Return the move of each of the library's numbers, if the second side makes it.

    The library turns the board for that side. Append what that side alone can do: its
    underpromotions.
    """
    numbers = {text: move for move, text in enumerate(texts) if text}
    moves = []
    for move, text in enumerate(texts[:]):
        if text and "@" not in text:
            text = re.sub(r"\d", lambda rank: str(9 - int(rank[0])), text)
        if text and text not in numbers:
            numbers[text] = len(texts)
            texts.append(text)
        moves.append(numbers.get(text, move))
    return moves


def _shogi() -> Iterator[str]:
    squares = [f"{9 - square % 9}{'ihgfedcba'[square // 9]}" for square in range(81)]
    return (a + b + promotion for a in squares for b in squares for promotion in ("", "+"))
