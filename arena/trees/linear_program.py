"""Write the equilibrium of a game for two with a constant sum as a linear program, and solve it.

The first seat chooses weights x of its sequences. For each set of the second seat the program has
what that seat lets the first one win from there on at least, and for the whole game the value v:

    maximize v, so that for each sequence j of the second seat
    q(set of j) <= sum of q(sets that j leads to) + sum of x(i) times what i and j pay,

where the set of the empty sequence is the whole game, q of which is v. The weights of j are the
prices of these constraints. The program is that of Koller, Megiddo and von Stengel, "Efficient
computation of equilibria for extensive two-person games" (1996). All its numbers are whole.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.stats.highs import highs, quiet_solver
from arena.trees.sequences import SequenceForm

if TYPE_CHECKING:
    from arena.arrays import Floats, Ints


class Entries(NamedTuple):
    """The entries of a matrix of whole numbers that are not 0."""

    rows: Ints
    columns: Ints
    values: Ints


class LinearProgram:
    """The program of a game: its columns are x and then v and q, its rows those of j and of x."""

    def __init__(self, form: SequenceForm) -> None:
        import numpy as np

        self.form = form
        self.first, self.second = form.sequences(0), form.sequences(1)
        #: The payoffs times this are whole.
        self.scale = lcm(*(paid[0].denominator for paid in form.ends.values()))
        entries = [*self._constraints(), *self._weights()]
        rows, columns, values = np.array(entries, dtype=object).T
        self.entries = Entries(*(each.astype(np.int64) for each in (rows, columns, values)))
        self.columns = self.first + 1 + len(form.sets[1])
        self.rows = self.second + 1 + len(form.sets[0])

    def _constraints(self) -> list[tuple[int, int, int]]:
        """Return the entries of the constraint of each sequence of the second seat."""
        entries = [(0, self.first, 1)]
        for column, each in enumerate(self.form.sets[1], start=self.first + 1):
            entries.append((each.parent, column, -1))
            entries += [(each.first + place, column, 1) for place in range(len(each.moves))]
        for (i, j), paid in self.form.ends.items():
            if paid[0]:
                entries.append((j, i, -int(paid[0] * self.scale)))
        return entries

    def _weights(self) -> list[tuple[int, int, int]]:
        """Return the entries that make x weights: those of a set add up to what leads there."""
        entries = [(self.second, 0, 1)]
        for row, each in enumerate(self.form.sets[0], start=self.second + 1):
            entries.append((row, each.parent, -1))
            entries += [(row, each.first + place, 1) for place in range(len(each.moves))]
        return entries


class LinearSolution(NamedTuple):
    """The solution that HiGHS proposes, in floats, and the basis that it comes from."""

    x: Floats
    y: Floats
    #: The basic columns, and -1 - row for each row that does not bind.
    basic: Ints
    #: Solve the equations of the basis, and those of its transpose, for a right side.
    solve: Callable[[Floats], Floats]
    solve_transposed: Callable[[Floats], Floats]


def proposed(program: LinearProgram, seconds: float | None) -> LinearSolution | None:
    """Let HiGHS solve the program. Return None if that takes more than these seconds."""
    import numpy as np

    highspy = highs("a game with secrets")
    solver = quiet_solver(highspy)
    if seconds is not None:
        solver.setOptionValue("time_limit", max(0.0, seconds))
    solver.passModel(_model(program, highspy))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution = solver.getSolution()
    _, basic = solver.getBasicVariables()
    return LinearSolution(
        np.array(solution.col_value)[: program.first],
        np.abs(solution.row_dual)[: program.second],
        np.array(basic, dtype=np.int64),
        lambda right: np.array(solver.getBasisSolve(right)[1]),
        lambda right: np.array(solver.getBasisTransposeSolve(right)[1]),
    )


def _model(program: LinearProgram, highspy: Any) -> Any:
    import numpy as np

    free, infinite = program.columns - program.first, highspy.kHighsInf
    equal = program.rows - program.second
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.columns, program.rows
    cost = np.zeros(program.columns)
    cost[program.first] = -1
    model.col_cost_ = cost
    model.col_lower_ = np.concatenate([np.zeros(program.first), np.full(free, -infinite)])
    model.col_upper_ = np.full(program.columns, infinite)
    ends = np.zeros(equal)
    ends[0] = 1
    model.row_lower_ = np.concatenate([np.full(program.second, -infinite), ends])
    model.row_upper_ = np.concatenate([np.zeros(program.second), ends])
    rows, columns, values = program.entries
    order = np.lexsort((rows, columns))
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.searchsorted(columns[order], np.arange(program.columns + 1))
    matrix.index_ = rows[order]
    matrix.value_ = values[order].astype(np.float64)
    return model
