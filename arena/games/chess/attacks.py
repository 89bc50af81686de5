"""Find the squares that chessmen attack, on bitboards whose bit 0 is a1, bit 1 b1 and bit 63 h8.

The attacks of sliding pieces are looked up by the occupied squares of a line. These tables fill as
lines are met, so that importing costs little.
"""

from __future__ import annotations

from functools import cache

Step = tuple[int, int]

_ROOK_STEPS = ((1, 0), (0, 1))
_BISHOP_STEPS = ((1, 1), (1, -1))
_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KING_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))

#: A bitboard with every square.
EVERY = (1 << 64) - 1


def _ray(square: int, step: Step, occupied: int = 0, most: int = 7) -> int:
    """Return the squares in a direction, up to the first that is occupied, ``most`` at most."""
    squares, file, rank = 0, square & 7, square >> 3
    for _ in range(most):
        file, rank = file + step[0], rank + step[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        bit = 1 << 8 * rank + file
        squares |= bit
        if occupied & bit:
            break
    return squares


class _Line(dict[int, int]):
    """The squares that a sliding piece attacks on one line, by the occupied squares of the line."""

    def __init__(self, square: int, step: Step) -> None:
        self._square, self._ways = square, (step, (-step[0], -step[1]))
        self.mask = sum(_ray(square, way) for way in self._ways)

    def __missing__(self, occupied: int) -> int:
        squares = self[occupied] = sum(_ray(self._square, way, occupied) for way in self._ways)
        return squares


def _leaps(steps: tuple[Step, ...]) -> list[int]:
    return [sum(_ray(square, step, most=1) for step in steps) for square in range(64)]


def _lines(steps: tuple[Step, ...]) -> list[tuple[int, _Line, int, _Line]]:
    """Return the two lines through each square, each behind its mask."""
    pairs = [[_Line(square, step) for step in steps] for square in range(64)]
    return [(one.mask, one, other.mask, other) for one, other in pairs]


#: The squares that a knight or a king attacks, by its square.
KNIGHT, KING = _leaps(_KNIGHT_STEPS), _leaps(_KING_STEPS)
#: The squares that a pawn attacks, by its side (white is 0) and its square.
PAWN = (_leaps(((1, 1), (-1, 1))), _leaps(((1, -1), (-1, -1))))
_STRAIGHT, _DIAGONAL = _lines(_ROOK_STEPS), _lines(_BISHOP_STEPS)


def straight(square: int, occupied: int) -> int:
    """Return the squares that a rook attacks."""
    mask, line, other_mask, other = _STRAIGHT[square]
    return line[occupied & mask] | other[occupied & other_mask]


def diagonal(square: int, occupied: int) -> int:
    """Return the squares that a bishop attacks."""
    mask, line, other_mask, other = _DIAGONAL[square]
    return line[occupied & mask] | other[occupied & other_mask]


@cache
def between(one: int, other: int) -> int:
    """Return the squares between two squares of a rank, file or diagonal; none for others."""
    for attacks in (straight, diagonal):
        if attacks(one, 0) >> other & 1:
            return attacks(one, 1 << other) & attacks(other, 1 << one)
    return 0
