"""Many boards of one game at once, as NumPy arrays: m,n,k, connect, and their variants.

:class:`Boards` has the rules: which moves are legal, the boards after a move each, who has won. A
side's marks are a bitboard of as many 64-bit words as the board needs, and one bit that is never
set. Players see the same boards as planes, one value a square in reading order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Bools, Ints
from arena.dataclass import dataclass
from arena.game import Game, Position
from arena.games.board import WORD_BITS, squares_of
from arena.games.connect4 import ConnectGame
from arena.games.line_game import has_line_rules
from arena.games.mnk import MnkGame

Words = NDArray[np.uint64]
BatchedGame = MnkGame | ConnectGame

#: A word is little-endian on every machine, so that its bytes are in order.
_DTYPE = np.dtype("<u8")
_MASK = (1 << WORD_BITS) - 1


def has_boards(game: Game) -> bool:
    """Return whether :class:`Boards` knows the rules of a game."""
    return has_line_rules(game)


class _RuleTables:
    """The rules of a game as tables. :func:`_rules_of` makes them once for each game."""

    def __init__(self, game: BatchedGame) -> None:
        falls = isinstance(game, ConnectGame)
        #: How many bits follow from a column to the next, 0 where nothing falls.
        self.stride = game.rows + 1 if falls else 0
        self.bits = self.stride * game.columns if falls else game.max_plies
        self.words = self.bits // WORD_BITS + 1
        self.moves = game.columns if falls else game.max_plies
        #: The bit of every square in reading order; None where they are the same.
        self.reading = np.array(game.reading_order) if isinstance(game, ConnectGame) else None
        #: The bitboard of each bit: shape (words, bits).
        self.one = self.board([1 << bit for bit in range(self.bits)])
        through: list[list[int]] = [[] for _ in range(self.bits)]
        for line in game.lines:
            for bit in squares_of(line):
                through[bit].append(line)
        most = max(map(len, through))
        never = 1 << self.bits  # neither side ever holds that bit
        #: Lines through each bit, one after the other: arrays of shape (words, bits).
        self.lines = [
            self.board([own[index] if index < len(own) else never for own in through])
            for index in range(most)
        ]

    def board(self, boards: Sequence[int]) -> Words:
        """Return bitboards as words: shape (words, boards)."""
        words = [[b >> WORD_BITS * w & _MASK for b in boards] for w in range(self.words)]
        return np.array(words, _DTYPE)


@cache
def _rules_of(game: BatchedGame) -> _RuleTables:
    return _RuleTables(game)


@dataclass(frozen=True)
class Boards:
    """Some boards of one game, which do not change. Arrays have the boards along one axis.

    >>> from arena.games.mnk import mnk_game
    >>> boards = Boards.start(mnk_game(3, 3, 3), 2).play(np.array([4, 0]))
    >>> [str(boards[i]) for i in range(2)]
    ['____x____', 'x________']
    """

    game: BatchedGame
    #: Bitboards of the side to move and of the other one: each of shape (words, boards).
    own: Words
    other: Words
    #: Numbers of marks on each board: shape (boards,).
    plies: Ints
    #: Whether the last move completed a line: shape (boards,).
    has_line: Bools

    @classmethod
    def start(cls, game: BatchedGame, number: int) -> Self:
        """Return as many empty boards."""
        nothing = np.zeros((_rules_of(game).words, number), _DTYPE)
        return cls(game, nothing, nothing, np.zeros(number, np.int64), np.zeros(number, bool))

    @classmethod
    def of(cls, game: BatchedGame, positions: Sequence[Any]) -> Self:
        """Return the boards of these positions."""
        rules = _rules_of(game)
        boards = [(p.second, p.first) if p.to_move else (p.first, p.second) for p in positions]
        mine, theirs = (rules.board([both[side] for both in boards]) for side in (0, 1))
        plies = np.array([position.ply for position in positions], np.int64)
        lined = [game.has_line(both[1]) for both in boards]
        return cls(game, mine, theirs, plies, np.array(lined, bool))

    @classmethod
    def joined(cls, parts: Sequence[Boards]) -> Self:
        """Return the boards of several of one game together, in their order. There is at least
        one.
        """
        mine, theirs = (
            np.concatenate([getattr(p, name) for p in parts], axis=1) for name in ("own", "other")
        )
        plies = np.concatenate([part.plies for part in parts])
        lined = np.concatenate([part.has_line for part in parts])
        return cls(parts[0].game, mine, theirs, plies, lined)

    def __len__(self) -> int:
        return len(self.plies)

    def __getitem__(self, index: int) -> Position:
        """Return one board as a position of the game."""
        mine, theirs = (
            sum(int(word) << WORD_BITS * w for w, word in enumerate(board[:, index]))
            for board in (self.own, self.other)
        )
        first, second = (theirs, mine) if self.plies[index] & 1 else (mine, theirs)
        position: Any = type(self.game.start())
        return cast("Position", position(self.game, first, second))

    @property
    def to_move(self) -> Ints:
        """The sides whose turn it is, 0 or 1: shape (boards,)."""
        return self.plies & 1

    @cached_property
    def mine(self) -> Bools:
        """Where the side to move has marks: shape (boards, squares), in reading order."""
        return self._planes(self.own)

    @cached_property
    def theirs(self) -> Bools:
        """Where the other side has marks: shape (boards, squares), in reading order."""
        return self._planes(self.other)

    @cached_property
    def legal(self) -> Bools:
        """Which moves are legal, none on a board that is over: shape (boards, moves)."""
        occupied = self.mine | self.theirs
        free = ~occupied[:, : _rules_of(self.game).moves]  # of columns, the top row is the first
        over = self.is_over
        if over.any():
            free[over] = False
        return free

    @cached_property
    def is_over(self) -> Bools:
        """Which boards are the ends of games: shape (boards,)."""
        return np.asarray(self.has_line | (self.plies == self.game.max_plies))

    @property
    def points(self) -> NDArray[np.int8]:
        """Twice the first side's points on boards that are over: 2, 1 or 0, in the shape (boards,).

        On the others it is 1.
        """
        won = (self.plies - 1 + self.game.misere & 1).astype(np.int8)  # 0 for the first side
        return np.where(self.has_line, 2 - 2 * won, 1).astype(np.int8)

    def is_legal(self, moves: Ints) -> Bools:
        """Return whether each move, any integer, is legal on its board: shape (boards,)."""
        is_move = (moves >= 0) & (moves < _rules_of(self.game).moves)
        return is_move & self.legal[np.arange(len(self)), np.where(is_move, moves, 0)]

    def play(self, moves: Ints) -> Self:
        """Return the boards after a move on each, which must be legal: shape (boards,)."""
        rules = _rules_of(self.game)
        bits = self._landings(moves) if rules.stride else moves
        moved = self.own | rules.one.take(bits, axis=1)
        lined = np.zeros(len(self), bool)
        for lines in rules.lines:
            line = lines.take(bits, axis=1)
            held = moved & line == line
            lined |= held[0] if rules.words == 1 else held.all(axis=0)
        return type(self)(self.game, self.other, moved, self.plies + 1, lined)

    def take(self, which: Ints) -> Self:
        """Return the boards of these numbers, in that order."""
        mine, theirs = self.own.take(which, axis=1), self.other.take(which, axis=1)
        return type(self)(self.game, mine, theirs, self.plies[which], self.has_line[which])

    def _landings(self, columns: Ints) -> Ints:
        """Return the bits at which discs land that fall into these columns."""
        stride = _rules_of(self.game).stride
        occupied = self._unpacked(self.own | self.other).reshape(len(self), -1, stride)
        height = occupied[np.arange(len(self)), columns].sum(axis=1, dtype=np.int64)
        return np.asarray(columns * stride + height)

    def _planes(self, board: Words) -> Bools:
        reading = _rules_of(self.game).reading
        planes = self._unpacked(board)
        return (planes if reading is None else planes.take(reading, axis=1)).view(np.bool_)

    def _unpacked(self, board: Words) -> NDArray[np.uint8]:
        """Return bitboards as bytes 0 and 1: shape (boards, bits)."""
        octets = np.ascontiguousarray(board.T).view(np.uint8)
        count = _rules_of(self.game).bits
        return np.unpackbits(octets, axis=1, count=count, bitorder="little")


class PositionBatch(Sequence[Position]):
    """A block of boards as a player sees it, in arrays that cannot be written. It is a sequence,
    too.
    """

    __slots__ = ("_boards", "_start", "game", "legal", "mine", "theirs", "to_move")

    def __init__(self, boards: Boards, start: int, stop: int) -> None:
        self._boards, self._start = boards, start
        #: The game of all boards.
        self.game = boards.game
        #: Marks of the side to move and of the other one: bools of shape (positions, squares).
        self.mine = locked(boards.mine)[start:stop]
        self.theirs = locked(boards.theirs)[start:stop]
        #: Legal moves: bools of shape (positions, moves).
        self.legal = locked(boards.legal)[start:stop]
        #: The side to move, 0 or 1: ints of shape (positions,).
        self.to_move = locked(boards.to_move)[start:stop]

    @property
    def boards(self) -> Boards:
        """The boards of the block."""
        return self._boards.take(self._start + np.arange(len(self)))

    def __len__(self) -> int:
        return len(self.mine)

    def __getitem__(self, index: Any) -> Any:
        """Return one position, or several as a tuple."""
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return self._boards[self._start + range(len(self))[index]]

    def __iter__(self) -> Iterator[Position]:
        return (self._boards[self._start + index] for index in range(len(self)))


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, which nobody can write any more."""
    owner: Any = array
    while isinstance(owner, np.ndarray):  # the owner of the memory could unlock it
        owner.flags.writeable = False
        owner = owner.base
    return array
