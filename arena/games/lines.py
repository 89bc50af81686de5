"""Games with any winning lines: variants of tic-tac-toe, and rules in a file, ``lines:FILE``.

The rules are a text. Its first line is the size of the board. ``misere`` after it says that the
side that completes a line loses. Every other line is a winning line: the numbers of its squares,
counted from 1 in reading order. ``#`` begins a comment.

    board 3 3     # columns and rows
    1 2 3
    1 2 4
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

from arena.core import register_class
from arena.errors import UsageError, quoted
from arena.files import naming, read_bytes
from arena.games.board import MAX_SIDE, squares_of
from arena.games.line_game import SUFFIX, ruled_by_lines
from arena.games.mnk import MnkGame, mnk_game

#: Prefix of the name of a game whose rules are in a file.
FILE_PREFIX = "lines:"

#: The word of the first line for a game whose player loses by completing a line.
MISERE = "misere"

#: Largest size of such a file, in bytes.
MAX_RULES_BYTES = 1 << 20

#: The variants in exercise 10.4 of Simply Scheme (Harvey and Wright).
VARIANTS = {
    "tictactoe-corners": "tictactoe in which an L in a corner wins too",
    "tictactoe-straight": "tictactoe in which diagonals do not win",
    "tictactoe-squares": "tictactoe in which four squares in a corner win too",
}

#: Each corner of a 3 by 3 board with its two neighbours; squares are counted from 1.
_CORNERS = ((1, 2, 4), (2, 3, 6), (4, 7, 8), (6, 8, 9))
_SQUARES = ((1, 2, 4, 5), (2, 3, 5, 6), (4, 5, 7, 8), (5, 6, 8, 9))


#: Lines, each the numbers of its squares from 1, ascending.
Lines = tuple[tuple[int, ...], ...]


@ruled_by_lines
@register_class("lines")
class ListedLineGame(MnkGame):
    """A game whose winning lines are listed. Get one from :func:`line_game`."""

    def __init__(self, name: str, columns: int, rows: int, lines: Lines, misere: bool) -> None:
        board = f"board {columns} {rows}{f' {MISERE}' * misere}"
        self.rules = "\n".join([board, *(" ".join(map(str, line)) for line in lines)])
        if names_lines(name):  # a file may be changed: then it has another version of the game
            digest = blake2b(self.rules.encode(), digest_size=3).digest()
            self.version = int.from_bytes(digest, "big")
        self._made_of = name, columns, rows, lines, misere
        super().__init__(name, columns, rows, [[s - 1 for s in line] for line in lines], misere)

    @property
    def goal(self) -> str:
        """The end of the game, in words."""
        _, *lines = self.rules.splitlines()
        return f"marks on all squares of one of these lines ({'; '.join(lines)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _line_game, self._made_of


@cache
def _line_game(name: str, columns: int, rows: int, lines: Lines, misere: bool) -> ListedLineGame:
    return ListedLineGame(name, columns, rows, lines, misere)


def line_game(name: str, rules: str) -> ListedLineGame:
    """Return the game of this name and rules. Raises UsageError that names the wrong line.

    Equal names and rules give the same game.

    >>> line_game("two", "board 2 1  # one line \\n 1 2").rules
    'board 2 1\\n1 2'
    """
    number = 1
    try:
        columns, rows, misere = 0, 0, False
        numbers: dict[tuple[int, ...], int] = {}
        for number, words in _numbered(rules):
            if not columns:
                columns, rows, misere = _board(words)
                continue
            line = _line(words, columns * rows)
            if line in numbers:
                raise UsageError(f"it has the squares of line {numbers[line]}")
            numbers[line] = number
        if not numbers:
            raise UsageError("no winning line follows" if columns else "the text is empty")
    except UsageError as error:
        raise UsageError(f"game {quoted(name)}, line {number}: {error}") from None
    return _line_game(name, columns, rows, tuple(numbers), misere)


def variant(name: str, misere: bool = False) -> ListedLineGame:
    """Return one of VARIANTS, or its misere.

    >>> squares_of(variant("tictactoe-corners").lines[-1])
    (5, 7, 8)
    """
    standard = tuple(tuple(s + 1 for s in squares_of(b)) for b in mnk_game(3, 3, 3).lines)
    lines = {
        "tictactoe-corners": standard + _CORNERS,
        "tictactoe-straight": standard[:6],
        "tictactoe-squares": standard + _SQUARES,
    }
    return _line_game(name + SUFFIX * misere, 3, 3, lines[name], misere)


def names_lines(name: str) -> bool:
    """Return whether a game's name is that of a file with its winning lines."""
    return name.startswith(FILE_PREFIX)


def load_lines(file: str) -> ListedLineGame:
    """Load the game ``lines:FILE`` from its file. Raises UsageError if the file is wrong."""
    name = FILE_PREFIX + file
    if not file.isprintable():
        raise UsageError(f"game {quoted(name)}: the file's name cannot be printed")
    with naming("game", name):
        content = read_bytes(file, MAX_RULES_BYTES)
    try:
        return line_game(name, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"game {quoted(name)}: the file is not UTF-8 text") from error


def _numbered(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of every line that has any, with its number."""
    for number, line in enumerate(text.splitlines(), start=1):
        if words := line.partition("#")[0].split():
            yield number, words


def _board(words: Sequence[str]) -> tuple[int, int, bool]:
    if len(words) in (3, 4) and words[0] == "board" and words[3:] in ([], [MISERE]):
        columns, rows = map(_number, words[1:3])
        if 1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE:
            return columns, rows, len(words) == 4
    raise UsageError(
        f"the first line is {quoted(' '.join(words))} and not 'board COLUMNS ROWS',"
        f" each of them 1 to {MAX_SIDE}, with or without {MISERE!r} after them"
    )


def _line(words: Sequence[str], squares: int) -> tuple[int, ...]:
    line = tuple(sorted(_square(word, squares) for word in words))
    if len(set(line)) < len(line):
        raise UsageError(f"a square of {quoted(' '.join(words))} is named twice")
    return line


def _square(word: str, squares: int) -> int:
    number = _number(word)
    if not 1 <= number <= squares:
        raise UsageError(f"{quoted(word)} is not a square: use 1 to {squares}")
    return number


def _number(word: str) -> int:
    """Return the number that a word spells, or 0 if it is not a number or has 10 digits or more."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else 0
