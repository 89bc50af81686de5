"""Read books of openings: files of any length, with one opening per line."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, overload

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, quoted
from arena.files import GONE, open_file
from arena.game import Game, Position

#: So many different openings of a book are remembered, to refuse one that is there twice.
MAX_REMEMBERED = 100_000

#: Lines of more bytes are not openings.
MAX_LINE = 1 << 16

#: Places in the file that are noted, so that an opening is found without reading all before it.
MAX_MARKS = 1 << 16

_BOM = b"\xef\xbb\xbf"


class Book(Sequence[Position]):
    """The openings of a file by their order. Only the last one read is in memory.

    The whole file is read and checked once. Raises UsageError, with the file's name, for whatever
    is wrong with it, also later if it has changed since.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        try:
            self._path = os.path.abspath(name)
        except FileNotFoundError as error:
            raise self._refusal(GONE) from error
        #: Where in the file every opening begins whose number is a multiple of the stride.
        self._marks = array("Q")
        self._stride = 1
        self._count = 0
        self._last: tuple[int, Position] | None = None
        with self._open() as file:
            self._state = _state_of(file)
            self._check(file)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Position]:
        with self._reopen() as file:
            for _, line in self._openings(file):
                yield _position(line, self.game)

    @overload
    def __getitem__(self, index: int) -> Position: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Position]: ...

    def __getitem__(self, index: int | slice) -> Position | Sequence[Position]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if self._last is None or self._last[0] != number:
            self._last = number, _position(self._line(number), self.game)
        return self._last[1]

    def _line(self, number: int) -> str:
        mark, further = divmod(number, self._stride)
        with self._reopen() as file:
            file.seek(self._marks[mark])
            for at, (_, line) in enumerate(self._openings(file)):
                if at == further:
                    return line
        raise self._refusal("has changed since it was read")

    def _open(self) -> BinaryIO:
        try:
            return open_file(self._path, most=None)
        except UsageError as error:
            hint = " (it is a file, random:PLIES or all:PLIES)"
            missing = str(error) == "there is no such file"
            raise self._refusal(f"{error}{hint * missing}") from error

    def _reopen(self) -> BinaryIO:
        file = self._open()
        if _state_of(file) != self._state:
            file.close()
            raise self._refusal("has changed since it was read")
        return file

    def _check(self, file: BinaryIO) -> None:
        """Read the whole book: mark where openings are, and refuse one that is wrong."""
        known: dict[Position, int] = {}
        for number, line in self._openings(file, self._mark):
            position = self._checked(number, line)
            if position in known:
                same = f"{quoted(line)} is the opening of line {known[position]}"
                raise self._refusal(same, number)
            if len(known) < MAX_REMEMBERED:
                known[position] = number
        if not self._count:
            raise self._refusal("there is none in the file")

    def _checked(self, number: int, line: str) -> Position:
        try:
            position = _position(line, self.game)
        except (PositionError, IllegalMove) as error:
            raise self._refusal(str(error), number) from error
        if position.outcome() is not None:
            raise self._refusal(f"the game is over in {quoted(line)}", number)
        return position

    def _mark(self, offset: int) -> None:
        """Note where the next opening is; of too many marks, every second one is enough."""
        if self._count % self._stride == 0:
            if len(self._marks) == MAX_MARKS:
                self._marks = self._marks[::2]
                self._stride *= 2
            if self._count % self._stride == 0:
                self._marks.append(offset)
        self._count += 1

    def _openings(
        self, file: BinaryIO, mark: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, str]]:
        """Yield the openings from where the file is, with the numbers of their lines from there."""
        number, offset = 0, file.tell()
        while raw := file.readline(MAX_LINE + 1):
            number += 1
            text = raw.removeprefix(_BOM) if not offset else raw
            if len(raw) > MAX_LINE:
                raise self._refusal(f"is longer than {MAX_LINE} bytes", number)
            try:
                line = text.decode("utf-8").strip()
            except UnicodeDecodeError as error:
                raise self._refusal("is not UTF-8", number) from error
            if line and not line.startswith("#"):
                if mark is not None:
                    mark(offset)
                yield number, line
            offset += len(raw)

    def _refusal(self, problem: str, line: int = 0) -> UsageError:
        where = f", line {line}" if line else ""
        return UsageError(f"openings {quoted(self.name)}{where}: {problem}")


def _state_of(file: BinaryIO) -> tuple[int, ...]:
    """Return what is another number if a file's content is another, most probably."""
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _position(line: str, game: Game) -> Position:
    """Return the position that a line describes, or that its moves lead to."""
    try:
        return game.parse(line)
    except PositionError:
        try:
            moves = [game.parse_move(word) for word in line.split()]
        except MoveError:
            moves = []
        if not moves:
            raise
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position
