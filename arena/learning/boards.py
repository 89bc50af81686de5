"""Value many boards at once: a table of features, and a player's moves by it.

A board has a number in base three: the digit of a square is 1 if it is mine, 2 if it is theirs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Ints
from arena.game import Side
from arena.games.mnk import MnkPosition
from arena.learning.features import Features, Vector
from arena.learning.hypothesis import Hypothesis


class FeatureTable:
    """The features of boards by their numbers. Each is computed when it is first asked for.

    The board must be small: the table has a column for each of the 3**squares numbers.
    """

    def __init__(self, features: Features) -> None:
        squares, boards = features.game.squares, 3**features.game.squares
        self._features = features
        self._vectors: dict[int, Vector] = {}
        #: The addend of a mark of mine in the number of a board, by its square.
        self.powers: Ints = 3 ** np.arange(squares)
        #: Shape (features, boards); the first feature is the constant 1.
        self._values = np.zeros((1 + len(features.names), boards))
        self._is_known = np.zeros(boards, bool)

    def numbers(self, mine: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> Ints:
        """Return the numbers of boards of shape (boards, squares): shape (boards,)."""
        return np.asarray(mine @ self.powers + 2 * (theirs @ self.powers))

    def values(self, numbers: Ints, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return V̂ of boards. Weights have shape (features, ...) and go with the numbers.

        The terms are added in their order, as ``estimate`` does: so it rounds alike.
        """
        self._learn(numbers)
        total = np.zeros(numbers.shape)
        for column, weight in zip(self._values, weights, strict=True):
            total += weight * column[numbers]
        return total

    def vector(self, number: int) -> Vector:
        """Return the features of one board."""
        vector = self._vectors.get(number)
        if vector is None:
            vector = self._features.vector(self._board(number), Side.FIRST)
            self._vectors[number] = vector
        return vector

    def _learn(self, numbers: Ints) -> None:
        unknown = numbers[~self._is_known[numbers]]
        if len(unknown):
            for number in np.unique(unknown).tolist():
                self._values[:, number] = self.vector(number)
                self._is_known[number] = True

    def _board(self, number: int) -> MnkPosition:
        digits = number // self.powers % 3
        first, second = (sum(1 << int(s) for s in np.flatnonzero(digits == d)) for d in (1, 2))
        return type(self._features.game.start())(self._features.game, first, second)


@cache
def table_of(features: Features) -> FeatureTable:
    """Return the table of these features, which all hypotheses with them share."""
    return FeatureTable(features)


def best_moves(hypothesis: Hypothesis, positions: Any) -> NDArray[np.bool_]:
    """Return the moves to the boards of the largest V̂: shape (positions, moves)."""
    table = table_of(hypothesis.features)
    numbers = table.numbers(positions.mine, positions.theirs)[:, None] + table.powers
    numbers = np.where(positions.legal, numbers, 0)
    weights = np.array(hypothesis.weights).T[:, positions.to_move, None]
    values = np.where(positions.legal, table.values(numbers, weights), -np.inf)
    return np.asarray((values == values.max(axis=1, keepdims=True)) & positions.legal)
