"""Know the rules of games of lines for arrays of positions.

A position is a key of 64 bits. Where marks go anywhere it is ``first << squares | second``. Where
discs fall it is the first side's discs and one more bit in each column, on top of its discs, in the
layout of :mod:`arena.games.connect4`. Arrays have the shape (positions,) and the type ``uint64``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import reduce
from typing import cast

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.game import Game, Position
from arena.games.connect4 import ConnectGame, ConnectPosition
from arena.games.line_game import has_keys
from arena.games.mnk import MnkGame, MnkPosition, byte_images

Where = NDArray[np.bool_]


class Arrays(ABC):
    """The rules of one game, for arrays of keys."""

    misere: bool

    @abstractmethod
    def key(self, position: Position) -> int:
        """Return the key of a position."""

    @abstractmethod
    def bitboards(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the bitboards of the two sides."""

    @abstractmethod
    def after(self, keys: Keys, side: int) -> Iterator[tuple[int, Where, Keys]]:
        """Yield each move, where a side can make it, and the keys after it there."""

    @abstractmethod
    def has_line(self, bits: Keys) -> Where:
        """Return where a bitboard holds a line."""

    @abstractmethod
    def can_line(self, against: Keys) -> Where:
        """Return where some line holds none of these squares."""

    @abstractmethod
    def images(self, keys: Keys) -> Iterator[Keys]:
        """Yield the keys of the positions' images under each symmetry of the game but identity."""

    def canonical(self, keys: Keys) -> Keys:
        """Return the least key among the images of each position."""
        return reduce(np.minimum, self.images(keys), keys)

    def lined(self, keys: Keys, side: int) -> Where:
        """Return where a side has a line."""
        return self.has_line(self.bitboards(keys)[side])

    def dead(self, keys: Keys) -> Where:
        """Return where no side can complete a line any more."""
        first, second = self.bitboards(keys)
        return ~(self.can_line(first) | self.can_line(second))


class MarkArrays(Arrays):
    """Rules under which a mark takes any free square."""

    def __init__(self, game: MnkGame) -> None:
        self.misere, self._squares = game.misere, game.squares
        self._lines = np.array(game.lines, np.uint64)
        self._full = np.uint64(game.full)
        #: For each symmetry, where each byte of a bitboard goes.
        self._images = [
            [np.array(table, np.uint64) for table in byte_images(symmetry)]
            for symmetry in game.symmetries[1:]
        ]

    def key(self, position: Position) -> int:
        """Return the first side's bitboard before the second's."""
        assert isinstance(position, MnkPosition)
        return position.first << self._squares | position.second

    def bitboards(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the two halves."""
        return keys >> np.uint64(self._squares), keys & self._full

    def after(self, keys: Keys, side: int) -> Iterator[tuple[int, Where, Keys]]:
        """Yield every square that is free somewhere."""
        first, second = self.bitboards(keys)
        for square in range(self._squares):
            bit = np.uint64(1 << square)
            free = (first | second) & bit == 0
            if free.any():
                move = bit if side else bit << np.uint64(self._squares)
                yield square, free, keys[free] | move

    def has_line(self, bits: Keys) -> Where:
        """Return where any line is held."""
        is_line = np.zeros(len(bits), bool)
        for line in self._lines:
            is_line |= bits & line == line
        return is_line

    def can_line(self, against: Keys) -> Where:
        """Return where any line is free of them."""
        is_free = np.zeros(len(against), bool)
        for line in self._lines:
            is_free |= against & line == 0
        return is_free

    def images(self, keys: Keys) -> Iterator[Keys]:
        """Yield the rotations and reflections that keep the lines."""
        first, second = self.bitboards(keys)
        for tables in self._images:
            yield _image(first, tables) << np.uint64(self._squares) | _image(second, tables)


class DiscArrays(Arrays):
    """Rules under which a disc falls to the lowest free square of its column."""

    def __init__(self, game: ConnectGame) -> None:
        self.misere, self._k = game.misere, game.k
        self._rows, self._column = game.rows, [np.uint64(column) for column in game.column]
        self._bottom, self._full = np.uint64(game.bottom), np.uint64(game.full)
        self._above = np.uint64(game.full << 1)

    def key(self, position: Position) -> int:
        """Return the first side's discs, and the bits on top."""
        assert isinstance(position, ConnectPosition)
        first, second = position.first, position.second
        return first | (first | second) + position.game.bottom

    def bitboards(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the two sides' discs below the bits on top."""
        occupied = self._below(keys)
        return keys & occupied, ~keys & occupied

    def after(self, keys: Keys, side: int) -> Iterator[tuple[int, Where, Keys]]:
        """Yield every column with room somewhere."""
        tops = self._below(keys) + self._bottom & self._full
        for move, column in enumerate(self._column):
            landing = tops & column
            room = landing != 0
            if room.any():
                # A disc of the first side stays where the bit on top was, and that is one higher.
                yield move, room, keys[room] + (landing[room] << np.uint64(1 - side))

    def has_line(self, bits: Keys) -> Where:
        """Return where k in a row are held in some direction."""
        is_line = np.zeros(len(bits), bool)
        for step in (1, self._rows, self._rows + 1, self._rows + 2):
            held = bits
            for i in range(1, self._k):
                held = held & bits >> np.uint64(i * step)
            is_line |= held != 0
        return is_line

    def can_line(self, against: Keys) -> Where:
        """Return where the other squares, all filled, hold a line."""
        return self.has_line(self._full & ~against)

    def images(self, keys: Keys) -> Iterator[Keys]:
        """Yield the mirror images."""
        stride = np.uint64(self._rows + 1)
        image, rest, column = np.zeros_like(keys), keys, np.uint64((1 << self._rows + 1) - 1)
        for _ in self._column:
            image = image << stride | rest & column
            rest = rest >> stride
        yield image

    def _below(self, keys: Keys) -> Keys:
        """Return all squares below the bits on top."""
        one = np.uint64(1)
        below = (keys & self._above) >> one
        for _ in range(self._rows - 1):
            below |= (below & self._above) >> one
        return below


def arrays_of(game: Game) -> Arrays | None:
    """Return the rules of a game for arrays, or None for another kind, or too many squares."""
    if not has_keys(game):
        return None
    return DiscArrays(game) if isinstance(game, ConnectGame) else MarkArrays(cast("MnkGame", game))


def _image(bits: Keys, tables: list[Keys]) -> Keys:
    image = np.zeros_like(bits)
    for number, table in enumerate(tables):
        byte = bits >> np.uint64(8 * number) & np.uint64(len(table) - 1)
        image |= table[byte.astype(np.intp)]
    return image
