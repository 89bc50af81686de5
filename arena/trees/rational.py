"""Solve the equations of a basis in fractions, from solutions in floats.

Each step solves for what the solution so far still misses, which is whole numbers, and so gains
some thirty bits (iterative refinement, as in Gleixner, Steffy and Wolter, "Iterative refinement for
linear programming", 2016). A fraction of few bits is the only one near a number with twice as many
right bits: its continued fraction tells it. Nothing here is trusted: who uses a solution checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from arena.trees.linear_program import Entries, LinearProgram, LinearSolution

if TYPE_CHECKING:
    from arena.arrays import Floats, Ints


#: The bits of a solution in floats that a step takes.
STEP_BITS = 40

#: Sums of products beyond this many bits may not be exact.
MAX_SUM_BITS = 62

#: Bits that a number has beyond those that its fraction needs.
SPARE_BITS = 16


class Approximation(NamedTuple):
    """Numbers near the solution: ``values`` over 2 to the power of ``bits``."""

    values: Sequence[int]
    bits: int
    #: Whether they are the solution.
    is_exact: bool

    def fraction(self, place: int) -> Fraction:
        """Return the fraction of few bits that is near the number of this place."""
        value = self.values[place]
        if not value or self.is_exact:
            return Fraction(value, 1 << self.bits)
        most = 1 << max(1, self.bits // 2 - SPARE_BITS)
        return Fraction(value, 1 << self.bits).limit_denominator(most)


def weights(
    program: LinearProgram, solution: LinearSolution
) -> tuple[RefinedWeights, RefinedWeights]:
    """Return the refinements of the weights of both seats."""
    import numpy as np

    matrix, basic = _basis(program, solution.basic), solution.basic
    place_of = {int(column): place for place, column in enumerate(basic)}
    right = np.zeros(program.rows, dtype=np.int64)
    right[program.second] = 1
    prices = np.zeros(program.rows, dtype=np.int64)
    if program.first in place_of:
        prices[place_of[program.first]] = 1
    turned = Entries(matrix.columns, matrix.rows, matrix.values)
    first = [place_of.get(column, -1) for column in range(program.first)]
    return (
        RefinedWeights(refined(matrix, solution.solve, right), first),
        RefinedWeights(refined(turned, solution.solve_transposed, prices), range(program.second)),
    )


class RefinedWeights:
    """The weights of a seat's sequences, better with each step."""

    def __init__(self, steps: Iterator[Approximation], places: Sequence[int]) -> None:
        self._steps, self._places = steps, places

    def at(self, bits: int) -> list[Fraction] | None:
        """Return the weights as fractions once they have these bits, None if they do not get so
        far.
        """
        for step in self._steps:
            if step.bits >= bits or step.is_exact:
                return [Fraction(0) if p < 0 else step.fraction(p) for p in self._places]
        return None


def _basis(program: LinearProgram, basic: Ints) -> Entries:
    """Return the basic columns, and a unit column for each row that does not bind."""
    import numpy as np

    rows, columns, values = program.entries
    places = np.full(program.columns, -1)
    for place, column in enumerate(basic):
        if column >= 0:
            places[column] = place
    is_basic = places[columns] >= 0
    slack = np.flatnonzero(basic < 0)
    return Entries(
        np.concatenate([rows[is_basic], -1 - basic[slack]]),
        np.concatenate([places[columns[is_basic]], slack]),
        np.concatenate([values[is_basic], np.ones(len(slack), dtype=np.int64)]),
    )


def refined(
    matrix: Entries, solve: Callable[[Floats], Floats], right: Ints
) -> Iterator[Approximation]:
    """Yield ever better solutions of the equations, until one is exact or no better one comes."""
    import numpy as np

    total, bits, missing = np.zeros(len(right), dtype=object), 0, right
    while True:
        size = int(np.abs(missing).max()).bit_length()
        if size >= STEP_BITS:
            return
        step = np.rint(np.ldexp(solve(np.ldexp(missing.astype(np.float64), -size)), STEP_BITS))
        largest = np.zeros(len(right))
        np.add.at(largest, matrix.rows, np.abs(matrix.values * step[matrix.columns]))
        if not np.isfinite(step).all() or largest.max() >= 2.0**MAX_SUM_BITS:
            return
        digits = step.astype(np.int64)
        product = np.zeros(len(right), dtype=np.int64)
        np.add.at(product, matrix.rows, matrix.values * digits[matrix.columns])
        missing = (missing << (STEP_BITS - size)) - product
        total = total * (1 << (STEP_BITS - size)) + digits.astype(object)
        bits += STEP_BITS - size
        yield Approximation(total, bits, is_exact=not missing.any())
