"""Make training examples of the trace of a game: the critic.

A side learns from the boards that it left behind, since V̂ evaluates no others. The successor of
such a board is the next that it left behind, and V_train(b) = V̂(successor of b). Where the
successor is the end of the game, its value is exact: 100 for a win, -100 for a loss, 0 for a draw.
So knowledge of the end goes back through the games one board at a time.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.game import Outcome, Side
from arena.learning.features import Vector
from arena.learning.hypothesis import Hypothesis
from arena.learning.performance_system import GameBoards

#: Values of finished games.
WON_VALUE, DRAWN_VALUE, LOST_VALUE = 100.0, 0.0, -100.0


class Example(NamedTuple):
    """A board's features and its training value V_train."""

    features: Vector
    value: float


def training_examples(trace: GameBoards, side: Side, hypothesis: Hypothesis) -> list[Example]:
    """Return what a game teaches a side, or nothing if it made no move."""
    outcome = trace[-1].outcome()
    assert outcome is not None
    boards = [board for board in trace[1:] if board.to_move != side]
    successors = [board for board in boards[1:] if board.outcome() is None]
    values = [hypothesis.value(successor, side) for successor in successors]
    values += [worth(outcome, side)] * (len(boards) - len(values))
    vectors = [hypothesis.features.vector(board, side) for board in boards]
    return [Example(vector, value) for vector, value in zip(vectors, values, strict=True)]


def worth(outcome: Outcome, side: Side) -> float:
    """Return V of a finished game."""
    if outcome.winner is None:
        return DRAWN_VALUE
    return WON_VALUE if outcome.winner == side else LOST_VALUE
