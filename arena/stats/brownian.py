"""Where a Brownian motion with drift leaves a strip, and when.

The formulas add up the images of the motion in both ends (Siegmund, "Sequential Analysis", 1985,
chapter III; Cox and Miller, "The Theory of Stochastic Processes", 1965, section 5.7). Every term is
a normal probability times an exponential that may overflow alone; :func:`_term` multiplies them as
logarithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, erfc, exp, log, pi, sqrt

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
