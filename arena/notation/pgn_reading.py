"""Read PGN game by game, from files of any size.

Variations, move numbers and signs such as ``!?`` and ``$1`` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from arena.errors import UsageError, quoted
from arena.notation.pgn import OUTCOMES, PgnGame

#: A line of more bytes is not PGN; other programs write a whole game on one line.
MAX_PGN_LINE_BYTES = 1 << 20
#: A game with more moves, or more characters of comments, is not one.
MAX_PGN_MOVES = 50_000
MAX_COMMENTS = 4 << 20

_TAG = re.compile(r'\[\s*(\w{1,255})\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
#: The beginning of a file that is PGN, whatever its name is.
_FIRST = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*[A-Za-z0-9_]+\s+"')
_RESULT = re.compile(r"1-0|0-1|1/2-1/2|\*")
_SKIPPED = re.compile(r"\d+\.+|\$\d+|[!?]+|\.+")
_TOKEN = re.compile(
    r"""\s+ | ;.* | [{}()] | \d+\.+ | \$\d+ | \* | [^\s;{}()]+""", re.VERBOSE | re.ASCII
)


class PgnError(UsageError):
    """A problem in a file, in the line of that number."""

    def __init__(self, problem: str, line: int) -> None:
        self.problem, self.line = problem, line
        super().__init__(f"line {line}: {problem}")


def is_pgn(name: str, beginning: bytes) -> bool:
    """Return whether a file of that name, which begins so, is PGN."""
    return name.lower().endswith(".pgn") or _FIRST.match(beginning) is not None


def read_pgn(file: BinaryIO) -> Iterator[PgnGame]:
    """Yield the games from where the file is, with the numbers of their lines from there.

    Raises PgnError for a file that is not PGN, or that ends within a game.
    """
    reader, number, offset = _PgnReader(), 0, file.tell()
    while raw := file.readline(MAX_PGN_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_PGN_LINE_BYTES:
            raise PgnError(f"is longer than {MAX_PGN_LINE_BYTES} bytes", number)
        yield from reader.read(_decoded(raw, number, not offset), number, offset)
        offset += len(raw)
    reader.end(number)


def _decoded(raw: bytes, number: int, is_first: bool) -> str:
    """Return the text of a line: UTF-8, or Latin-1, in which the specification has it."""
    if b"\0" in raw:
        raise PgnError("is not text", number)
    try:
        return raw.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class _PgnReader:
    """The game that is being read."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._line = self._offset = 0
        self._tags: dict[str, str] = {}
        self._moves: list[str] = []
        self._comments: list[tuple[int, str]] = []
        self._size = 0
        #: Where the comment began that is open, and its text so far.
        self._comment_line = 0
        self._comment: list[str] = []
        #: The variations that are open.
        self._depth = 0
        self._has_movetext = False

    def read(self, text: str, number: int, offset: int) -> Iterator[PgnGame]:
        """Take a line, and yield the games that end in it."""
        if not self._comment_line:
            if text.startswith("%"):  # an escape, for other programs
                return
            if text.lstrip().startswith("["):
                self._read_tags(text.strip(), number, offset)
                return
        if text.strip():
            self._begin(number, offset)
            yield from self._read_movetext(text, number, offset)

    def end(self, number: int) -> None:
        """Raise PgnError if the file ends within a game."""
        if self._comment_line:
            raise PgnError("the file ends in the comment that begins here", self._comment_line)
        if self._line:
            raise PgnError(f"the file ends after line {number} in the game here", self._line)

    def _begin(self, number: int, offset: int) -> None:
        if not self._line:
            self._line, self._offset = number, offset

    def _read_tags(self, text: str, number: int, offset: int) -> None:
        if self._has_movetext:
            raise PgnError("the game before this tag has no result at its end", number)
        self._begin(number, offset)
        index = 0
        while index < len(text):
            match = _TAG.match(text, index)
            if match is None:
                raise PgnError(f"{quoted(text[index:])} is not a tag", number)
            name, value = match.groups()
            self._grow(len(value), number)
            self._tags[name] = re.sub(r"\\(.)", r"\1", value)
            index = match.end()

    def _read_movetext(self, text: str, number: int, offset: int) -> Iterator[PgnGame]:
        index = 0
        while index < len(text):
            if self._comment_line:
                index = self._read_comment(text, index, number)
                continue
            match = _TOKEN.match(text, index)
            assert match is not None  # every character begins a token
            token, index = match.group(), match.end()
            if _RESULT.fullmatch(token) and not self._depth:
                yield self._finished(token)
            elif not token.isspace():
                self._begin(number, offset)
                self._take(token, number)

    def _take(self, word: str, number: int) -> None:
        self._has_movetext = True
        if word == "{":
            self._comment_line = number
        elif word == "(":
            self._depth += 1
        elif word == ")":
            if not self._depth:
                raise PgnError("a ) has no (", number)
            self._depth -= 1
        elif word == "}":
            raise PgnError("a } has no {", number)
        elif word.startswith(";"):
            self._grow(len(word), number)
            self._add_comment(word[1:])
        elif not self._depth and not _SKIPPED.fullmatch(word):
            if len(self._moves) == MAX_PGN_MOVES:
                raise PgnError(f"the game has more than {MAX_PGN_MOVES} moves", number)
            self._moves.append(word.rstrip("!?"))

    def _read_comment(self, text: str, index: int, number: int) -> int:
        """Read on in a comment, and return where it ends in this line."""
        end = text.find("}", index)
        self._comment.append(text[index:] if end < 0 else text[index:end])
        self._grow(len(self._comment[-1]), number)
        if end < 0:
            return len(text)
        self._comment_line = 0
        self._add_comment("".join(self._comment))
        self._comment = []
        return end + 1

    def _add_comment(self, text: str) -> None:
        if not self._depth and text.strip():
            self._comments.append((len(self._moves), " ".join(text.split())))

    def _grow(self, characters: int, number: int) -> None:
        self._size += characters
        if self._size > MAX_COMMENTS:
            raise PgnError("the tags and comments of the game are too long", number)

    def _finished(self, result: str) -> PgnGame:
        assert result in OUTCOMES
        game = PgnGame(
            self._tags, tuple(self._moves), tuple(self._comments), result, self._line, self._offset
        )
        self._clear()
        return game
