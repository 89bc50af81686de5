"""Count the tree of a game, and compute its value by a linear program: nothing here is arena's.

The value is that of Koller, Megiddo and von Stengel, "Efficient computation of equilibria for
extensive two-person games" (1996): the best plan of the first side against the best answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import linprog  # type: ignore[import-untyped]
from scipy.sparse import lil_matrix  # type: ignore[import-untyped]

from arena.game import CHANCE, Game, Position


def histories(game: Game) -> Iterator[Position]:
    """Yield the position after every line of moves, that of none among them."""
    waiting = [game.start()]
    while waiting:
        yield (position := waiting.pop())
        waiting += [position.play(move) for move in position.legal_moves()]


def count(game: Game) -> tuple[int, int]:
    """Return the number of histories, and of the information sets of both sides."""
    number, sets = 0, set()
    for position in histories(game):
        number += 1
        if position.legal_moves() and position.to_move != CHANCE:
            sets.add(position.observation(position.to_move))
    return number, len(sets)


class Plans:
    """The sequences of own moves of each side, and what pairs of them pay the first side."""

    def __init__(self, game: Game) -> None:
        self.sequences: tuple[dict[Any, int], dict[Any, int]] = ({None: 0}, {None: 0})
        #: For each information set the sequence that leads to it, and those that go on.
        self.sets: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
        self.pays: dict[tuple[int, int], float] = {}
        self._walk(game.start(), 1.0, (0, 0))

    def _walk(self, position: Position, chance: float, lines: tuple[int, int]) -> None:
        payoffs = position.payoffs()
        if payoffs is not None:
            self.pays[lines] = self.pays.get(lines, 0.0) + chance * float(payoffs[0])
        elif position.to_move == CHANCE:
            for move, share in position.chance_moves():
                self._walk(position.play(move), chance * float(share), lines)
        else:
            side = int(position.to_move)
            seen, numbers = position.observation(side), self.sequences[side]
            moves = position.legal_moves()
            own = [numbers.setdefault((seen, move), len(numbers)) for move in moves]
            assert self.sets[side].setdefault(seen, (lines[side], own)) == (lines[side], own)
            for move, number in zip(moves, own, strict=True):
                after = (number, lines[1]) if side == 0 else (lines[0], number)
                self._walk(position.play(move), chance, after)

    def constraints(self, side: int) -> Any:
        """Return the matrix that says that the moves of each set share what leads to it."""
        matrix = lil_matrix((1 + len(self.sets[side]), len(self.sequences[side])))
        matrix[0, 0] = 1
        for row, (before, own) in enumerate(self.sets[side].values(), 1):
            matrix[row, before] = -1
            matrix[row, own] = 1
        return matrix.tocsr()


def value(game: Game) -> float:
    """Return what the first side gets if both play perfectly."""
    plans = Plans(game)
    first, second = (plans.constraints(side) for side in (0, 1))
    n, m = first.shape[1], second.shape[0]
    pays = lil_matrix((second.shape[1], n + m))
    for (mine, theirs), payoff in plans.pays.items():
        pays[theirs, mine] = -payoff
    pays[:, n:] = second.T  # what an answer is worth is at most what it pays
    equal = lil_matrix((first.shape[0], n + m))
    equal[:, :n] = first
    cost, begins = np.zeros(n + m), np.zeros(first.shape[0])
    cost[n], begins[0] = -1, 1
    bounds = [(0, None)] * n + [(None, None)] * m
    zeros = np.zeros(pays.shape[0])
    optimum = linprog(cost, pays.tocsr(), zeros, equal.tocsr(), begins, bounds, method="highs")
    return -float(optimum.fun)
