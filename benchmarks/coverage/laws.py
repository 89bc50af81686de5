"""Draw tests all at once from laws of results with a known mean."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from arena.stats.bradley_terry import ELO

Array = NDArray[np.float64]

#: Shares of pairs with 0, 1, 2, 3 and 4 doubled points, to be tilted to a mean score.
PAIRS = {
    "balanced": (0.05, 0.25, 0.40, 0.25, 0.05),
    "drawish": (0.002, 0.06, 0.876, 0.06, 0.002),
    "wild": (0.25, 0.15, 0.20, 0.15, 0.25),
}

#: Shares of differences between two pairs, -4 to 4 doubled points.
DIFFERENCES = {
    "a few pairs differ": (0.002, 0.004, 0.012, 0.02, 0.924, 0.02, 0.012, 0.004, 0.002),
    "most pairs differ": (0.01, 0.04, 0.10, 0.20, 0.30, 0.20, 0.10, 0.04, 0.01),
}

#: Stops a walk, from the tables so far: 1 for H1, -1 for H0, 0 to go on.
Decide = Callable[[Array], NDArray[np.int64]]


def generator(*names: object) -> np.random.Generator:
    """Return the random numbers of one row: the same at every run, others for other rows."""
    return np.random.default_rng(zlib.crc32(repr(names).encode()))


def chances(difference: float, draws: float = 0.0) -> tuple[float, float, float]:
    """Return the chances of a loss, a draw and a win by Davidson's model, for a difference in Elo.

    ``difference`` includes the first mover's advantage, ``draws`` is nu.

    >>> [round(p, 3) for p in chances(0, draws=1)]
    [0.333, 0.333, 0.333]
    """
    half, log_nu = difference / ELO / 2, math.log(draws) if draws > 0 else -math.inf
    top = max(abs(half), log_nu)
    loss, draw, win = math.exp(-half - top), math.exp(log_nu - top), math.exp(half - top)
    total = loss + draw + win
    return loss / total, draw / total, win / total


def scores(cells: int) -> Array:
    """Return equally spaced scores from 0 to 1, one for each cell."""
    return np.arange(cells) / (cells - 1)


def tilted(shape: tuple[float, ...], mean: float) -> Array:
    """Return the law nearest to the shape with this mean score, by exponential tilting."""
    values = scores(len(shape))
    low, high = -300.0, 300.0
    for _ in range(100):
        middle = (low + high) / 2
        law = np.array(shape) * np.exp(middle * (values - mean))
        law /= law.sum()
        low, high = (middle, high) if law @ values < mean else (low, middle)
    return law


def walks(
    law: Array, decide: Decide, batch: int, most: int, tests: int, rng: np.random.Generator
) -> tuple[Array, NDArray[np.int64]]:
    """Draw tests that look after every batch; return their tables and decisions at the stop."""
    tables, decisions = np.zeros((tests, len(law))), np.zeros(tests, np.int64)
    going = np.arange(tests)
    for played in range(0, most, batch):
        if not len(going):
            break
        tables[going] += rng.multinomial(min(batch, most - played), law, len(going))
        decisions[going] = decide(tables[going])
        going = going[decisions[going] == 0]
    return tables, decisions


def ratios(tables: Array, mean0: float, mean1: float) -> Array:
    """Return the logistic log-likelihood ratio of every table, as arena.stats.sprt has it."""
    cells = np.where(tables == 0, 1e-3, tables)
    chances = cells / cells.sum(1, keepdims=True)
    values = scores(tables.shape[1])
    likely = [_likely(chances, values - mean) for mean in (mean0, mean1)]
    return np.asarray((cells * np.log(likely[1] / likely[0])).sum(1))


def _likely(chances: Array, excess: Array) -> Array:
    """Return the most likely laws with mean excess zero, one row per table."""
    low = np.full(len(chances), -1 / excess.max())
    high = np.full(len(chances), -1 / excess.min())
    for _ in range(45):
        theta = (low + high) / 2
        spread = np.maximum(1 + theta[:, None] * excess, chances)
        rises = (chances * excess / spread).sum(1) > 0
        low, high = np.where(rises, theta, low), np.where(rises, high, theta)
    return np.asarray(chances / np.maximum(1 + ((low + high) / 2)[:, None] * excess, chances))
