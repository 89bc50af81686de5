"""A small network that plays tic-tac-toe: one hidden layer, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

SQUARES, HIDDEN = 9, 64


class Net:
    """A policy: the chance of each move, from the marks of both sides."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self.weights = weights

    def chances(self, mine: Any, theirs: Any, legal: Any) -> tuple[Any, Any, Any]:
        """Return what the network sees, its hidden layer, and its chances, each by position."""
        seen = np.concatenate([mine, theirs], axis=1, dtype=np.float32)
        hidden = np.maximum(seen @ self.weights["into"], 0)
        grown = np.exp(hidden @ self.weights["out"]) * legal
        return seen, hidden, grown / grown.sum(axis=1, keepdims=True)

    def choose_batch(self, positions: Any, rng: Any) -> Any:
        """Draw a move for each of many positions."""
        *_, chances = self.chances(positions.mine, positions.theirs, positions.legal)
        return draw(chances, rng.random())

    def __call__(self, position: Any, rng: Any) -> int:
        """Draw a move for one position."""
        marks = np.array([list(str(position))])
        mine, theirs = (marks == letter for letter in ("xo", "ox")[position.to_move])
        *_, chances = self.chances(mine, theirs, marks == "_")
        return int(draw(chances, np.array([rng.random()]))[0])


def draw(chances: Any, uniform: Any) -> Any:
    """Return a column of each row, by its chances."""
    return (np.cumsum(chances, axis=1) > 0.9999 * uniform[:, None]).argmax(axis=1)


def make(file: str) -> Net:
    """Return the network of a checkpoint: ``arena fight ... --as ./net.py:make``."""
    return Net(dict(np.load(file)))
