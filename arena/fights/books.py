"""Read books of openings: files of any length, with arena's own lines, EPD or PGN."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import BinaryIO, NamedTuple, overload

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, quoted
from arena.files import GONE, open_file
from arena.game import Game, Position
from arena.games.walk import walked
from arena.notation.pgn import PgnGame
from arena.notation.pgn_reading import PgnError, is_pgn, read_pgn

#: This many openings at the beginning of a book are checked before the first game, and refused if
#: one is there twice. Later ones are checked when they are read.
MAX_CHECKED = 100_000

#: Lines of more bytes are not openings.
MAX_BOOK_LINE_BYTES = 1 << 16

#: Places in the file that are noted, so that an opening is found without reading all before it.
MAX_MARKS = 1 << 16

_BOM = b"\xef\xbb\xbf"


class _BookOpening(NamedTuple):
    """An opening in a file: its line from where the reader began, its byte, and its text."""

    line: int
    offset: int
    text: str | PgnGame


class Book(Sequence[Position]):
    """The openings of a file by their order. Only the last one read is in memory.

    The whole file is read once. Raises UsageError, with the file's name, for whatever is wrong with
    it, also later if it has changed since.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        try:
            self._path = os.path.abspath(name)
        except FileNotFoundError as error:
            raise self._refusal(GONE) from error
        #: Where in the file every opening begins whose number is a multiple of the stride: the
        #: byte, and the number of the line.
        self._marks, self._lines = array("Q"), array("Q")
        self._stride = 1
        self._count = 0
        self._last: tuple[int, Position] | None = None
        with self._open() as file:
            self._state = _state_of(file)
            self._is_pgn = is_pgn(name, file.read(MAX_BOOK_LINE_BYTES))
            file.seek(0)
            self._index(file)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Position]:
        with self._reopen() as file:
            for entry in self._entries(file):
                yield self._position_of(entry, 0)

    @overload
    def __getitem__(self, index: int) -> Position: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Position]: ...

    def __getitem__(self, index: int | slice) -> Position | Sequence[Position]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if self._last is None or self._last[0] != number:
            self._last = number, self._read(number)
        return self._last[1]

    def _read(self, number: int) -> Position:
        mark, further = divmod(number, self._stride)
        with self._reopen() as file:
            file.seek(self._marks[mark])
            for index, entry in enumerate(self._entries(file)):
                if index == further:
                    return self._position_of(entry, self._lines[mark] - 1)
        raise self._refusal("has changed since it was read")

    def _open(self) -> BinaryIO:
        try:
            return open_file(self._path, most=None)
        except UsageError as error:
            hint = " (it is a file, random:PLIES, all:PLIES or starts)"
            missing = str(error).startswith("there is no ")
            raise self._refusal(f"{error}{hint * missing}") from error

    def _reopen(self) -> BinaryIO:
        file = self._open()
        if _state_of(file) != self._state:
            file.close()
            raise self._refusal("has changed since it was read")
        return file

    def _index(self, file: BinaryIO) -> None:
        """Read the whole book: mark where openings are, and refuse one that is wrong."""
        lines: dict[bytes, int] = {}
        for entry in self._entries(file):
            self._mark(entry)
            if self._count <= MAX_CHECKED:
                position = str(self._position_of(entry, 0))
                key = blake2b(position.encode(), digest_size=16).digest()
                same = lines.setdefault(key, entry.line)
                if same != entry.line:
                    opening = quoted(entry.text if isinstance(entry.text, str) else position)
                    raise self._refusal(f"{opening} is the opening of line {same}", entry.line)
        if not self._count:
            raise self._refusal("there is none in the file")

    def _position_of(self, entry: _BookOpening, lines_before: int) -> Position:
        """Return the position of an opening. Raises UsageError for one that is wrong."""
        line = lines_before + entry.line
        try:
            position = position_of(entry.text, self.game)
        except (PositionError, IllegalMove, MoveError) as error:
            raise self._refusal(str(error), line) from error
        if position.outcome() is not None:
            text = entry.text if isinstance(entry.text, str) else str(position)
            raise self._refusal(f"the game is over in {quoted(text)}", line)
        return position

    def _mark(self, entry: _BookOpening) -> None:
        """Note where an opening is. Of too many marks, every second one is enough."""
        if self._count % self._stride == 0:
            if len(self._marks) == MAX_MARKS:
                self._marks, self._lines = self._marks[::2], self._lines[::2]
                self._stride *= 2
            if self._count % self._stride == 0:
                self._marks.append(entry.offset)
                self._lines.append(entry.line)
        self._count += 1

    def _entries(self, file: BinaryIO) -> Iterator[_BookOpening]:
        """Yield the openings from where the file is, with the numbers of their lines from there."""
        if not self._is_pgn:
            yield from self._unread_lines(file)
            return
        try:
            for game in read_pgn(file):
                yield _BookOpening(game.line, game.offset, game)
        except PgnError as error:
            raise self._refusal(error.problem, error.line) from error

    def _unread_lines(self, file: BinaryIO) -> Iterator[_BookOpening]:
        number, offset = 0, file.tell()
        while raw := file.readline(MAX_BOOK_LINE_BYTES + 1):
            number += 1
            text = raw.removeprefix(_BOM) if not offset else raw
            if len(raw) > MAX_BOOK_LINE_BYTES:
                raise self._refusal(f"is longer than {MAX_BOOK_LINE_BYTES} bytes", number)
            try:
                line = text.decode("utf-8").strip()
            except UnicodeDecodeError as error:
                raise self._refusal("is not UTF-8", number) from error
            if line and not line.startswith("#"):
                yield _BookOpening(number, offset, line)
            offset += len(raw)

    def _refusal(self, problem: str, line: int = 0) -> UsageError:
        where = f", line {line}" if line else ""
        return UsageError(f"openings {quoted(self.name)}{where}: {problem}")


def _state_of(file: BinaryIO) -> tuple[int, ...]:
    """Return what is another number if a file's content is another, most probably."""
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def position_of(opening: str | PgnGame, game: Game) -> Position:
    """Return the position that a line describes, or that moves lead to.

    Raises PositionError, MoveError or IllegalMove for another text.
    """
    if isinstance(opening, str):
        try:
            return game.parse(opening)
        except PositionError:
            try:
                moves = [game.parse_move(word) for word in opening.split()]
            except MoveError:
                moves = []
            if not moves:
                raise
        return walked(game.start(), moves)
    if opening.game != game.name:
        raise PositionError(f"it is a game of {quoted(opening.game)}, not of {game.name}")
    position = opening.begin(game)
    for text in opening.moves:
        position = position.play(position.read_move(text))
    return position
