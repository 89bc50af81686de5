"""Find the least and the greatest value of linear quantities over a polytope, by HiGHS.

The points of a polytope are those that keep a set of linear constraints. Over the payoff matrices
in a band the answers of several methods are such a set, or lie in one: so an interval of an answer
is two linear programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Floats
from arena.stats.highs import highs, quiet_solver

#: Values that differ by less are equal: a linear program is not solved more exactly than that.
EQUAL = 1e-7


#: The strategies of HiGHS: the primal simplex method, and again without a basis, then the dual one.
_STRATEGIES = 4, 4, 1


class Constraint(NamedTuple):
    """A constraint: the sum of the columns times their values lies between two ends."""

    columns: Sequence[int] | NDArray[np.int64]
    values: Sequence[float] | Floats
    low: float
    high: float


class Spans(NamedTuple):
    """The intervals of some columns, and the pairs of them whose order is sure."""

    low: Floats
    high: Floats
    #: The places of two columns, of which the first is greater at all points.
    above: frozenset[tuple[int, int]]


class Polytope:
    """The points whose columns and rows lie between their ends."""

    def __init__(self, low: Floats, high: Floats, rows: Iterable[Constraint]) -> None:
        """``low`` and ``high`` are the ends of the columns."""
        highspy = highs("arena evaluate")
        constraints = list(rows)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(low), len(constraints)
        model.col_cost_ = np.zeros(len(low))
        model.col_lower_, model.col_upper_ = low, high
        model.row_lower_ = np.array([row.low for row in constraints])
        model.row_upper_ = np.array([row.high for row in constraints])
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(len(row.columns) for row in constraints)])
        matrix.index_ = np.concatenate([np.asarray(row.columns, np.int64) for row in constraints])
        matrix.value_ = np.concatenate([np.asarray(row.values, float) for row in constraints])
        self.columns = len(low)
        self._low, self._high = low.copy(), high.copy()
        status = highspy.HighsModelStatus
        self._answered = status.kOptimal, status.kInfeasible, status.kUnboundedOrInfeasible
        self._solver = quiet_solver(highspy)
        self._solver.passModel(model)

    def least(self, cost: Floats) -> Floats | None:
        """Return a point at which the sum of the columns times ``cost`` is least, if any is."""
        # The last basis stays feasible for the primal simplex method, so that most programs begin
        # next to their answer.
        self._solver.changeColsCost(self.columns, np.arange(self.columns, dtype=np.int32), cost)
        for strategy in _STRATEGIES:
            self._solver.setOptionValue("simplex_strategy", strategy)
            self._solver.run()
            status = self._solver.getModelStatus()
            if status in self._answered:
                break
            self._solver.clearSolver()  # the basis may be too near to a singular one
        assert status in self._answered, status
        if status != self._answered[0]:
            return None
        return np.array(self._solver.getSolution().col_value)

    def extreme(self, column: int, sign: int) -> float | None:
        """Return the least value of a column by sign 1, the greatest by -1, or None without any."""
        point = self.least(sign * self.unit(column))
        return None if point is None else float(point[column])

    def hold_at_zero(self, column: int) -> None:
        """Leave out the points at which a column is not 0."""
        self._low[column] = self._high[column] = 0
        self._solver.changeColBounds(column, 0.0, 0.0)

    @contextmanager
    def at_zero(self, columns: Iterable[int]) -> Iterator[None]:
        """Leave out the points at which one of some columns is not 0, for a while."""
        places = list(columns)
        for column in places:
            self._solver.changeColBounds(column, 0.0, 0.0)
        try:
            yield
        finally:
            for column in places:
                self._solver.changeColBounds(column, self._low[column], self._high[column])

    def unit(self, column: int) -> Floats:
        """Return the cost that is the value of one column."""
        cost = np.zeros(self.columns)
        cost[column] = 1
        return cost

    def spans(self, columns: Sequence[int], partners: Sequence[int] = ()) -> Spans:
        """Return the interval of each of these columns, and which of two is surely greater.

        ``partners`` has a column for each: of the two none is below 0, and one is 0 at the points
        that count. So the points at which a column is greatest have its partner at 0.

        A point that was found for an interval shows that two columns are not in one order at all
        points. Only the others take a program of their own.
        """
        beside = {c: [partner] for c, partner in zip(columns, partners, strict=False)}
        lowest = [self.least(self.unit(c)) for c in columns]
        highest = []
        for column in columns:
            with self.at_zero(beside.get(column, ())):
                highest.append(self.least(-self.unit(column)))
        low = np.array([_value(point, c) for point, c in zip(lowest, columns, strict=True)])
        high = np.array([_value(point, c) for point, c in zip(highest, columns, strict=True)])
        points = np.array([each for each in lowest + highest if each is not None])[:, list(columns)]
        above = set[tuple[int, int]]()
        for one, other in permutations(range(len(columns)), 2):
            if (points[:, one] - points[:, other]).min() <= EQUAL:
                continue
            cost = self.unit(columns[one]) - self.unit(columns[other])
            # Where the other is 0, one is greater if it is not 0 itself.
            with self.at_zero(beside.get(columns[other], ())):
                point = self.least(cost)
            if (not partners or low[one] > EQUAL) and (point is None or point @ cost > EQUAL):
                above.add((one, other))
        return Spans(low, high, frozenset(above))


def _value(point: Floats | None, column: int) -> float:
    """Return a column of a point. A column with a partner that is never 0 is 0."""
    return 0.0 if point is None else float(point[column])


def impose_complementarity(polytope: Polytope, pairs: Sequence[tuple[int, int]]) -> None:
    """Leave out points where both columns of a pair are above 0, as far as programs show it.

    None of them is below 0. If one cannot be above 0 while its partner is 0, it is 0. If it is
    above 0 at all points, its partner is 0. Each of that leaves out points, and so may show more.
    """
    unsettled = [*pairs, *((partner, column) for column, partner in pairs)]
    while True:
        settled = []
        for column, partner in unsettled:
            with polytope.at_zero([partner]):
                most = polytope.extreme(column, -1)
            if most is None or most <= EQUAL:
                settled.append((column, partner))
                polytope.hold_at_zero(column)
                continue
            least = polytope.extreme(column, 1)
            if least is not None and least > EQUAL:
                settled.append((column, partner))
                polytope.hold_at_zero(partner)
        unsettled = [
            (column, partner)
            for column, partner in unsettled
            if not {(column, partner), (partner, column)} & {*settled}
        ]
        if not settled:
            return
