"""Estimate a mean score after a sequential test has stopped.

A test that stops when the results look good makes them look better than they are. So the mean of
the results is not a fair estimate after a stop, and an interval for a fixed number of observations
does not hold. This module orders the ends that a test can have (stage-wise ordering, Siegmund,
"Sequential Analysis", 1985, chapter III), from low to high:

1. the test accepts H0, the earlier the lower;
2. it stops undecided at the most observations, the better their mean the higher;
3. it accepts H1, the earlier the higher.

The estimate is the true mean under which an end above the observed one is as probable as one below.
It is median-unbiased. The 95 % interval goes from the mean under which an end at least as high has
a probability of 2.5 % to the one under which it has 97.5 %.

From ten looks on the log-likelihood ratio is taken as a Brownian motion, as fishtest takes it.
Siegmund's correction (chapter X) moves its bounds outwards, because the ratio overshoots them. A
test with fewer looks is simulated, and so is one whose mean is so far from both hypotheses that
nearly all tests stop at the same look. There the mean of the results orders all tests that have
not stopped before that look.

The probabilities add up the images of the motion in both bounds (Siegmund, chapter III; Cox and
Miller, "The Theory of Stochastic Processes", 1965, section 5.7). Every term is a normal probability
times an exponential that may overflow alone. :func:`_term` multiplies them as logarithms.

Half an observation of the worst score and half of the best regularise the table (Jeffreys' prior).
Without them players that nearly always draw show too little variance, and their intervals are far
too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, erfc, exp, inf, log, pi, sqrt

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats import grid, sprt_simulation
from arena.stats.sprt import SprtDesign
from arena.stats.summation import added

#: A test with fewer looks is simulated.
MIN_LOOKS = 10

#: So is a test whose number of looks would hardly vary: standard deviations.
MIN_SPREAD = 5.0

#: Standard deviations of a step by which a normal random walk overshoots a bound on average.
OVERSHOOT = 0.583

DECISIONS = ("H0", "continue", "H1")

#: Halvings of the range of scores; they leave less than 1e-6 Elo.
SCORE_HALVINGS = 40


@dataclass(frozen=True)
class StopEstimate:
    """An estimate of the mean score after a stop."""

    #: Median-unbiased.
    mean: float
    #: The ends of the 95 % interval.
    low: float
    high: float
    #: One minus the one-sided p-value of "the mean is at most the level that was asked for".
    superiority: float


def estimate(
    counts: Sequence[float],
    decision: str,
    design: SprtDesign,
    *,
    scores: Sequence[float] | None = None,
    level: float = 0.5,
    seed: int = 0,
) -> StopEstimate:
    """Estimate the mean from the table with which a test stopped.

    ``counts[i]`` observations had the score ``scores[i]``, by default i/(K-1). ``decision`` is
    ``H0``, ``H1``, or ``continue`` if the test stopped undecided. ``seed`` is for the simulation
    of a test of few looks.
    Raises UsageError if the table is empty or is not a table, or ``decision`` is not one of these.

    >>> from arena.stats.sprt import bounds
    >>> found = estimate([20, 130, 420, 200, 30], "H1", SprtDesign(0.5, 0.514, bounds(), 10))
    >>> round(found.low, 4), round(found.mean, 4), round(found.high, 4)
    (0.501, 0.516, 0.5306)
    """
    values = grid.scores(counts, scores)
    total = added(counts)
    if not total:
        raise UsageError("nothing was observed: there is nothing to estimate")
    if decision not in DECISIONS:
        raise UsageError(f"decision {decision!r} is not one of {', '.join(DECISIONS)}")
    observed = grid.moments(counts, values)[1]
    walk = _BrownianMotion(grid.moments(grid.padded(counts, grid.JEFFREYS), values)[2], design)
    is_long = total > (MIN_LOOKS - 1) * design.batch
    if is_long and (decision == "continue" or walk.spread(observed) > MIN_SPREAD):
        at_least = _at_least(walk, total, observed, decision)
    else:
        at_least = sprt_simulation.at_least(counts, values, design, level, seed)
    high, mean, low = (_solved(at_least, p, values) for p in (0.975, 0.5, 0.025))
    return StopEstimate(
        mean, low, high, min(1.0, max(0.0, 1 - at_least(level)))
    )  # of a sum of floats


@dataclass(frozen=True)
class _BrownianMotion:
    """The log-likelihood ratio as a Brownian motion whose time is the number of observations."""

    variance: float
    design: SprtDesign

    def drift(self, mean: float) -> float:
        """Return what an observation adds on average: (m - c) (m1 - m0) / (variance + (m - c)^2).

        This is the slope of the likelihood at c, the middle between both hypotheses, times their
        distance. The most likely law of the mean c is wider than the observed one.
        """
        return self._lead(mean) * self._scale(mean)

    def growth(self, mean: float) -> float:
        """Return the variance of what an observation adds."""
        return self.variance * self._scale(mean) ** 2

    def strip(self, mean: float) -> Strip:
        """Return the motion between the bounds, moved outwards by the mean overshoot."""
        limits, growth = self.design.limits, self.growth(mean)
        overshoot = OVERSHOOT * sqrt(growth * self.design.batch)
        start = overshoot - limits.lower
        return Strip(self.drift(mean), growth, start, start + limits.upper + overshoot)

    def spread(self, mean: float) -> float:
        """Return the standard deviation of the number of looks, of a test that drifts to one bound.

        It is that of the inverse Gaussian law of the time at which a motion passes a bound.
        """
        strip = self.strip(mean)
        way = strip.width - strip.start if strip.drift > 0 else strip.start
        observations = sqrt(way * strip.variance / abs(strip.drift) ** 3) if strip.drift else inf
        return observations / self.design.batch

    def _lead(self, mean: float) -> float:
        return mean - (self.design.mean0 + self.design.mean1) / 2

    def _scale(self, mean: float) -> float:
        gap = self.design.mean1 - self.design.mean0
        return gap / (self.variance + self._lead(mean) ** 2)


def _at_least(
    walk: _BrownianMotion, total: float, observed: float, decision: str
) -> Callable[[float], float]:
    """Return the probability of an end at least as high as this one, as a function of the mean."""

    def chance(mean: float) -> float:
        strip = walk.strip(mean)
        if decision == "H1":
            return strip.leaves_above_by(total)
        if decision == "H0":
            return 1 - strip.mirrored().leaves_above_by(total)
        height = strip.start + total * walk.drift(observed)
        return 1 - strip.below(total, min(max(height, 0.0), strip.width))

    return chance


def _solved(at_least: Callable[[float], float], chance: float, scores: Sequence[float]) -> float:
    """Return the mean under which an end at least as high has this probability.

    It is the best or the worst score if every mean between them is too low or too high.
    """
    low, high = scores[0], scores[-1]
    for _ in range(SCORE_HALVINGS):
        middle = (low + high) / 2
        if at_least(middle) < chance:
            low = middle
        else:
            high = middle
    return low if low == scores[0] else high


#: Below this many standard deviations, the logarithm of a normal probability is its asymptote.
MIN_DEVIATIONS = -30.0

#: Largest exponent; ``exp`` overflows shortly above it.
MAX_EXPONENT = 700.0

#: Images of more than this many standard deviations do not count.
REACH = 9.0


@dataclass(frozen=True)
class Strip:
    """A motion between 0 and ``width`` that begins at ``start``.

    In a unit of time its mean grows by ``drift`` and its variance by ``variance``.
    """

    drift: float
    variance: float
    start: float
    width: float

    def mirrored(self) -> Strip:
        """Swap the two ends."""
        return Strip(-self.drift, self.variance, self.width - self.start, self.width)

    def leaves_above_by(self, time: float) -> float:
        """Return the probability that the motion has left by the upper end until ``time``.

        >>> Strip(0.0, 1.0, 1.0, 4.0).leaves_above_by(1000.0)
        0.25
        """
        gap, slope, spread = self._scale(time)
        total = 0.0
        for shift in self._shifts(spread):
            image = abs(gap + shift)
            passes = _term(slope * (gap - image), (self.drift * time - image) / spread)
            returns = _term(slope * (gap + image), -(self.drift * time + image) / spread)
            total += (passes + returns) * (1 if gap + shift > 0 else -1)
        return _probability(total)

    def below(self, time: float, height: float) -> float:
        """Return the probability that the motion has left below, or is inside under ``height``."""
        _, slope, spread = self._scale(time)
        total = 0.0
        for shift in self._shifts(spread):
            for image, sign in ((self.start + shift, 1), (-self.start - shift, -1)):
                # The tail away from the image, of the two: it has the digits.
                side = 1 if image > 0 else -1
                ends = (((end - image) - self.drift * time) / spread for end in (height, 0.0))
                upper, lower = (_term(slope * (image - self.start), side * end) for end in ends)
                total += sign * side * (upper - lower)
        return _probability(self.mirrored().leaves_above_by(time) + total)

    def _scale(self, time: float) -> tuple[float, float, float]:
        """Return the way to the upper end, drift by variance, and the standard deviation."""
        return self.width - self.start, self.drift / self.variance, sqrt(self.variance * time)

    def _shifts(self, spread: float) -> Iterator[float]:
        """Yield the distances between images, both ways, as far as they count."""
        most = ceil(REACH * spread / (2 * self.width)) + 1
        return (2 * self.width * number for number in range(-most, most + 1))


def _term(exponent: float, deviations: float) -> float:
    """Return ``exp(exponent)`` times the normal probability below this many deviations."""
    if deviations > MIN_DEVIATIONS:
        below = log(erfc(-deviations / sqrt(2)) / 2)
    else:
        below = -(deviations**2) / 2 - log(-deviations) - log(2 * pi) / 2
    return exp(min(exponent + below, MAX_EXPONENT))


def _probability(total: float) -> float:
    """Remove what rounding added."""
    return round(min(1.0, max(0.0, total)), 14)
