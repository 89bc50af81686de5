"""Plan how much to play for the confidence that the user wants."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, exp, expm1, isfinite, log, log1p, sqrt, tanh

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats.anytime import anytime_interval
from arena.stats.binomial import loss_bound
from arena.stats.elo import NELO, expected_score
from arena.stats.interval import Z95
from arena.stats.sprt import MAX_ELO, LlrBounds, bounds, check_hypotheses

#: Larger numbers of observations are not planned.
MAX_OBSERVATIONS = 1e18

#: From this many pairs on none are planned with an interval that may be watched.
MAX_WATCHED = 1e12

TOO_MANY_PAIRS = "more than can be played"


@dataclass(frozen=True)
class ExpectedLength:
    """The expected length of a sequential test."""

    #: Number of games or of pairs, as the variance is of one of these; None, with the reason, if
    #: undefined.
    observations: float | None
    #: The probability that the test accepts H1.
    accepts_h1: float | None
    reason: str = ""


@dataclass(frozen=True)
class SampleSize:
    """A number of games or of pairs, or None, with the reason, where no number is enough."""

    number: int | None
    reason: str = ""


def expected_test(
    elo0: float,
    elo1: float,
    elo: float,
    variance: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> ExpectedLength:
    """Return how long the logistic test of elo0 against elo1 takes, and how it ends, if ``elo`` is
    true.

    ``variance`` is that of one observation's score, from 0 to 1. Wald's approximation takes the
    log-likelihood ratio as a Brownian motion that stops exactly at its bounds, as fishtest's
    calculator does. It is good for tests of many observations, when the three Elos are close.

    >>> plan = expected_test(0, 10, 5, variance=0.125)
    >>> round(plan.observations), round(plan.accepts_h1, 3)
    (5236, 0.5)
    """
    limits = bounds(alpha, beta)
    check_hypotheses(elo0, elo1)
    _check(elo, variance)
    low, high, true = (expected_score(x) for x in (elo0, elo1, elo))
    return _expected(limits, low, high, true, variance)


def expected_normalized_test(
    nelo0: float,
    nelo1: float,
    nelo: float,
    variance: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> ExpectedLength:
    """Return how long the normalised test takes on pairs, and how it ends, if ``nelo`` is true.

    ``variance`` is that of a pair's score. For the rest see :func:`expected_test`: the length
    depends on the variance only where that is 0.

    >>> round(expected_normalized_test(0, 10, 5, variance=0.01).observations)
    5233
    """
    limits = bounds(alpha, beta)
    check_hypotheses(nelo0, nelo1)
    if not variance:
        return _expected(limits, 0.0, 0.0, 0.0, variance)
    a_nelo = sqrt(2 * variance) / NELO
    low, high, true = (0.5 + a_nelo * x for x in (nelo0, nelo1, nelo))
    return _expected(limits, low, high, true, variance)


def _expected(
    limits: LlrBounds, low: float, high: float, true: float, variance: float
) -> ExpectedLength:
    """Return the length of a test between two mean scores."""
    width = high - low
    if not variance:
        return ExpectedLength(None, None, "results that never differ have no expected length")
    if not width:
        return ExpectedLength(None, None, "the hypotheses are the same score in floating point")
    drift = ((true - low) - (high - true)) / width
    passes = _passes(drift, limits.lower, limits.upper)
    if abs(drift) < 1e-6:
        mean = -limits.lower * limits.upper
    else:
        mean = 2 / drift * (limits.upper * passes + limits.lower * (1 - passes))
    observations = mean * (sqrt(variance) / width) ** 2
    if not observations < MAX_OBSERVATIONS:
        return ExpectedLength(None, passes, TOO_MANY_PAIRS)
    return ExpectedLength(observations, passes)


def pairs_for_error(error: float, variance: float, *, elo: float = 0.0) -> SampleSize:
    """Return the pairs after which the 95 % error of an Elo estimate is at most ``error``.

    ``variance`` is that of a pair's score, from 0 to 1, and ``elo`` the difference. The error is
    that of :func:`arena.stats.elo.elo_estimate`. For games, give the variance of a game's score.

    >>> pairs_for_error(10, variance=0.125).number
    2320
    """
    _check(elo, variance)
    if not (error > 0 and isfinite(error)):
        raise UsageError(f"error {error} must be a positive number of Elo")
    score = expected_score(-abs(elo))
    spread = score * (1 - score)
    # The margin d that solves Elo(m + d) - Elo(m - d) = 2 error, a quadratic equation.
    slope = tanh(error * log(10) / 400)
    margin = 2 * slope * spread / (1 + sqrt(1 - 4 * slope * slope * spread))
    number = (Z95 * sqrt(variance) / margin) ** 2 if margin > 1e-100 else MAX_OBSERVATIONS
    return (
        SampleSize(max(1, ceil(number)))
        if number < MAX_OBSERVATIONS
        else SampleSize(None, TOO_MANY_PAIRS)
    )


def pairs_until(
    counts: Sequence[float],
    half_width: float | None,
    alpha: float = 0.05,
    *,
    scores: Sequence[float] | None = None,
) -> SampleSize:
    """Return the pairs after which an interval that may be watched answers a question.

    ``counts[i]`` pairs, or their shares, have the score ``scores[i]``, by default i/(K-1). The
    question is whether the score is above a half, or, to ``half_width``, how high it is. It is
    answered by the interval (:func:`arena.stats.anytime.anytime_interval`) of the table that this
    many pairs are expected to have. About half of all fights need fewer.

    >>> pairs_until([1, 8, 82, 8, 1], 0.02).number
    419
    """
    total = sum(counts)

    def is_answered(pairs: int) -> bool:
        expected = [pairs * n / total for n in counts]
        interval = anytime_interval(expected, scores=scores, alpha=alpha)
        low, high = interval or (0.0, 1.0)
        return low > 0.5 or high < 0.5 if half_width is None else high - low <= 2 * half_width

    high = 1
    while not is_answered(high):
        high *= 2
        if high > MAX_WATCHED:
            return SampleSize(None, TOO_MANY_PAIRS)
    return SampleSize(bisect_left(range(high), True, high // 2, key=is_answered))


def games_without_loss(rate: float, confidence: float = 0.95) -> SampleSize:
    """Return the games without a loss after which a loss rate above ``rate`` is not believable.

    This is the least n whose :func:`arena.stats.binomial.loss_bound` is at most ``rate``.

    >>> games_without_loss(0.001).number
    2995
    """
    if not (rate > 0 and 0 < confidence < 1):
        raise UsageError(
            f"rate {rate} and confidence {confidence} must be above 0, the last below 1"
        )
    if rate >= 1:
        return SampleSize(0)
    number = log(1 - confidence) / log1p(-rate)
    if not number < MAX_OBSERVATIONS:
        return SampleSize(None, TOO_MANY_PAIRS)
    around = range(max(1, ceil(number) - 1), ceil(number) + 1)
    return SampleSize(next((n for n in around if loss_bound(n, confidence) <= rate), around.stop))


def _passes(drift: float, lower: float, upper: float) -> float:
    """Return the probability of the upper bound first, in exponentials that cannot overflow."""
    if abs(drift) < 1e-6:
        return -lower / (upper - lower)
    if drift > 0:
        return expm1(drift * lower) / expm1(-drift * (upper - lower))
    ratio = expm1(-drift * lower) / expm1(drift * (upper - lower))
    return exp(drift * upper) * ratio


def _check(elo: float, variance: float) -> None:
    if not -MAX_ELO <= elo <= MAX_ELO:
        raise UsageError(f"elo {elo} must lie within {MAX_ELO:.0f}")
    if not 0 <= variance <= 0.25 + 1e-9:  # rounding may exceed 1/4
        raise UsageError(f"variance {variance} is not from 0 to 1/4, as that of a score is")
