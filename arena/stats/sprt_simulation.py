"""Simulate sequential tests that have stopped.

The observed table, regularised, is tilted to the means of a few laws. Tests under each of these
are simulated up to the look at which the observed test stopped. Importance weights then give the
probability of any end under any mean in between (the balance heuristic of Veach and Guibas,
"Optimally Combining Sampling Techniques for Monte Carlo Rendering", 1995).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING

from arena.stats import grid
from arena.stats.sprt import REGULAR, SprtDesign
from arena.stats.summation import added

if TYPE_CHECKING:
    from arena.arrays import Floats


#: Distances of the laws' means from the observed mean, in standard errors.
ANCHORS = (-3.0, -1.5, 0.0, 1.5, 3.0)

#: Number of tests from each law.
TESTS = 240

#: Looks of a simulated test; one with more looks gets longer batches.
MAX_SIMULATED_LOOKS = 40

#: Number of means at which probabilities are computed, and their reach in standard errors.
MEANS, _REACH = 33, 6.0

#: Halvings of an interval; a tilt or a ratio is then more exact than necessary.
HALVINGS = 30

#: Means that differ by less are equal.
ROUNDING = 1e-9


def at_least(
    counts: Sequence[float],
    scores: Sequence[float],
    design: SprtDesign,
    level: float,
    seed: int,
) -> Callable[[float], float]:
    """Return the probability of an end at least as high as this one, as a function of the mean.

    Ends are ordered as in :mod:`arena.stats.sequential_estimate`. ``level`` is a mean at which the
    function will be asked. It is interpolated between means within ``REACH`` standard errors.
    """
    import numpy as np

    table, values = np.array(grid.padded(counts, grid.JEFFREYS)), np.array(scores)
    law = table / table.sum()
    mean = float(law @ values)
    error = float(np.sqrt(law @ (values - mean) ** 2 / table.sum()))
    span = values[-1] - values[0]
    inner = (values[0] + 1e-3 * span, values[-1] - 1e-3 * span)
    anchors = np.clip(mean + error * np.array(ANCHORS), *inner)
    means = np.clip(mean + error * np.linspace(-_REACH, _REACH, MEANS), *inner)
    means = np.unique(np.append(means, np.clip(level, *inner)))
    tables, high = _ends(_tilted(law, values, anchors), values, counts, design, seed)
    drawn_from = _mixed(tables @ np.log(_tilted(law, values, anchors)).T)
    weights = np.exp(tables @ np.log(_tilted(law, values, means)).T - drawn_from[:, None])
    chances = np.maximum.accumulate(high @ weights / weights.sum(0))
    return lambda at_mean: float(np.interp(at_mean, means, chances))


def _ends(
    laws: Floats, scores: Floats, counts: Sequence[float], design: SprtDesign, seed: int
) -> tuple[Floats, Floats]:
    """Draw tests from every law: their tables, and how far each ends above the observed one.

    That is 1 for a higher end, 0 for a lower one, and a half for an equal one. A test that accepted
    a hypothesis before the look of the observed stop has its end there. The means at that look
    order the others, whether they go on or not.
    """
    import numpy as np

    rng = np.random.RandomState(seed % 2**32)  # whose numbers no version of NumPy changes

    def draw(observations: int) -> Floats:
        drawn = [rng.multinomial(observations, law, TESTS) for law in laws]
        return np.concatenate(drawn).astype(float)

    total = round(sum(counts))
    batch = max(design.batch, ceil(total / MAX_SIMULATED_LOOKS))
    looks = max(1, ceil(total / batch))
    tables, going = np.zeros((len(laws) * TESTS, len(scores))), np.arange(len(laws) * TESTS)
    above = np.zeros(len(tables))
    for _ in range(looks - 1):
        tables[going] += draw(batch)[going]
        ratios = _ratios(tables[going], scores, design)
        above[going] = ratios >= design.limits.upper
        going = going[(design.limits.lower < ratios) & (ratios < design.limits.upper)]
    tables[going] += draw(total - batch * (looks - 1))[going]
    lead = tables[going] @ scores / total - float(np.dot(counts, scores)) / added(counts)
    above[going] = (lead > ROUNDING) + (abs(lead) <= ROUNDING) / 2
    return tables, above


def _tilted(law: Floats, scores: Floats, means: Floats) -> Floats:
    """Return the laws nearest to this one that have these means: one row each.

    They are proportional to ``law * exp(tilt * scores)``. The tilt is found by halving.
    """
    import numpy as np

    def tilt(by: Floats) -> Floats:
        exponents = by[:, None] * (scores - scores.mean())
        powers = law * np.exp(exponents - exponents.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True))

    farthest = 200 / (scores[-1] - scores[0])
    low, high = np.full(len(means), -farthest), np.full(len(means), farthest)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_low = tilt(middle) @ scores < means
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return np.maximum(tilt((low + high) / 2), 1e-300)


def _ratios(tables: Floats, scores: Floats, design: SprtDesign) -> Floats:
    """Return the log-likelihood ratio of each table, as :func:`arena.stats.sprt.sprt` has it."""
    import numpy as np

    cells = np.where(tables == 0, REGULAR, tables)
    total = cells.sum(1, keepdims=True)
    chances = cells / total
    logs = [_log_likely(chances, scores - mean) for mean in (design.mean0, design.mean1)]
    return np.asarray((cells * (logs[1] - logs[0])).sum(1))


def _log_likely(chances: Floats, excess: Floats) -> Floats:
    """Return the logarithms of the most likely laws whose mean excess is 0: one row a table."""
    import numpy as np

    low = np.full(len(chances), -1 / excess.max())
    high = np.full(len(chances), -1 / excess.min())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        share = np.maximum(1 + middle[:, None] * excess, chances)
        is_low = (chances * excess / share).sum(1) > 0
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    share = np.maximum(1 + ((low + high) / 2)[:, None] * excess, chances)
    return np.asarray(np.log(chances / share))


def _mixed(logs: Floats) -> Floats:
    """Return the logarithm of the mean of the exponentials of each row."""
    import numpy as np

    top = logs.max(1)
    return np.asarray(top + np.log(np.exp(logs - top[:, None]).mean(1)))
