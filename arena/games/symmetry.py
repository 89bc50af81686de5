"""Rotate and reflect boards, and bitboards quickly, a byte at a time.

A symmetry is a tuple that says where each square goes. Squares are counted in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: For each byte of a bitboard, the image of every value of that byte.
Tables = list[list[int]]


def rotations_and_reflections(columns: int, rows: int) -> list[tuple[int, ...]]:
    """Return eight symmetries of a square board, four of a rectangle. The first is the identity.

    >>> rotations_and_reflections(2, 1)
    [(0, 1), (1, 0)]
    """
    images = []
    for transposed in (False, True) if columns == rows else (False,):
        for down in (False, True):
            for right in (False, True):
                image = []
                for square in range(columns * rows):
                    row, column = divmod(square, columns)
                    row, column = (column, row) if transposed else (row, column)
                    row = rows - 1 - row if down else row
                    column = columns - 1 - column if right else column
                    image.append(row * columns + column)
                images.append(tuple(image))
    return list(dict.fromkeys(images))


def byte_images(symmetry: Sequence[int]) -> Tables:
    """Return the tables of a symmetry for :func:`image_of`."""
    squares = len(symmetry)
    padded = [*symmetry, *range(squares, squares + 7)]
    return [
        [sum(1 << padded[start + i] for i in range(8) if value >> i & 1) for value in range(256)]
        for start in range(0, squares, 8)
    ]


def image_of(bits: int, tables: Tables) -> int:
    """Return where a symmetry takes a bitboard."""
    image = 0
    for table in tables:
        image |= table[bits & 255]
        bits >>= 8
    return image


def least_pair(first: int, second: int, symmetries: Iterable[Tables]) -> tuple[int, int]:
    """Return the least pair of bitboards among this one and its images."""
    best = (first, second)
    for tables in symmetries:
        image = (image_of(first, tables), image_of(second, tables))
        if image < best:
            best = image
    return best
