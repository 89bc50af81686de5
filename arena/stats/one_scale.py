"""Test whether one scale explains the scores of all pairings.

The mean score of each pairing is compared with its expectation by the ratings. The ratings move to
where the sum of squared residuals, each divided by its variance, is least: one step of Gauss and
Newton from the fit. That least sum is a chi-square with as many degrees of freedom as there are
pairings beyond those that fix the ratings (Neyman's minimum chi-square; Cox and Hinkley,
"Theoretical Statistics", 1974, section 9.3). The variances are those of the observations, so the
games of a pair may depend on each other, and draws may differ between pairings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.arrays import Ints
from arena.dataclass import dataclass
from arena.stats.chisquare import chi_square_sf
from arena.stats.davidson import Array
from arena.stats.differences import MAX_VARIANCE
from arena.stats.interval import AGRESTI_COULL
from arena.stats.pairings import PairingCounts


@dataclass(frozen=True)
class Misfit:
    """How much one scale leaves."""

    #: The least sum of squared residuals, and its degrees of freedom.
    chi_square: float
    freedom: int
    #: The chance of so large a sum if one scale explains all.
    p_value: float
    #: The share of the variance between pairings that one scale leaves, less the part of chance;
    #: None if the pairings do not vary more than by chance.
    unexplained: float | None


@dataclass(frozen=True)
class _Scores:
    """The scores of the pairings, arrays with one number each."""

    a: Ints
    b: Ints
    #: Mean score of a, less its expectation.
    residual: Array
    #: How much a's expectation rises with the difference of the ratings.
    slope: Array
    #: The variance of the mean, with z²/2 observations of the worst and best score, and without.
    variance: Array
    own_variance: Array
    #: Mean score of a.
    mean: Array


def misfit_of(
    groups: Sequence[tuple[int, ...]], pairings: Sequence[PairingCounts], point: Array
) -> Misfit | None:
    """Test the fit of a point: ratings, the first mover's advantage and log nu, as logarithms.

    None if there are no more pairings than the ratings need.
    """
    connected = [group for group in groups if len(group) > 1]
    freedom = len(pairings) - sum(map(len, connected)) + len(connected)
    if freedom <= 0:
        return None
    scores = _scores(pairings, point)
    held = [player for group in groups for player in (group if len(group) == 1 else group[:1])]
    residual = scores.residual - scores.slope * _moved(scores, held, len(point) - 2)
    chi_square = float((residual**2 / scores.variance).sum())
    rest = float((residual**2).sum()) - freedom / len(pairings) * float(scores.own_variance.sum())
    whole = float(((scores.mean - 0.5) ** 2 - scores.own_variance).sum())
    share = min(1.0, max(0.0, rest / whole)) if whole > 0 else None
    return Misfit(chi_square, freedom, chi_square_sf(chi_square, freedom), share)


def _moved(scores: _Scores, held: Sequence[int], players: int) -> Array:
    """Return by how much each pairing's difference of ratings moves towards the least sum."""
    weight = scores.slope**2 / scores.variance
    matrix, goal = np.zeros((players, players)), np.zeros(players)
    np.add.at(matrix, (scores.a, scores.b), -weight)
    matrix += matrix.T
    np.fill_diagonal(matrix, -matrix.sum(1))
    pull = scores.slope * scores.residual / scores.variance
    np.add.at(goal, scores.a, pull)
    np.add.at(goal, scores.b, -pull)
    matrix[held, :] = matrix[:, held] = 0
    matrix[held, held], goal[held] = 1, 0
    moved = np.linalg.solve(matrix, goal)
    change: Array = moved[scores.a] - moved[scores.b]
    return change


def _scores(pairings: Sequence[PairingCounts], point: Array) -> _Scores:
    a, b = np.array([(pairing.a, pairing.b) for pairing in pairings]).T
    cells = [(place, cell, n) for place, m in enumerate(pairings) for cell, n in m.cells]
    where = np.array([place for place, _, _ in cells])
    times = np.array([float(n) for _, _, n in cells])
    games = [(cell, g.moved, g.points, len(c)) for cell, (_, c, _) in enumerate(cells) for g in c]
    of_cell, moved, points, cell_sizes = np.array(games).T
    places = where[of_cell]
    expected, rising = _expected(point[a[places]] - point[b[places]] + moved * point[-2], point[-1])

    def per_observation(of_games: Array) -> Array:
        return np.bincount(of_cell, of_games / cell_sizes).astype(np.float64)

    def total(of_observations: Array) -> Array:
        return np.bincount(where, times * of_observations).astype(np.float64)

    seen, number = per_observation(points / 2), total(np.ones(len(times)))
    mean = total(seen) / number
    own_variance = np.maximum(total((seen - mean[where]) ** 2), 0) / np.maximum(number - 1, 1)
    more = number + 2 * AGRESTI_COULL
    centre = (number * mean + AGRESTI_COULL) / more
    spread = total((seen - centre[where]) ** 2) + AGRESTI_COULL * (centre**2 + (1 - centre) ** 2)
    return _Scores(
        a,
        b,
        residual=mean - total(per_observation(expected)) / number,
        slope=total(per_observation(rising)) / number,
        variance=np.minimum(MAX_VARIANCE, spread / (more - 1)) / number,
        own_variance=np.where(number > 1, own_variance, MAX_VARIANCE) / number,
        mean=mean,
    )


def _expected(difference: Array, log_nu: float) -> tuple[Array, Array]:
    """Return the expected scores of games, and how they rise with the difference of the ratings."""
    top = np.maximum(np.abs(difference) / 2, log_nu)
    odds = np.exp([difference / 2 - top, log_nu - top, -difference / 2 - top])
    win, draw, loss = odds / odds.sum(0)
    return win + draw / 2, win * loss + draw * (win + loss) / 4
