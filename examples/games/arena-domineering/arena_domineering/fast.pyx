# cython: language_level=3
"""The compiled twins of domineering. What they do not know is left to the functions in Python."""

from libc.stdint cimport uint64_t

cdef extern from *:
    int lowest "__builtin_ctzll"(uint64_t)

#: The functions in Python, by the name of the twin: arena puts them here.
PURE = {}


cdef uint64_t fitting(int n, uint64_t covered, bint is_flat):
    """Return the squares where a domino fits, a bit each."""
    cdef int row, step = 1 if is_flat else n
    cdef uint64_t board = ~<uint64_t> 0 >> (64 - n * n), last = 0
    cdef uint64_t free = board & ~covered
    if is_flat:  # no domino goes round the corner
        for row in range(n):
            last |= <uint64_t> 1 << (n * row + n - 1)
    return free & (free >> step) & ~last


def legal_moves(self):
    cdef uint64_t fits
    cdef list moves = []
    game, covered, ply = self
    if not 2 <= game.n <= 8:
        return PURE["legal_moves"](self)
    fits = fitting(game.n, covered, ply & 1)
    while fits:
        moves.append(lowest(fits))
        fits &= fits - 1
    return tuple(moves)


def play(self, move):
    cdef int square, second
    game, covered, ply = self
    if type(move) is not int or not 0 <= move < game.n**2 or not 2 <= game.n <= 8:
        return PURE["play"](self, move)
    square, second = move, move + (1 if ply & 1 else game.n)
    if not fitting(game.n, covered, ply & 1) >> square & 1:
        return PURE["play"](self, move)  # which raises
    return type(self)(game, covered | <uint64_t> 1 << square | <uint64_t> 1 << second, ply + 1)
