"""Know the rules of games of lines for whole arrays of positions.

A position is a key of 64 bits, as docs/certificates.md defines it. A bitboard has the bits that the
game's own positions have. Arrays have the shape (positions,) and the type ``uint64``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.game import Game, Position
from arena.games.board import WORD_BITS
from arena.games.connect4 import ConnectGame, ConnectPosition
from arena.games.line_game import has_keys
from arena.games.mnk import MnkGame, MnkPosition

#: Positions that are looked at together: few enough for the cache.
BLOCK_POSITIONS = 1 << 14


class KeyRules(ABC):
    """The rules of one game, for arrays of keys."""

    def __init__(self, full: int, misere: bool, moves: int) -> None:
        self.full, self.misere = np.uint64(full), misere
        #: The number of different moves.
        self.moves = moves

    @abstractmethod
    def key(self, position: Position) -> int:
        """Return the key of a position."""

    @abstractmethod
    def position(self, key: int) -> Position:
        """Return the position of a key."""

    @abstractmethod
    def split(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the bitboards of the first side's squares, and of all taken ones."""

    @abstractmethod
    def landings(self, occupied: Keys) -> Keys:
        """Return the squares that a move can take."""

    @abstractmethod
    def landing(self, occupied: Keys, moves: Keys) -> Keys:
        """Return the square that each move takes, or 0 for a number that is not a legal move."""

    @abstractmethod
    def played(self, keys: Keys, squares: Keys, side: int) -> Keys:
        """Return the keys after a side has taken one square at each."""

    @abstractmethod
    def completing(self, bits: Keys) -> Keys:
        """Return the squares outside each bitboard that complete a line with it, taken or not."""

    @abstractmethod
    def each_move(self, squares: Keys) -> Iterator[Keys]:
        """Yield for each move, ascending, the square of these that it takes, or 0 for none."""

    def ending(self, keys: Keys, side: int) -> Keys:
        """Return the squares with which the side to move completes a line."""
        first, occupied = self.split(keys)
        return self.completing(first ^ occupied if side else first) & self.landings(occupied)

    def winning(self, keys: Keys, side: int) -> Keys:
        """Return the squares with which the side to move wins at once."""
        return keys ^ keys if self.misere else self.ending(keys, side)

    def safe(self, keys: Keys, side: int) -> Keys:
        """Return the squares of the safe moves of a side that cannot win at once.

        After a safe move the game is not lost, and the opponent cannot win at once.
        """
        first, occupied = self.split(keys)
        mine, theirs = (first ^ occupied, first) if side else (first, first ^ occupied)
        free = self.landings(occupied)
        if self.misere:
            return free & ~self.completing(mine)
        threats = self.completing(theirs)
        direct = free & threats
        safe = np.where(direct != 0, direct, free)
        safe[several(direct)] = 0
        return safe & ~self.under(threats)

    def replies(self, keys: Keys, side: int) -> tuple[Keys, Keys]:
        """Return the squares of all moves of a side that cannot win at once.

        The second array has those after which it has lost: under misere play they make a line.
        """
        free = self.landings(self.split(keys)[1])
        losing = self.ending(keys, side) if self.misere else free ^ free
        return free ^ losing, losing

    def under(self, squares: Keys) -> Keys:
        """Return the squares below, or none where discs do not fall."""
        return squares ^ squares


