"""Value every position that can arise, from the ends of the game backwards, ply by ply.

The value of a position, for the side to move, is that of :mod:`arena.games.search`: a win is worth
the number of plies that are left when it is reached, plus one. A draw is worth 0, and a
loss the negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.game import Position
from arena.proof import progress
from arena.proof.limit import Limit
from arena.solver.arrays import Arrays, arrays_of
from arena.solver.checkpoint import SearchCheckpoint

PositionScores = NDArray[np.int8]

#: A score below all others.
UNKNOWN_SCORE = -128


class PlyLevel(NamedTuple):
    """The positions of one ply, one for all symmetric ones: their keys ascending, their values."""

    keys: Keys
    scores: PositionScores


class Retrograde:
    """The values of all positions that can arise from one while some line is possible.

    Symmetric ones count as one. A position without a possible line is a draw.

    A checkpoint keeps what is found, if there is one.
    """

    def __init__(
        self, position: Position, limit: Limit, checkpoint: SearchCheckpoint | None = None
    ) -> None:
        arrays = arrays_of(position.game)
        assert arrays is not None
        self.rules: Arrays = arrays
        self._checkpoint, self._limit = checkpoint, limit
        self.first_ply, self._longest = position.ply, position.game.max_plies
        levels = self._levels(position)
        #: Positions that were valued; symmetric ones count as one.
        self.positions = sum(map(len, levels))
        self.levels: list[PlyLevel] = []
        self._value(levels, position.game.name)

    def score(self, ply: int, keys: Keys) -> PositionScores:
        """Return the values of positions of one ply. Each must be one that can arise."""
        if not len(keys):  # there may be no positions of that ply
            return np.zeros(0, np.int8)
        level = self.levels[ply - self.first_ply]
        return level.scores[np.searchsorted(level.keys, self.rules.canonical(keys))]

    def moves(self, ply: int, keys: Keys) -> NDArray[np.uint64]:
        """Return a best move at each position: the quickest win, the slowest loss, else the first.

        Raises IndexError for a position at which the game is over.
        """
        best = np.full(len(keys), UNKNOWN_SCORE, np.int8)
        moves = np.zeros(len(keys), np.uint64)
        dead = self.rules.dead(keys)  # all moves are as good there
        for move, where, after in self.rules.after(keys, ply & 1):
            scores = np.full(len(keys), UNKNOWN_SCORE, np.int8)
            scores[where & dead] = 0
            scores[where & ~dead] = -self.score(ply + 1, after[~dead[where]])
            better = scores > best
            best[better], moves[better] = scores[better], move
        return moves

    def _levels(self, position: Position) -> list[Keys]:
        """Return the keys of all positions ply by ply. Raises Undecided beyond the limit."""
        level = self.rules.canonical(np.array([self.rules.key(position)], np.uint64))
        levels = self._resumed("positions") or [level]
        level, positions = levels[-1], sum(map(len, levels))
        for ply in range(self.first_ply + len(levels) - 1, self._longest):
            going = level[~(self.rules.lined(level, 1 - (ply & 1)) | self.rules.dead(level))]
            parts = [unique(after) for _, _, after in self.rules.after(going, ply & 1)]
            if not parts:
                break
            level = unique(self.rules.canonical(unique(np.concatenate(parts))))
            positions += len(level)
            progress.tell(positions, self._limit.positions, "positions found", "at most")
            self._limit.require(positions, f"{position.game.name}, up to symmetry,")
            levels.append(level)
            self._keep("positions", levels)
        return levels

    def _resumed(self, name: str) -> list[Any]:
        """Return the arrays of a state that was kept, in their order, or none without one."""
        if self._checkpoint is None:
            return []
        with self._checkpoint.reading(name) as state:
            return [] if state is None else [state[str(number)] for number in range(len(state))]

    def _keep(self, name: str, arrays: Iterable[NDArray[Any]]) -> None:
        if self._checkpoint is not None and self._checkpoint.is_due():
            self._checkpoint.save(name, {str(n): array for n, array in enumerate(arrays)})

    def _value(self, levels: list[Keys], name: str) -> None:
        done = 0
        valued = self._resumed("values")
        if valued:
            self.levels = [
                PlyLevel(*both) for both in zip(levels[-len(valued) :], valued, strict=True)
            ]
        for ply, keys in reversed(list(enumerate(levels, self.first_ply))[: -len(valued) or None]):
            ended = self.rules.lined(keys, 1 - (ply & 1))
            going = ~(ended | self.rules.dead(keys))
            scores = np.full(len(keys), UNKNOWN_SCORE, np.int8)
            for _, where, after in self.rules.after(keys, ply & 1) if self.levels else ():
                after, where = after[going[where]], where & going
                scores[where] = np.maximum(scores[where], -self._below(after))
            scores[scores == UNKNOWN_SCORE] = 0
            worth = self._longest - ply + 1
            scores[ended] = worth if self.rules.misere else -worth
            self.levels.insert(0, PlyLevel(keys, scores))
            self._keep("values", (level.scores for level in self.levels))
            done += len(keys)
            self._limit.require(done, name)
            progress.tell(done, self.positions, "positions valued")

    def _below(self, keys: Keys) -> PositionScores:
        """Return the values of positions of the first level that is valued."""
        level = self.levels[0]
        return level.scores[np.searchsorted(level.keys, self.rules.canonical(keys))]


def unique(keys: Keys) -> Keys:
    """Return the different keys, ascending."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
