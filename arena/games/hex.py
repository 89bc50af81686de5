"""Hex: x connects the top of a rhombus with its bottom, o the left with the right.

A game never ends as a draw: a full board has exactly one of the two connections (Nash). The side
that moves first has the better of it. Arena plays each pair of games in both orders, so there is
not a swap. A move is a square, counted from 0 in reading order. Its text is a column's letter and a
row's number, ``a1`` in the top left corner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Self

from arena.errors import IllegalMove, UsageError, numeral, quoted
from arena.game import WIN_FOR, Outcome, Side
from arena.games.board import (
    BoardPosition,
    SquareBoardGame,
    check_counts,
    check_end,
)

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram

#: Longest side of a board.
MAX_HEX_SIDE = 19


class HexPosition(BoardPosition["Hex"]):
    """A position of hex: the bitboards ``first`` and ``second``."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the free squares, ascending, or none when the game is over."""
        if self.outcome() is not None:
            return ()
        occupied = self.first | self.second
        return tuple(s for s, bit in enumerate(self.game.bits) if not bit & occupied)

    def play(self, move: int) -> Self:
        """Return the position after the side to move puts a stone on the square."""
        game, first, second = self
        bit = game.bits[move] if 0 <= move < len(game.bits) else 0
        if not bit or bit & (first | second) or self.outcome() is not None:
            raise IllegalMove(f"move {quoted(numeral(move))} is not legal in {str(self)!r}")
        if self.to_move:
            return type(self)(game, first, second | bit)
        return type(self)(game, first | bit, second)

    def outcome(self) -> Outcome | None:
        """Return the side whose stones connect its two edges."""
        last = self.to_move.other
        stones = self.second if last else self.first
        return WIN_FOR[last] if self.game.connects(last, stones) else None

    def plies_to_win(self, side: Side) -> int:
        """Return the side's turns until it can have put the fewest stones that connect."""
        mine, theirs = (self.second, self.first) if side else (self.first, self.second)
        return 2 * self.game.missing(side, mine, theirs) - (side == self.to_move)

    def estimate(self) -> int:
        """Return how many stones fewer the first side lacks to connect if it moves alone."""
        game, first, second = self
        return game.missing(1, second, first) - game.missing(0, first, second)

    def search_moves(self) -> tuple[int, ...]:
        """Return a square that connects alone, else one to block alone, else all from the middle
        outwards.
        """
        game, occupied = self.game, self.first | self.second
        sides = ((Side.FIRST, self.first), (Side.SECOND, self.second))
        for side, stones in sides[::-1] if self.to_move else sides:
            if winning := game.winning(side, stones) & ~occupied:
                return (next(s for s, bit in enumerate(game.bits) if bit & winning),)
        return tuple(s for s in game.centre_first if not game.bits[s] & occupied)

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Yield the board turned by half a turn."""
        yield self._turned(), range(len(self.game.bits))[::-1]

    def canonical(self) -> Self:
        """Return the lesser of this position and the turned one."""
        return min(self, self._turned())

    def _turned(self) -> Self:
        game = self.game
        return type(self)(game, game.turned(self.first), game.turned(self.second))

    def diagram(self) -> Diagram:
        """Return the rhombus, with the stones that connect the winner's edges."""
        from arena.games.diagrams import ruled

        game = self.game
        chains = [game.chain(side, stones) for side, stones in enumerate((self.first, self.second))]
        lines = [[s for s, bit in enumerate(game.bits) if bit & chain] for chain in chains if chain]
        return ruled(str(self), game.n, game.n, "hexagons", lines)

    def picture(self) -> str:
        """Draw the rows, each half a square further to the right."""
        return self.game.draw(str(self), shift=1)