class MarkBoards(KeyRules):
    """Keys of games in which a mark takes any free square: m,n,k and other lines."""

    def __init__(self, game: MnkGame) -> None:
        super().__init__(game.full, game.misere, game.squares)
        self.game = game

    def key(self, position: Position) -> int:
        """Return the first side's squares in the upper half, the second side's in the lower."""
        assert isinstance(position, MnkPosition)
        return position.first << self.game.squares | position.second

    def position(self, key: int) -> Position:
        """Return the position of a key."""
        game = self.game
        return type(game.start())(game, key >> game.squares, key & game.full)

    def split(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the bitboards of the first side's squares, and of all taken ones."""
        first = keys >> np.uint64(self.game.squares)
        return first, first | keys & self.full

    def landings(self, occupied: Keys) -> Keys:
        """Return the free squares."""
        return occupied ^ self.full

    def landing(self, occupied: Keys, moves: Keys) -> Keys:
        """Return the bit of the square if it is free."""
        squares = np.uint64(1) << np.minimum(moves, np.uint64(WORD_BITS - 1))
        return squares & ~occupied & self.full

    def played(self, keys: Keys, squares: Keys, side: int) -> Keys:
        """Return the keys with the squares in the half of the side."""
        return keys | (squares if side else squares << np.uint64(self.game.squares))

    def completing(self, bits: Keys) -> Keys:
        """Return the missing square of every line that lacks one."""
        missing_squares = np.zeros_like(bits)
        for line in self.game.lines:
            missing = ~bits & np.uint64(line)
            missing[several(missing)] = 0
            missing_squares |= missing
        return missing_squares

    def each_move(self, squares: Keys) -> Iterator[Keys]:
        """Yield the squares by number."""
        return (squares & np.uint64(1 << square) for square in range(self.game.squares))


class DiscBoards(KeyRules):
    """Keys of games in which discs fall.

    A key is the first side's discs, with one more bit in each column: on top of its discs.
    """

    def __init__(self, game: ConnectGame) -> None:
        super().__init__(game.full, game.misere, game.columns)
        self.game = game
        self.bottom = np.uint64(game.bottom)
        self.columns = np.array(game.column, np.uint64)

    def key(self, position: Position) -> int:
        """Return the first side's discs and the bits on top."""
        assert isinstance(position, ConnectPosition)
        return position.first | (position.first | position.second) + self.game.bottom

    def position(self, key: int) -> Position:
        """Return the position of a key."""
        first, occupied = (int(bits[0]) for bits in self.split(np.array([key], np.uint64)))
        return type(self.game.start())(self.game, first, first ^ occupied)

    def split(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return the bitboards of the first side's squares, and of all taken ones."""
        upper = self.full << np.uint64(1)  # all rows but the lowest: no bit leaves its column
        below = keys & upper
        occupied = np.zeros_like(keys)
        for _ in range(self.game.rows):
            below = below >> np.uint64(1)
            occupied |= below
            below &= upper
        return keys & occupied, occupied

    def landings(self, occupied: Keys) -> Keys:
        """Return the lowest free square of every column that has one."""
        return occupied + self.bottom & self.full

    def landing(self, occupied: Keys, moves: Keys) -> Keys:
        """Return the lowest free square of the column of that number."""
        columns = self.columns[np.minimum(moves, np.uint64(self.game.columns - 1))]
        columns[moves >= self.game.columns] = 0
        return self.landings(occupied) & columns

    def played(self, keys: Keys, squares: Keys, side: int) -> Keys:
        """Return the keys with the bits on top one higher. A disc of the first side stays."""
        return keys + (squares if side else squares << np.uint64(1))

    def completing(self, bits: Keys) -> Keys:
        """Return the squares that complete k in a row: j below them and k - 1 - j above."""
        game, squares = self.game, np.zeros_like(bits)
        for step in map(np.uint64, (1, game.rows, game.rows + 1, game.rows + 2)):
            # The squares with 0, 1, ... of the bits in a row below them, and above them.
            below: list[Any] = [self.full]
            above: list[Any] = [self.full]
            for _ in range(game.k - 1):
                below.append((below[-1] & bits) << step)
                above.append((above[-1] & bits) >> step)
            for before, after in zip(below, reversed(above), strict=True):
                squares |= before & after
        return squares & self.full & ~bits

    def each_move(self, squares: Keys) -> Iterator[Keys]:
        """Yield the squares by column."""
        return (squares & column for column in self.columns)

    def under(self, squares: Keys) -> Keys:
        """Return the squares below in their columns."""
        return squares >> np.uint64(1)


def several(squares: Keys) -> NDArray[np.bool_]:
    """Return where there are two squares or more."""
    is_several: NDArray[np.bool_] = (squares & (squares - np.uint64(1))) != 0
    return is_several


def key_rules_of(game: Game) -> KeyRules | None:
    """Return the rules of the game for arrays, or None if it is another kind or too large."""
    if not has_keys(game):
        return None
    return DiscBoards(game) if isinstance(game, ConnectGame) else MarkBoards(cast("MnkGame", game))
