"""Show any positions of one game as a block with arrays, where their game has some.

:class:`arena.games.boards.PositionBatch` is the block of games whose rules are vectorised. The
rules of other games go on one position at a time. Some are a :class:`PlaneGame`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from arena.arrays import Bools, Ints
from arena.errors import UsageError
from arena.game import Position
from arena.games.boards import Boards, PositionBatch, has_boards, locked


@runtime_checkable
class PlaneGame(Protocol):
    """What a game has besides its rules to show its positions as arrays."""

    #: Its moves are the numbers from 0 to this less 1.
    move_count: int

    def planes(self, positions: Sequence[Any], /) -> tuple[Bools, Bools]:
        """Return the marks of the side to move and of the other.

        Each has a row for each position: shape (positions, squares), or (positions, kinds,
        squares) where there are several kinds of marks.
        """


class PositionPlanes(tuple[Position, ...]):
    """A block of positions of a :class:`PlaneGame`: a tuple with arrays.

    Each array is made when it is first asked for, and cannot be written.
    """

    @property
    def game(self) -> PlaneGame:
        """The game of all positions."""
        return cast("PlaneGame", self[0].game)

    @property
    def mine(self) -> Bools:
        """Where the side to move has marks: shape (positions, squares) at most games."""
        return self._planes[0]

    @property
    def theirs(self) -> Bools:
        """Where the other side has marks: the shape of ``mine``."""
        return self._planes[1]

    @cached_property
    def legal(self) -> Bools:
        """Which moves are legal: shape (positions, moves)."""
        legal = np.zeros((len(self), self.game.move_count), bool)
        for row, position in zip(legal, self, strict=True):
            row[list(position.legal_moves())] = True
        return cast("Bools", locked(legal))

    @cached_property
    def to_move(self) -> Ints:
        """The side to move, 0 or 1: shape (positions,)."""
        return cast("Ints", locked(np.array([int(p.to_move) for p in self], np.int64)))

    @cached_property
    def _planes(self) -> tuple[Bools, Bools]:
        mine, theirs = self.game.planes(self)
        return cast("tuple[Bools, Bools]", (locked(mine), locked(theirs)))


def block_of(positions: Iterable[Position]) -> Sequence[Position]:
    """Return positions of one game as ``choose_batch`` gets them: with arrays if the game has some.

    Raises UsageError without a position.

    >>> import arena
    >>> block = block_of([arena.get_game("hex-3").start()] * 2)
    >>> block.mine.shape, block.legal.shape
    ((2, 9), (2, 9))
    """
    positions = tuple(positions)
    if not positions:
        raise UsageError("a block has at least one position")
    game = positions[0].game
    if has_boards(game):
        boards = Boards.of(cast("Any", game), positions)
        return PositionBatch(boards, 0, len(boards))
    return PositionPlanes(positions) if isinstance(game, PlaneGame) else positions
