"""Compare entrants over their whole field: limits that hold at every look.

An entrant's value is the mean of its expected scores against each of the other entrants: its score
against an opponent drawn uniformly. The difference of two values is a weighted sum of the means of
pairings, and observations of different pairings are independent.

For one observation X in [0, 1] with mean m, and a guess c in [0, 1] made before it,
``exp(t (X - m) - psi(t) (X - c)^2)`` with ``psi(t) = -log(1 - t) - t`` has an expectation of at
most 1, for every t in [0, 1) (Fan, Grama and Liu, Electronic Journal of Probability 20, 2015, 1-22;
Howard, Ramdas, McAuliffe and Sekhon, The Annals of Statistics 49, 2021, 1055-1080, theorem 4). So
the product over all observations of all pairings is a supermartingale, whichever pairings are
played when, as long as that follows from what was seen before. A mixture over t stays one, and
exceeds ``1 / level`` at any time with a probability of at most ``level`` (Ville's inequality). One
product for the whole sum is far narrower than an interval for each pairing, as in stratified
sampling (Waudby-Smith, Stark and Ramdas, RiLACS, E-Vote-ID 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Floats

Relation = NDArray[np.bool_]

#: The largest t; a mutual pairing counts twice, and 2 t must stay below 1.
MAX_T = 0.45

#: Ratio of one t to the next.
T_RATIO = 1.5

#: Variance of the score of a pair of even players of whose games none is drawn.
VARIANCE = 1 / 8

#: The chance that a limit of a value is ever wrong: an interval of two holds with 95 %.
VALUE_LEVEL = 0.025

#: Newton's steps towards a limit. Each of them errs on the wide side.
NEWTON = 5


class Field:
    """The observations of all pairings of a field, and limits for differences of values.

    Each limit of a difference, taken for itself, is ever wrong with a probability of at most
    ``level``, and each limit of a value with one of VALUE_LEVEL. They are narrowest where a
    difference of ``margin`` is decided, or after ``cap`` observations of every pairing.
    """

    def __init__(self, entrants: int, level: float, margin: float, cap: int) -> None:
        self.entrants, self._level = entrants, level
        shape = entrants, entrants
        #: ``counts[i, k]``: observations of the pairing of i and k.
        self.counts: Floats = np.zeros(shape)
        #: ``sums[i, k]``: the sum of i's scores against k.
        self.sums: Floats = np.zeros(shape)
        #: Sums of squared distances of the scores from what was guessed before.
        self._squares: Floats = np.zeros(shape)
        #: ``upper[i, k]``: no smaller than i's value less k's.
        self.upper: Floats = np.ones(shape)
        #: ``low[i]`` and ``high[i]``: i's value lies between them.
        self.low: Floats = np.zeros(entrants)
        self.high: Floats = np.ones(entrants)
        self._in: Relation = np.ones(entrants, bool)
        self._tilts = _tilts(entrants, level, margin, cap)

    def add(self, a: int, b: int, counts: Sequence[float], scores: Sequence[float]) -> None:
        """Add observations of a pairing: ``counts[i]`` of them have a's score ``scores[i]``.

        All of them must have been made after the last ones that were added.
        """
        numbers, values = np.asarray(counts, float), np.asarray(scores, float)
        guess = (self.sums[a, b] + 0.5) / (self.counts[a, b] + 1)
        number, total = numbers.sum(), numbers @ values
        square = numbers @ (values - guess) ** 2
        for i, k, score in ((a, b, total), (b, a, number - total)):
            self.counts[i, k] += number
            self.sums[i, k] += score
            self._squares[i, k] += square

    def leave(self, entrant: int) -> None:
        """Take an entrant out of the field: its games do not count any more.

        Why it leaves must not have to do with its results.
        """
        self._in[entrant] = False
        self.upper = np.ones_like(self.upper)
        self.low, self.high = np.zeros_like(self.low), np.ones_like(self.high)

    @property
    def values(self) -> Floats:
        """Return the estimated values, or 1/2 for a pairing without an observation."""
        return np.asarray((self._means() * self._others()).sum(1) / max(1, int(self._in.sum()) - 1))

    def look(self) -> Floats:
        """Take up what was added and return the upper limits of all differences.

        The limits of the values are brought up to date with them.

        A limit holds whatever number of observations all pairings are brought to: where there are
        fewer, the missing ones may have any score. So it is narrow where all pairings of both
        entrants have the same number. The limits of the last looks still hold.
        """
        others = self._others()
        counts = self.counts[others > 0]
        counts = counts[counts > 0]
        if len(counts):
            widths, rivals = self._widths(others), self._in.sum() - 1
            for most in {float(np.median(counts)), float(counts.max())}:
                limits = (self._gaps(others, most) + widths) / most / rivals
                np.minimum(self.upper, limits, out=self.upper)
                self._limit_values(others, most)
        return self.upper

    def _limit_values(self, others: Floats, most: float) -> None:
        """Narrow the limits of the values, by the same products over an entrant's own pairings."""
        lacking = np.maximum(most * others - self.counts, 0) * others
        surplus = np.maximum(self.counts - most * others, 0) * others
        sums, scale = (self.sums * others).sum(1), most * (self._in.sum() - 1)
        tilts = np.array(self._tilts)
        spent = np.multiply.outer((self._squares * others).sum(1), -np.log1p(-tilts) - tilts)
        width = _mixed(spent, tilts, log(len(tilts) / VALUE_LEVEL))
        np.maximum(self.low, (sums - surplus.sum(1) - width) / scale, out=self.low)
        np.minimum(self.high, (sums + lacking.sum(1) + width) / scale, out=self.high)

    def stays_undecided(self, through: Relation, margin: float) -> Relation:
        """Return where it will hardly be decided which is ahead, as pairings are ``through``.

        The score of a pairing that has no more observations stays open from 0 to 1. By the
        estimates so far, and their errors, i would still be equal to k or ahead of it by more than
        the margin, at ``[i, k]``, if all others went on for ever.
        """
        others = self._others()
        rivals = max(1, int(self._in.sum()) - 1)
        sums = self._means() * others * ~through
        low, high = sums.sum(1), (sums + others * through).sum(1)
        least, most = (low[:, None] - high) / rivals, (high[:, None] - low) / rivals
        error = self._widths(others) / max(1.0, float(self.counts.max())) / rivals
        return np.asarray((least + error < 0) & (most - error > margin))

    def _means(self) -> Floats:
        return np.asarray((self.sums + 0.5 * (self.counts == 0)) / np.maximum(self.counts, 1))

    def _others(self) -> Floats:
        """Return 1 for the pairings of the field and 0 for all others."""
        others = np.outer(self._in, self._in).astype(float)
        np.fill_diagonal(others, 0)
        return others

    def _gaps(self, others: Floats, most: float) -> Floats:
        """Return the sums of differences, had all missing observations the best score."""
        counts, sums = self.counts * others, self.sums * others
        lacking, surplus = (
            np.maximum(most * others - counts, 0),
            np.maximum(counts - most * others, 0),
        )
        return np.asarray((sums + lacking).sum(1)[:, None] - (sums - surplus).sum(1)[None, :])

    def _widths(self, others: Floats) -> Floats:
        """Return how far the sums of differences may lie above their expectations."""
        squares = self._squares * others
        total = squares.sum(1)
        difference_squares = total[:, None] + total[None, :] - 2 * squares
        tilts = np.array(self._tilts)
        weights = -np.log1p(-tilts) - tilts, -np.log1p(-2 * tilts) - 2 * tilts
        spent = np.multiply.outer(difference_squares, weights[0]) + np.multiply.outer(
            squares, weights[1]
        )
        return _mixed(spent, tilts, log(len(tilts) / self._level))


def _mixed(spent: NDArray[np.float64], tilts: NDArray[np.float64], bound: float) -> Floats:
    """Return the widths B with ``log sum exp(tilts B - spent) = bound``, or slightly above them."""
    width = ((bound + spent) / tilts).min(-1)
    for _ in range(NEWTON):
        powers = tilts * width[..., None] - spent
        top = powers.max(-1, keepdims=True)
        terms = np.exp(powers - top)
        total = terms.sum(-1)
        excess = top[..., 0] + np.log(total) - bound
        width = width - excess * total / (terms @ tilts)
    return np.asarray(width)


def _tilts(entrants: int, level: float, margin: float, cap: int) -> list[float]:
    """Return the t that are mixed, from the one that is best for the longest fights."""
    longest = sqrt(log(1 / level) / (VARIANCE * entrants * max(1, cap)))
    least = min(MAX_T / T_RATIO, max(margin / (4 * VARIANCE), longest))
    steps = max(1, ceil(log(MAX_T / least) / log(T_RATIO)))
    return [MAX_T * T_RATIO**-i for i in range(steps + 1)]
