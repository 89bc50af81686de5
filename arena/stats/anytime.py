"""Intervals of a mean score that may be watched: they hold at every look at once.

An interval for a fixed number of observations is wrong 5 % of the time at one look. To look
again and again, and to stop when it looks right, misleads far more often. The intervals of this
module form a confidence sequence: the probability that the true mean is ever outside, at any of
infinitely many looks, is at most alpha. So it does not matter when, or why, one stops.

It is the betting confidence sequence of Waudby-Smith and Ramdas ("Estimating means of bounded
random variables by betting", Journal of the Royal Statistical Society B 86, 2024, 1-27). Somebody
who believes that the mean is above m bets a share c of a capital of 1 on each observation x, which
multiplies it by 1 + c (x/m - 1). If the mean is m the game is fair, and the capital has a
probability of at most alpha/2 to ever reach 2/alpha (Ville, 1939). So the lower end of the interval
is the mean at which it has just this much. The upper end is that of the mirrored scores. The
capital is shared out among some constant bets (method of mixtures; Orabona and Jun, "Tight
concentrations and confidence sequences from the regret of universal portfolio", IEEE Transactions
on Information Theory 70, 2024), so it depends on the counts alone and not on their order.

The weights are those of the density 1/(c log^1.5(e/c)) after Robbins ("Statistical methods related
to the law of the iterated logarithm", Annals of Mathematical Statistics 41, 1970): the interval is
narrow at every number of observations, not at one. It is 1.05 to 1.85 times as wide as
:func:`arena.stats.interval.score_interval` from 10 to 10,000 pairs.

All observations must be independent, and have the same mean given those before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, floor, fsum, log, log1p, sqrt

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.summation import added

#: The smallest and the largest share of the capital that is bet, and how many there are.
MIN_BET, MAX_BET, NUMBER = 1e-4, 0.99, 20

#: Bets on a logarithmic scale.
BETS = tuple(MIN_BET * (MAX_BET / MIN_BET) ** (i / (NUMBER - 1)) for i in range(NUMBER))

#: The share of the capital of each bet.
BET_WEIGHTS = tuple(
    (1 - log(bet)) ** -1.5 / fsum((1 - log(other)) ** -1.5 for other in BETS) for bet in BETS
)

#: This many different scores are left to NumPy.
MIN_NUMPY_SCORES = 24

#: Newton's method ends when a step is smaller, or after this many steps.
PRECISION, STEPS = 1e-10, 60

#: The ends are rounded outwards to a multiple of one over this: the logarithms of two machines may
#: differ in their last digit.
RESOLUTION = 10**12

#: Returns the logarithm of the capital at a mean, and its derivative there.
Capital = Callable[[float], tuple[float, float]]


def anytime_interval(
    counts: Sequence[float], *, scores: Sequence[float] | None = None, alpha: float = 0.05
) -> tuple[float, float] | None:
    """Return the interval for a mean score that holds at all looks together, or None without any.

    ``counts[i]`` counts the score ``scores[i]``, by default i/(K-1). Scores lie between 0 and 1.
    The probability that the mean is ever outside is at most ``alpha``. Raises UsageError for an
    alpha that is not between 0 and 1, or a score that is not from 0 to 1.

    >>> low, high = anytime_interval([20, 130, 420, 200, 30])
    >>> round(low, 4), round(high, 4)
    (0.504, 0.5523)
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must be between 0 and 1, not {alpha:g}")
    values = grid.scores(counts, scores)
    if values[0] < 0 or values[-1] > 1:
        raise UsageError(f"scores from {values[0]:g} to {values[-1]:g} are not within 0 and 1")
    cells = [(n, x) for n, x in zip(counts, values, strict=True) if n]
    if not cells:
        return None
    goal = log(2 / alpha)
    low, high = _lower(cells, goal), 1 - _lower([(n, 1 - x) for n, x in cells], goal)
    return floor(low * RESOLUTION) / RESOLUTION, ceil(high * RESOLUTION) / RESOLUTION


def _lower(cells: Sequence[tuple[float, float]], goal: float) -> float:
    """Return the mean at which the logarithm of the capital is the goal.

    It is convex and falls with the mean. So Newton's method, begun at a mean that is too low, comes
    nearer from there, and wherever it ends the interval is not too narrow.
    """
    total = fsum(n for n, _ in cells)
    mean = fsum(n * x for n, x in cells) / total
    if mean <= 0:
        return 0.0
    capital = _many(cells) if len(cells) > MIN_NUMPY_SCORES else _few(cells)
    variance = fsum(n * (x - mean) ** 2 for n, x in cells) / total
    reach = sqrt(2 * goal * (variance + mean / total) / total) / mean
    log_capital, slope = capital(low := mean / (1 + reach))
    while log_capital < goal:
        reach *= 2
        log_capital, slope = capital(low := mean / (1 + reach))
    for _ in range(STEPS):
        step = (goal - log_capital) / slope
        if not step > PRECISION * low:
            break
        low += step
        log_capital, slope = capital(low)
    return min(low, mean)


def _few(cells: Sequence[tuple[float, float]]) -> Capital:
    """Return the logarithm of the capital for a few different scores, without NumPy."""

    def capital(mean: float) -> tuple[float, float]:
        gains = [(n, x / mean) for n, x in cells]
        logs = [
            log(weight) + fsum(n * log1p(bet * (gain - 1)) for n, gain in gains)
            for bet, weight in zip(BETS, BET_WEIGHTS, strict=True)
        ]
        most = max(logs)
        shares = [exp(scaled - most) for scaled in logs]
        slopes = (
            share * bet * added(n * gain / (1 + bet * (gain - 1)) for n, gain in gains)
            for share, bet in zip(shares, BETS, strict=True)
            if share
        )
        return most + log(added(shares)), -added(slopes) / (mean * added(shares))

    return capital


def _many(cells: Sequence[tuple[float, float]]) -> Capital:
    """Return the same for many different scores."""
    import numpy as np

    counts, scores = np.array(cells, dtype=float).T
    bets, logs_of_weights = np.array(BETS)[:, None], np.log(BET_WEIGHTS)

    def capital(mean: float) -> tuple[float, float]:
        gains = scores / mean
        factors = 1 + bets * (gains - 1)
        logs = logs_of_weights + np.log(factors) @ counts
        shares = np.exp(logs - logs.max())
        slopes = (bets * gains / factors) @ counts
        total = shares.sum()
        return float(logs.max() + np.log(total)), float(-(shares @ slopes) / (mean * total))

    return capital
