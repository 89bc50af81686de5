"""Search games in which chance moves and both sides see all: expected results in place of certain.

The value of a position is what the first side is paid on average if both sides choose the move with
the best value. A position at the horizon counts as even. Of two moves with equal expected results
the one with the better expected estimate at the horizon is better.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from arena.game import CHANCE, Position
from arena.games.search import BudgetSpent


class ExpectedValue(NamedTuple):
    """The expectation of the first side: the result, then the estimate at the horizon."""

    result: Fraction
    estimate: Fraction = Fraction(0)


class Expectation:
    """A search within a budget of positions, for all depths together."""

    def __init__(self, budget: int) -> None:
        self.positions_left = budget

    def best_moves(self, position: Position, depth: int) -> tuple[int, ...]:
        """Return all moves with the best value, ascending, looking depth plies ahead.

        Raises BudgetSpent when the budget of positions is used up.
        """
        values: dict[Position, ExpectedValue] = {}
        moves = position.legal_moves()
        worths = [self._value(position.play(move), depth - 1, values) for move in moves]
        best = (min if position.to_move else max)(worths)
        return tuple(move for move, worth in zip(moves, worths, strict=True) if worth == best)

    def _value(
        self, position: Position, depth: int, values: dict[Position, ExpectedValue]
    ) -> ExpectedValue:
        if position in values:
            return values[position]
        if not self.positions_left:
            raise BudgetSpent
        self.positions_left -= 1
        values[position] = value = self._computed(position, depth, values)
        return value

    def _computed(
        self, position: Position, depth: int, values: dict[Position, ExpectedValue]
    ) -> ExpectedValue:
        payoffs = position.payoffs()
        if payoffs is not None:
            return ExpectedValue(payoffs[0])
        if depth == 0:
            return ExpectedValue(Fraction(1, 2), Fraction(position.estimate()))
        side = position.to_move
        if side != CHANCE:
            after = (position.play(move) for move in position.legal_moves())
            return (min if side else max)(self._value(each, depth - 1, values) for each in after)
        result, estimate = Fraction(0), Fraction(0)
        for move, share in position.chance_moves():
            value = self._value(position.play(move), depth - 1, values)
            result, estimate = result + share * value.result, estimate + share * value.estimate
        return ExpectedValue(result, estimate)
