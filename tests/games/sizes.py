"""Count and solve games by programs that know their rules and nothing of arena."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

#: Squares, a bit each.
Squares = int

#: What may be, for a side: the marks of the other side, and which of the own ones it came upon.
Belief = frozenset[tuple[Squares, Squares]]


class Phantom:
    """The phantom game on a board of columns and rows, of which some in a line win.

    A side has marks and has met marks of the other, on squares that it tried.
    """

    def __init__(self, columns: int, rows: int, length: int) -> None:
        self._squares = [1 << number for number in range(columns * rows)]
        self._full = (1 << columns * rows) - 1
        self._lines = []
        directions = (1, 0), (0, 1), (1, 1), (1, -1)
        for x, y, (dx, dy) in product(range(columns), range(rows), directions):
            line = [(x + dx * step, y + dy * step) for step in range(length)]
            if all(0 <= i < columns and 0 <= j < rows for i, j in line):
                self._lines.append(sum(1 << j * columns + i for i, j in line))

    def _is_over(self, mover: Squares, other: Squares) -> bool:
        return any(line & mover == line for line in self._lines) or mover | other == self._full

    def histories(self) -> int:
        """Return the number of lines of moves, that of none among them."""

        @cache
        def below(own: Squares, met: Squares, other: Squares, theirs: Squares) -> int:
            """Count them from where a side moves; ``theirs`` are its marks that the other met."""
            number = 1
            for square in self._squares:
                if square & (own | met):
                    continue
                if square & other:
                    number += below(own, met | square, other, theirs)
                elif self._is_over(own | square, other):
                    number += 1
                else:
                    number += below(other, theirs, own | square, met)
            return number

        return below(0, 0, 0, 0)

    def sets(self) -> int:
        """Return the number of information sets of both sides: own moves, and what each met."""

        @cache
        def below(own: Squares, met: Squares, belief: Belief) -> int:
            number = 1
            for square in self._squares:
                if square & (own | met):
                    continue
                taken = frozenset(state for state in belief if square & state[0])
                free = belief - taken
                number += below(own, met | square, taken) if taken else 0
                answered = self._answered(own | square, met, free)
                number += below(own | square, met, answered) if answered else 0
            return number

        nothing: Belief = frozenset([(0, 0)])
        return below(0, 0, nothing) + below(0, 0, self._answered(0, 0, nothing))

    def _answered(self, own: Squares, met: Squares, belief: Belief) -> Belief:
        """Return what may be after the other side moved, as often as it comes upon own marks."""
        after, waiting = set(), [state for state in belief if not self._is_over(own, state[0])]
        while waiting:
            other, known = waiting.pop()
            for square in self._squares:
                if square & (other | known):
                    continue
                if square & own:
                    waiting.append((other, known | square))
                elif not self._is_over(other | square, own):
                    after.add((other | square, known))
        return frozenset(after)


def pig_chance(goal: int, *, exact: float = 1e-12) -> float:
    """Return with what probability the first player wins at pig with best play by both.

    Neller and Presser, "Optimal play of the dice game Pig" (The UMAP Journal 25, 2004), have this
    iteration, the sums of the scores from the largest down, and 0.5306 for 100 points.
    """
    #: By the points of the mover, those of the other, and those of the turn.
    chance = np.ones((goal, goal, goal + 6))
    for total in reversed(range(2 * goal - 1)):
        mine = np.arange(max(0, total - goal + 1), min(goal, total + 1))
        theirs, turns = total - mine, np.arange(goal)
        after = mine[:, None] + turns
        is_open = after < goal  # else the mover holds, and has won
        held = 1 - chance[theirs[:, None], np.minimum(after, goal - 1), 0]
        block = np.where(np.arange(goal + 6) < (goal - mine)[:, None], 0.0, 1.0)
        change = 1.0
        while change > exact:
            lost = 1 - block[::-1, :1]  # the other has as many as the mover, and rolls first
            held[:, :1] = lost
            rolled = (lost + sum(block[:, pips : goal + pips] for pips in range(2, 7))) / 6
            best = np.where(is_open, np.maximum(held, rolled), 1.0)
            change = float(np.abs(best - block[:, :goal]).max())
            block[:, :goal] = best
        chance[mine, theirs] = block
    return float(chance[0, 0, 0])
