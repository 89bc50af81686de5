"""Ratings of all players of a table at once, in Elo, with errors that respect pairs.

The model is Davidson's (:mod:`arena.stats.davidson`), fitted by maximum likelihood. A player has a
finite rating only within a group whose members all took at least half a point from each other,
directly or through others (Ford, American Mathematical Monthly 64, 1957): who won everything has no
upper bound. Such groups are rated one by one, each with mean zero, and what cannot be compared is
said. Every function is total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from statistics import fmean

from arena.stats import bootstrap
from arena.stats.comparable import Comparable
from arena.stats.connectivity import cycles_differ
from arena.stats.davidson import (
    Free,
    Point,
    chances,
    fit,
    guess,
    largest_change,
    newton_step,
    steadied,
)
from arena.stats.meetings import Meeting, pooled

#: Elo in a natural logarithm of odds.
ELO = 400 / log(10)

#: Replicates of the bootstrap.
REPLICATES = 200

#: What moves more than this in log-odds when the imaginary games are halved has no bound.
UNBOUNDED = 0.03

#: What a fit leaves in log-odds, a fifth of an Elo, where only rounding can be to blame.
INEXACT = 1e-3

#: A nu beyond this, of a replicate, is larger than floats.
LARGEST_LOG_NU = 700.0

#: Said of a fit that rounding spoilt.
ROUGH = "the numbers of games differ by too much for exact ratings"


@dataclass(frozen=True)
class Parameter:
    """A value and its 95 % interval; None for what has no bound or was not estimated."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: Why a number is None, or with whom alone it compares.
    reason: str = ""


@dataclass(frozen=True)
class Ratings:
    """The parameters of a table of results."""

    #: In Elo, in the order of the players; of mean zero in every group of two or more.
    ratings: tuple[Parameter, ...]
    #: What moving first is worth, in Elo.
    advantage: Parameter
    #: Davidson's nu: even players draw nu / (2 + nu) of their games.
    draws: Parameter
    #: The players that compare with each other; a group comes before those it won everything from.
    groups: tuple[tuple[int, ...], ...]
    #: What a reader has to know, in sentences.
    statements: tuple[str, ...]
    #: Of the bootstrap; without any there are no intervals.
    replicates: int


@dataclass(frozen=True)
class _Fit:
    """The most likely parameters, and how they vary."""

    best: Point
    #: Its change when the imaginary games that keep it finite are halved.
    drift: Point
    #: Whether rounding spoilt it: some numbers of games are 10^10 times others.
    rough: bool
    free: Free
    spread: Sequence[Point]


def rate(
    names: Sequence[str],
    meetings: Iterable[Meeting],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Ratings:
    """Rate the players by all their meetings; intervals are from so many replicates.

    >>> table = rate(["a", "b"], [Meeting.of_games(0, 1, (9, 0, 91))])
    >>> [round(rating.value) for rating in table.ratings]
    [201, -201]
    """
    pools = pooled(len(names), meetings)
    comparable = Comparable(names, pools)
    data = bootstrap.Data(comparable.within(pools))
    fitted = _fitted(len(names), data, replicates, seed)
    comparable.split(fitted.drift.ratings, UNBOUNDED)
    return Ratings(
        tuple(_rating(comparable, player, fitted) for player in range(len(names))),
        _advantage(data, fitted),
        _draws(data, fitted),
        comparable.groups,
        comparable.statements + (ROUGH,) * fitted.rough,
        replicates,
    )


def expected(difference: float, draws: float = 0.0) -> tuple[float, float, float]:
    """The chances of a loss, a draw and a win for who is better by so much Elo, and moves first.

    ``difference`` includes the first mover's advantage, ``draws`` is nu.

    >>> [round(p, 3) for p in expected(0, draws=1)]
    [0.333, 0.333, 0.333]
    """
    return chances(difference / ELO, log(draws) if draws > 0 else -inf)


def _fitted(players: int, data: bootstrap.Data, replicates: int, seed: int) -> _Fit:
    if not data.counts():
        nothing = Point((0.0,) * players, 0.0, 0.0)
        return _Fit(nothing, nothing, False, Free(False, False), ())
    counts = steadied(data.counts())
    drawn = any(draws for _, draws, _ in counts)
    free = Free(cycles_differ(players, data.terms[:-1]), drawn)
    start = guess(players, data.terms, counts)
    if not free.advantage:
        start = replace(start, advantage=0.0)
    best = fit(data.terms, counts, start, free)
    rest = newton_step(data.terms, counts, best, free)
    halved = newton_step(data.terms, steadied(data.counts(), 0.5), best, free)
    ratings = tuple(half - full for half, full in zip(halved.ratings, rest.ratings, strict=True))
    drift = Point(ratings, halved.advantage - rest.advantage, halved.log_nu - rest.log_nu)
    rough = largest_change(data.terms, rest) > INEXACT
    return _Fit(best, drift, rough, free, bootstrap.replicates(data, best, free, replicates, seed))


def _rating(comparable: Comparable, player: int, fitted: _Fit) -> Parameter:
    group, reason = comparable.group(player), comparable.reason(player)
    if len(group) == 1:
        return Parameter(None, reason=reason)

    def elo(point: Point) -> float:
        return ELO * (point.ratings[player] - fmean(point.ratings[member] for member in group))

    return _parameter(fitted, elo, reason)


def _advantage(data: bootstrap.Data, fitted: _Fit) -> Parameter:
    if not fitted.free.advantage:
        return Parameter(None, reason=_no_advantage(data))
    if abs(fitted.drift.advantage) > UNBOUNDED:
        bound = "upper" if fitted.drift.advantage > 0 else "lower"
        return Parameter(None, reason=f"the results put no {bound} bound on it")
    return _parameter(fitted, lambda point: ELO * point.advantage)


def _no_advantage(data: bootstrap.Data) -> str:
    if not data.meetings:
        return "no players compare with each other"
    if not any(term.moved for term in data.terms[:-1]):
        return "who moved first is not known"
    return "nobody met in both orders, so it cannot be told from strength"


def _draws(data: bootstrap.Data, fitted: _Fit) -> Parameter:
    if not data.meetings:
        return Parameter(None, reason="no players compare with each other")
    if not fitted.free.draws:
        return Parameter(0.0, 0.0, None, "no game was drawn")
    if abs(fitted.drift.log_nu) > UNBOUNDED:
        decided = any(losses or wins for losses, _, wins in data.counts())
        reason = "the results put no upper bound on it" if decided else "every game was drawn"
        return Parameter(None, reason=reason)
    return _parameter(fitted, lambda point: exp(min(point.log_nu, LARGEST_LOG_NU)))


def _parameter(fitted: _Fit, number: Callable[[Point], float], reason: str = "") -> Parameter:
    """A number of the best fit, with the interval of the replicates about it."""
    best = number(fitted.best)
    if abs(fitted.drift.log_nu) > UNBOUNDED:
        return Parameter(best, reason=reason or "too many draws for an interval")
    if not fitted.spread:
        return Parameter(best, reason=reason or "without replicates there are no intervals")
    low, high = bootstrap.interval([number(point) for point in fitted.spread])
    if low == high:
        return Parameter(best, reason=reason or "too alike for an interval")
    return Parameter(best, min(low, best), max(high, best), reason)