class Hex(SquareBoardGame):
    """The rules of hex on n by n squares. Get a game from :func:`hex_game`."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.name, self.max_plies = f"hex-{n}", n * n
        #: The squares of the edge where each side begins, and of that where it arrives.
        self._edges = (
            (sum(self.bits[:n]), sum(self.bits[-n:])),
            (sum(self.bits[::n]), sum(self.bits[n - 1 :: n])),
        )
        #: All squares, those nearest to the middle first.
        self.centre_first = sorted(range(n * n), key=self._from_middle)
        self.connects = lru_cache(1 << 16)(self._connects)
        self.winning = lru_cache(1 << 16)(self._winning)
        self.missing = lru_cache(1 << 16)(self._missing)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"Hex on a rhombus of {self.n} by {self.n} hexagons, of which each row stands half a"
            " square further to the right. So a square touches its neighbours in the row, the one"
            " above and the one to the right of that, and the one below and the one to the left of"
            " that. Two players, x and o, take turns, and x begins. A move puts a stone of the"
            " player on a free square. x wins with a chain of stones from the top to the bottom, o"
            " with one from the left to the right. A move is the letter of the column and the"
            " number of the row, as a1 at the top left."
        )

    def start(self) -> HexPosition:
        """Return the empty board."""
        return HexPosition(self, 0, 0)

    def parse(self, text: str) -> HexPosition:
        """Read a position. Raises PositionError for a wrong text."""
        first, second = self.read_bitboards(text)
        check_counts(text, first.bit_count(), second.bit_count())
        x_moved_last = first.bit_count() > second.bit_count()
        connected = [self.connects(side, bits) for side, bits in enumerate((first, second))]
        side, stones = (0, first) if connected[0] else (1, second)
        by_one_move = any(
            stones & bit and not self.connects(side, stones ^ bit) for bit in self.bits
        )
        check_end(text, False, x_moved_last, connected, by_one_move)
        return HexPosition(self, first, second)

    def turned(self, bits: int) -> int:
        """Return the bitboard after half a turn."""
        return int(f"{bits:0{self.reading_order[-1] + 1}b}"[::-1], 2)

    def _from_middle(self, square: int) -> int:
        row, column = divmod(square, self.n)
        down, right = 2 * row - self.n + 1, 2 * column - self.n + 1
        return down * down + right * right + down * right  # a rhombus is bent

    def _around(self, bits: int) -> int:
        """Return the squares and their six neighbours, and places off the board."""
        n = self.n
        return bits | bits << 1 | bits >> 1 | bits << n | bits >> n | bits << n + 1 | bits >> n + 1

    def _connects(self, side: int, stones: int) -> bool:
        """Return whether the stones connect the side's edges."""
        start, end = self._edges[side]
        return bool(self._flooded(stones & start, stones) & end)

    def chain(self, side: int, stones: int) -> int:
        """Return the stones that hang together from one of the side's edges to the other, if any
        do.
        """
        start, end = self._edges[side]
        reached = self._flooded(stones & start, stones)
        return self._flooded(reached & end, stones) if reached & end else 0

    def _winning(self, side: int, stones: int) -> int:
        """Return the squares, free or not, that connect the side's edges with its stones."""
        from_start, from_end = (
            self._around(self._flooded(stones & edge, stones)) | edge for edge in self._edges[side]
        )
        return from_start & from_end & self.full

    def _flooded(self, reached: int, stones: int) -> int:
        """Return all stones that hang together with those that are reached."""
        before = 0
        while reached != before:
            before, reached = reached, reached | self._around(reached) & stones
        return reached

    def _missing(self, side: int, mine: int, theirs: int) -> int:
        """Return the fewest stones that connect the side's edges, or too many if none do."""
        (start, end), free = self._edges[side], self.full & ~(mine | theirs)
        reached = self._flooded(mine & start, mine)
        for number in range(self.max_plies):
            if reached & end:
                return number
            near = (self._around(reached) | start) & free
            reached = self._flooded(reached | near, mine)
        return self.max_plies + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return hex_game, (self.n,)


@cache
def hex_game(n: int) -> Hex:
    """Return hex on n by n squares. Raises UsageError for another size than 1 to 19."""
    if not 1 <= n <= MAX_HEX_SIDE:
        raise UsageError(f"a board of {n} by {n} squares: must be 1 to {MAX_HEX_SIDE}")
    return Hex(n)
