"""Play a game by the hypothesis: the performance system.

It gets a problem, a board to play on from, and its solution is the trace of the game.
"""

from __future__ import annotations

import random
from fractions import Fraction

from arena.dataclass import dataclass
from arena.games.mnk import MnkPosition
from arena.learning.hypothesis import Hypothesis, estimate
from arena.player import Choose

#: Boards of a game, from the problem to a finished game.
GameBoards = list[MnkPosition]


@dataclass(frozen=True)
class Performer:
    """A player that makes a move to a board of the largest V̂. Chance decides between equals."""

    hypothesis: Hypothesis

    def __call__(self, position: MnkPosition, rng: random.Random) -> int:
        """Return a move."""
        return rng.choice(self.best_moves(position))

    def distribution(self, position: MnkPosition) -> dict[int, Fraction]:
        """Return the probability of every move that it may make."""
        moves = self.best_moves(position)
        return dict.fromkeys(moves, Fraction(1, len(moves)))

    def best_moves(self, position: MnkPosition) -> list[int]:
        """Return the moves to the boards of the largest V̂, ascending."""
        me = position.to_move
        weights, features = self.hypothesis.weights[me], self.hypothesis.features
        best, moves = float("-inf"), []
        for move in position.legal_moves():
            value = estimate(weights, features.vector(position.play(move), me))
            if value > best:
                best, moves = value, [move]
            elif value == best:
                moves.append(move)
        return moves


def perform(
    problem: MnkPosition, players: tuple[Choose, Choose], rngs: tuple[random.Random, random.Random]
) -> GameBoards:
    """Play on from a board to the end. The players and their generators are in order of moving."""
    trace = [problem]
    while trace[-1].outcome() is None:
        side = trace[-1].to_move
        trace.append(trace[-1].play(players[side](trace[-1], rngs[side])))
    return trace
