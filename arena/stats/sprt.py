"""The generalised sequential probability ratio test on results of games or pairs.

It decides between two hypotheses on the difference in Elo as the results come in. Counts are as in
:mod:`arena.stats.elo`. The logistic model takes any number of cells, such as the nine of
differences between pairs. The log-likelihood ratio is that of the two multinomial
distributions that are most likely under the hypotheses (Van den Bergh, "The generalized maximum
likelihood ratio for the expectation value of a distribution"), as fishtest and fastchess compute
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, log, log1p, sqrt

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats import grid
from arena.stats.elo import NELO, expected_score, games_per_observation
from arena.stats.summation import added

#: Count of a cell without results, so that no hypothesis becomes impossible.
REGULAR = 1e-3

#: Largest Elo of a hypothesis; at 4000 a score differs from one by 1e-10.
MAX_ELO = 4000.0

MODELS = ("logistic", "normalized")


@dataclass(frozen=True)
class LlrBounds:
    """The log-likelihood ratios at which H0 and H1 are accepted."""

    lower: float
    upper: float


@dataclass(frozen=True)
class SprtDesign:
    """A sequential test between two mean scores, on the scale of the observations."""

    #: The means under H0 and H1, the second above the first.
    mean0: float
    mean1: float
    #: The log-likelihood ratios at which the test accepts H0 and H1.
    limits: LlrBounds
    #: Observations between two looks.
    batch: int

    def __post_init__(self) -> None:
        if not (self.mean0 < self.mean1 and self.limits.lower < 0 < self.limits.upper):
            raise UsageError(f"{self} does not have two hypotheses and a bound on each side of 0")
        if self.batch < 1:
            raise UsageError(f"a test looks after 1 observation or more, not after {self.batch}")


@dataclass(frozen=True)
class Sprt:
    """The state of a test."""

    #: None, with the reason, where the ratio is not defined.
    llr: float | None
    lower: float
    upper: float
    #: ``H0``, ``H1`` or ``continue``.
    decision: str
    reason: str = ""


def bounds(alpha: float = 0.05, beta: float = 0.05) -> LlrBounds:
    """Return Wald's bounds for error probabilities. Raises UsageError unless they can be kept.

    >>> round(bounds(0.05, 0.1).lower, 6), round(bounds(0.05, 0.1).upper, 6)
    (-2.251292, 2.890372)
    """
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise UsageError(
            f"alpha {alpha} and beta {beta} must be positive and add up to less than 1"
        )
    return LlrBounds(log(beta) - log1p(-alpha), log1p(-beta) - log(alpha))


def check_hypotheses(elo0: float, elo1: float) -> None:
    """Raise UsageError unless both are differences in Elo, the second above the first."""
    if not (isfinite(elo0) and isfinite(elo1) and -MAX_ELO <= elo0 < elo1 <= MAX_ELO):
        raise UsageError(f"elo0 {elo0} must be less than elo1 {elo1}, both within {MAX_ELO:.0f}")


def sprt(
    counts: Sequence[float],
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
    scores: Sequence[float] | None = None,
) -> Sprt:
    """Test H0: the difference is elo0, against H1: it is elo1, on the results so far.

    ``counts[i]`` observations had the score ``scores[i]``, by default i/(K-1). Given scores rise
    from 0 to 1 and are those of pairs.
    """
    limits = bounds(alpha, beta)
    if model not in MODELS:
        raise UsageError(f"model {model!r} is not one of {', '.join(MODELS)}")
    check_hypotheses(elo0, elo1)
    values = grid.scores(counts, scores)
    games = games_per_observation(counts, scores) if model == "normalized" else 1
    if not sum(counts):
        return Sprt(0.0, limits.lower, limits.upper, "continue", "nothing was played")
    if model == "logistic":
        llr = ratio_of_means(counts, values, expected_score(elo0), expected_score(elo1))
    else:
        llr = _llr_normalized(counts, values, elo0, elo1, games)
    if llr is None:
        reason = "the normalised model has no such distribution on these results"
        return Sprt(None, limits.lower, limits.upper, "continue", reason)
    decision = "H1" if llr >= limits.upper else "H0" if llr <= limits.lower else "continue"
    return Sprt(llr, limits.lower, limits.upper, decision)


def ratio_of_means(
    counts: Sequence[float], scores: Sequence[float], mean0: float, mean1: float
) -> float | None:
    """Return the log-likelihood ratio of two mean scores, between the worst score and the best.

    None if rounding leaves a hypothesis without a distribution.
    """
    cells = [count or REGULAR for count in counts]
    chances = _shares(cells)

    def most_likely(mean: float) -> list[float] | None:
        """Return the most likely law with the mean score of the hypothesis."""
        return _tilted(chances, [score - mean for score in scores])

    return _ratio(cells, most_likely(mean0), most_likely(mean1))


def _llr_normalized(
    counts: Sequence[float], scores: Sequence[float], nelo0: float, nelo1: float, games: int
) -> float | None:
    cells = [count or REGULAR for count in counts]
    chances = _shares(cells)
    per_game = sqrt(games)

    def most_likely(nelo: float) -> list[float] | None:
        """Return the law with (mean - 1/2) / sd = t, by a fixed point from the uniform one."""
        t = per_game * nelo / NELO
        law = [1 / len(scores)] * len(scores)
        for _ in range(10):
            mean = added(q * a for q, a in zip(law, scores, strict=True))
            variance = added(q * (a - mean) ** 2 for q, a in zip(law, scores, strict=True))
            if variance <= 0:
                return None
            sd = sqrt(variance)
            phi = [a - 0.5 - t * sd / 2 * (1 + ((a - mean) / sd) ** 2) for a in scores]
            before, tilted = law, _tilted(chances, phi)
            if tilted is None:
                return None
            law = tilted
            if max(abs(q - p) for q, p in zip(law, before, strict=True)) < 1e-9:
                break
        return law

    return _ratio(cells, most_likely(nelo0), most_likely(nelo1))


def _shares(cells: Sequence[float]) -> list[float]:
    total = added(cells)
    return [cell / total for cell in cells]


def _tilted(chances: Sequence[float], phi: Sequence[float]) -> list[float] | None:
    """Return the distribution q nearest to the chances p with sum(q phi) = 0: q = p / (1 + theta
    phi).

    It is None if phi does not have both signs. As q is at most 1, 1 + theta phi is at least p. Next
    to its poles it may come out as zero.
    """
    if not min(phi) < 0 < max(phi):
        return None
    cells = list(zip(chances, phi, strict=True))
    theta = _root(
        lambda theta: added(p * f / max(1 + theta * f, p) for p, f in cells),
        -1 / max(phi),
        -1 / min(phi),
    )
    return [p / max(1 + theta * f, p) for p, f in cells]


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that falls from plus to minus infinity between its poles."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if f(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _ratio(cells: Sequence[float], q0: list[float] | None, q1: list[float] | None) -> float | None:
    if q0 is None or q1 is None:
        return None
    if min(q0) <= 0 or min(q1) <= 0:
        return None
    return added(n * log(b / a) for n, a, b in zip(cells, q0, q1, strict=True))
