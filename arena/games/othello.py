"""Othello: a disc turns over the opponent's discs between it and another of its own.

x is black and moves first. A side that can turn no disc passes: that is its one legal move then.
The game ends when neither side can move, and more discs win. A move is a square, counted from 0 in
reading order, or the number after the last for a pass. Its text is a column's letter and a row's
number, ``a1`` in the top left corner, or ``pass``. The text of a position is the board and the side
to move, with the number of passes after it if there were more than one.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.errors import IllegalMove, PositionError, UsageError, numeral, quoted
from arena.game import Outcome, Position
from arena.games.board import SquareBoardGame, text_of

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram

#: Longest side of a board.
MAX_OTHELLO_SIDE = 18

PASS = "pass"  # noqa: S105 (the text of a move)


_NUMBER = r"[0-9]{1,3}"


class _OthelloFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Othello
    first: int
    second: int
    passes: int


class OthelloPosition(_OthelloFields, Position):
    """A position of othello: the bitboards ``first`` and ``second``, and the passes so far."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """Number of moves, passes among them."""
        return (self.first | self.second).bit_count() - 4 + self.passes

    def _sides(self) -> tuple[int, int]:
        """Return the discs of the side to move, and of the other."""
        return (self.second, self.first) if self.to_move else (self.first, self.second)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the squares that turn a disc, else the pass, or none when neither side can
        move.
        """
        game, (mine, theirs) = self.game, self._sides()
        if landings := game.landings(mine, theirs):
            return tuple(s for s, bit in enumerate(game.bits) if bit & landings)
        return (game.passing,) if game.landings(theirs, mine) else ()

    def play(self, move: int) -> Self:
        """Return the position after the side to move puts a disc on the square, or passes."""
        game, (mine, theirs) = self.game, self._sides()
        if move == game.passing and self.legal_moves() == (move,):
            return self._replace(passes=self.passes + 1)
        bit = game.bits[move] if 0 <= move < game.passing else 0
        if not bit & game.landings(mine, theirs):
            raise IllegalMove(f"move {quoted(numeral(move))} is not legal in {str(self)!r}")
        turned = game.turned(bit, mine, theirs)
        mine, theirs = mine | bit | turned, theirs ^ turned
        first, second = (theirs, mine) if self.to_move else (mine, theirs)
        return self._replace(first=first, second=second)

    def outcome(self) -> Outcome | None:
        """Return the side with more discs when neither can move."""
        game, first, second, _ = self
        if game.landings(first, second) or game.landings(second, first):
            return None
        more = first.bit_count() - second.bit_count()
        return Outcome.FIRST_WINS if more > 0 else Outcome.SECOND_WINS if more else Outcome.DRAW

    def estimate(self) -> int:
        """Weigh the squares where each side can move, and its corners, ten times as much."""
        game, first, second, _ = self
        moves = game.landings(first, second).bit_count() - game.landings(second, first).bit_count()
        corners = (first & game.corners).bit_count() - (second & game.corners).bit_count()
        return moves + 10 * corners

    def diagram(self) -> Diagram:
        """Return the board, whose top left corner is ``a1``."""
        from arena.games.diagrams import ruled

        return ruled(self._board(), self.game.n, self.game.n, "discs")

    def picture(self) -> str:
        """Draw the rows, with a dot for a free square."""
        return self.game.draw(self._board(), shift=0)

    def _board(self) -> str:
        return text_of(self.first, self.second, self.game.reading_order)

    def __str__(self) -> str:
        return f"{self._board()} {self.to_move.letter}" + (
            f" {self.passes}" if self.passes > 1 else ""
        )


class Othello(SquareBoardGame):
    """The rules of othello on n by n squares. Get a game from :func:`othello_game`."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.name = "othello" if n == 8 else f"othello-{n}"
        self.passing = n * n
        self.move_count = n * n + 1
        self.max_plies = 2 * (n * n - 4)  # no side passes twice in a row
        self.corners = sum(self.bits[s] for s in (0, n - 1, n * n - n, n * n - 1))
        self.landings = lru_cache(1 << 16)(self._landings)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"Othello on a board of {self.n} by {self.n} squares. Two players, x and o, take turns,"
            " and x begins. Each has two discs in the middle. A move puts a disc of the player on a"
            " free square from which a straight row of the other's discs leads to another disc of"
            " the player. All such rows are turned over, across, down and diagonally. A player"
            " without such a move passes. The game ends when neither can move, and the player with"
            " more discs wins. Equally many are a draw. A move is the letter of the column and the"
            " number of the row, as a1 at the top left, or pass."
        )

    def start(self) -> OthelloPosition:
        """Return the four discs in the middle."""
        n, bits = self.n, self.bits
        corner = (n // 2 - 1) * n + n // 2 - 1
        first, second = bits[corner + 1] | bits[corner + n], bits[corner] | bits[corner + n + 1]
        return OthelloPosition(self, first, second, 0)

    def parse(self, text: str) -> OthelloPosition:
        """Read a position: the board, the side to move, and the number of passes.

        The board of a position that passes need not occur in a game.
        """
        words = text.split()
        passes = int(words.pop()) if words and re.fullmatch(_NUMBER, words[-1]) else None
        if not words or words[-1] not in ("x", "o"):
            raise PositionError(
                f"position {quoted(text)} does not end with the side to move, x or o"
            )
        first, second = self.read_bitboards("".join(words[:-1]))
        odd = ((first | second).bit_count() + "xo".index(words[-1])) % 2
        passes = odd if passes is None else passes
        placed = (first | second).bit_count() - 4
        if placed < 0 or passes % 2 != odd or passes > placed:
            raise PositionError(f"position {quoted(text)} does not come about by {passes} passes")
        return OthelloPosition(self, first, second, passes)

    def format_move(self, move: int) -> str:
        """Return the column's letter and the row's number, or ``pass``."""
        return PASS if move == self.passing else super().format_move(move)

    def parse_move(self, text: str) -> int:
        """Return the square of that name, or the pass."""
        return self.passing if text == PASS else super().parse_move(text)

    def _landings(self, mine: int, theirs: int) -> int:
        """Return the free squares on which a disc turns others: next to a row of theirs."""
        squares, free = 0, self.full & ~(mine | theirs)
        for step in (1, self.n, self.n + 1, self.n + 2):
            up, down = mine << step & theirs, mine >> step & theirs
            for _ in range(self.n - 3):
                up |= up << step & theirs
                down |= down >> step & theirs
            squares |= up << step | down >> step
        return squares & free

    def turned(self, bit: int, mine: int, theirs: int) -> int:
        """Return the opponent's discs that a disc on this square turns over."""
        discs = 0
        for step in (1, self.n, self.n + 1, self.n + 2):
            for ahead in (int.__lshift__, int.__rshift__):
                row, square = 0, ahead(bit, step)
                while square & theirs:
                    row, square = row | square, ahead(square, step)
                discs |= row if square & mine else 0
        return discs

    def __reduce__(self) -> tuple[Any, ...]:
        return othello_game, (self.n,)


def othello_game(n: int = 8) -> Othello:
    """Return othello on n by n squares. Raises UsageError unless n is even and from 4 to 18."""
    return _othello_game(n)


@cache
def _othello_game(n: int) -> Othello:
    if n % 2 or not 4 <= n <= MAX_OTHELLO_SIDE:
        raise UsageError(f"a board of {n} by {n} squares: must be even and 4 to {MAX_OTHELLO_SIDE}")
    return Othello(n)
