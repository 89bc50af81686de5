"""The likelihood of games under Davidson's model, and the parameters that make it largest.

A game in which a meets b is won, drawn and lost by a with chances in the proportion exp(y/2), nu,
exp(-y/2), where y is the difference of their ratings, plus the first mover's advantage if a moved
first, less it if b did. That is the Bradley-Terry model with draws of Davidson (JASA 65, 1970) and
the order effect of Davidson and Beaver (Biometrics 33, 1977); their tie parameter is nu times the
square root of their order effect. Here ratings and the advantage are natural logarithms of odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, log1p
from typing import NamedTuple

from arena.stats.laplacian import solve

#: The share of all games that is added as imaginary ones, see :func:`steadied`.
IMAGINARY = 1e-11

#: A fit ends with the first step that changes no log-odds by more than this; as steps square the
#: error, what is left is about the square of it.
DONE = 1e-6

#: Steps after which a fit is given up; a rating at the end of what counts can say takes about 100.
MOST_STEPS = 300

#: Keeps a link whose outcome is certain in floating point from vanishing.
FAINT = 1e-200


class Term(NamedTuple):
    """The games of a and b in one order: 1 if a moved first, -1 if b did, 0 if nobody knows."""

    a: int
    b: int
    moved: int


@dataclass(frozen=True)
class Point:
    """Values of the parameters, or their changes."""

    ratings: tuple[float, ...]
    advantage: float
    #: -inf if there are no draws.
    log_nu: float


class Free(NamedTuple):
    """Which of the parameters beside the ratings are estimated."""

    advantage: bool
    draws: bool


class _Slopes(NamedTuple):
    """Of a term's log-likelihood: gradient and information over y and log nu."""

    y: float
    nu: float
    yy: float
    y_nu: float
    nu_nu: float


def chances(y: float, log_nu: float) -> tuple[float, float, float]:
    """The probabilities of a loss, a draw and a win, at odds exp(y) of a win against a loss.

    >>> chances(0, -inf)
    (0.5, 0.0, 0.5)
    """
    top = max(abs(y) / 2, log_nu)
    win, loss, draw = exp(y / 2 - top), exp(-y / 2 - top), exp(log_nu - top)
    total = win + loss + draw
    return loss / total, draw / total, win / total


def steadied(counts: Sequence[Sequence[float]], times: float = 1.0) -> list[list[float]]:
    """The counts, and imaginary games of somebody against itself: as many won as lost, none drawn.

    Ratings are finite where the players are comparable, but draws may have an estimate beyond all
    bounds, and moving first too; the ratings can go with them. Of two players of whom one won some
    games, drew others and lost none, the model says that the difference and nu are infinite. With
    these games all are finite (no direction is left in which the likelihood never falls); they are
    so few that they change nothing else, and what changes with their number has no bound.
    """
    imaginary = times * IMAGINARY * sum(map(sum, counts))
    return [*map(list, counts), [imaginary / 2, 0.0, imaginary / 2]]


def fit(
    terms: Sequence[Term],
    counts: Sequence[Sequence[float]],
    start: Point,
    free: Free,
    done: float = DONE,
    most_steps: int = MOST_STEPS,
) -> Point:
    """The most likely parameters given how often each term's games were lost, drawn and won by a.

    There must be such: see :func:`steadied`. By Newton's method; the log-likelihood is concave, and
    its third derivative at most its second times the largest change d of log-odds, for which
    log(1 + d)/d of a step is sure to gain (Sun and Tran-Dinh, Mathematical Programming 178, 2019).
    """
    point, before = start, inf
    for _ in range(most_steps):
        step = newton_step(terms, counts, point, free)
        most = largest_change(terms, step)
        part = log1p(most) / most if most > done else 1.0
        point = _moved(point, step, part)
        # Near the end every step squares the error; if not, what is left is rounding.
        if most <= done or (before < 0.1 and most > before / 2):
            break
        before = most
    return point


def guess(players: int, terms: Sequence[Term], counts: Sequence[Sequence[float]]) -> Point:
    """Where to start: what each player's points and the draws would say by themselves."""
    points = [[0.5, 0.5] for _ in range(players)]
    movers = [0.5, 0.5]
    for (a, b, moved), (losses, draws, wins) in zip(terms, counts, strict=True):
        won, lost = wins + draws / 2, losses + draws / 2
        points[a][0] += won
        points[a][1] += lost
        points[b][0] += lost
        points[b][1] += won
        movers[0] += won if moved > 0 else lost if moved < 0 else 0
        movers[1] += lost if moved > 0 else won if moved < 0 else 0
    drawn = sum(draws for _, draws, _ in counts)
    decided = sum(losses + wins for losses, _, wins in counts)
    log_nu = log(2 * drawn / decided) if drawn else -inf
    ratings = tuple(log(won / lost) for won, lost in points)
    return Point(ratings, log(movers[0] / movers[1]), log_nu)


def newton_step(
    terms: Sequence[Term], counts: Sequence[Sequence[float]], point: Point, free: Free
) -> Point:
    """The change of the parameters: ratings are eliminated, then what is left is solved for.

    Each extra parameter is a direction (y, log nu) of every term. Less what ratings can imitate of
    it, its information is a sum of squares, which cannot come out negative.
    """
    slopes = [_slopes(term, n, point) for term, n in zip(terms, counts, strict=True)]
    extras = [kind for kind, wanted in zip(("advantage", "draws"), free, strict=True) if wanted]
    size = len(point.ratings)
    weights = [[0.0] * size for _ in range(size)]
    sides = [[0.0] * size for _ in range(1 + len(extras))]
    for (a, b, moved), slope in zip(terms, slopes, strict=True):
        weights[a][b] += slope.yy
        weights[b][a] += slope.yy
        pulls = [slope.y]
        pulls += [moved * slope.yy if kind == "advantage" else slope.y_nu for kind in extras]
        for side, pull in zip(sides, pulls, strict=True):
            side[a] += pull
            side[b] -= pull
    gain, *imitated = solve(weights, sides)
    change = _extra_change(terms, slopes, extras, imitated)
    ratings = tuple(
        gain[i] - sum(x[i] * c for x, c in zip(imitated, change, strict=True)) for i in range(size)
    )
    named = dict(zip(extras, change, strict=True))
    return Point(ratings, named.get("advantage", 0.0), named.get("draws", 0.0))


def _slopes(term: Term, counts: Sequence[float], point: Point) -> _Slopes:
    """Written as sums of products, so that certain outcomes lose no digits."""
    losses, draws, wins = counts
    y = point.ratings[term.a] - point.ratings[term.b] + term.moved * point.advantage
    loss, draw, win = chances(y, point.log_nu)
    games, decided = losses + draws + wins, win + loss
    return _Slopes(
        wins * (loss + draw / 2) - losses * (win + draw / 2) + draws * (loss - win) / 2,
        draws * decided - (wins + losses) * draw,
        games * max(win * loss + draw * decided / 4, FAINT),
        games * draw * (loss - win) / 2,
        games * draw * decided,
    )


def _extra_change(
    terms: Sequence[Term],
    slopes: Sequence[_Slopes],
    extras: Sequence[str],
    imitated: Sequence[Sequence[float]],
) -> list[float]:
    """The changes of the parameters beside the ratings.

    Of two, the first is rid of what the second can imitate, before its information is added up.
    """
    ways: list[_Way] = [
        [
            (moved - x[a] + x[b], 0.0) if kind == "advantage" else (x[b] - x[a], 1.0)
            for a, b, moved in terms
        ]
        for kind, x in zip(extras, imitated, strict=True)
    ]
    if len(ways) < 2:
        return [_along(slopes, way) for way in ways]
    first, second = ways
    share = _information(slopes, first, second) / (_information(slopes, second, second) or 1.0)
    first = [(y - share * y2, nu - share * nu2) for (y, nu), (y2, nu2) in zip(*ways, strict=True)]
    change = _along(slopes, first)
    return [change, _along(slopes, second) - share * change]


#: A direction: the change of y and of log nu in each term.
_Way = list[tuple[float, float]]


def _along(slopes: Sequence[_Slopes], way: _Way) -> float:
    """How far Newton's step goes in a direction."""
    gradient = sum(s.y * y + s.nu * nu for s, (y, nu) in zip(slopes, way, strict=True))
    return gradient / (_information(slopes, way, way) or 1.0)  # none only by underflow


def _information(slopes: Sequence[_Slopes], one: _Way, other: _Way) -> float:
    return sum(
        s.yy * y * y2 + s.y_nu * (y * nu2 + nu * y2) + s.nu_nu * nu * nu2
        for s, (y, nu), (y2, nu2) in zip(slopes, one, other, strict=True)
    )


def largest_change(terms: Sequence[Term], step: Point) -> float:
    """Of the log-odds between two results of a game."""
    most = 0.0
    for a, b, moved in terms:
        y = abs(step.ratings[a] - step.ratings[b] + moved * step.advantage)
        most = max(most, y, y / 2 + abs(step.log_nu))
    return most


def _moved(point: Point, step: Point, part: float) -> Point:
    ratings = tuple(r + part * s for r, s in zip(point.ratings, step.ratings, strict=True))
    advantage = point.advantage + part * step.advantage
    return Point(ratings, advantage, point.log_nu + part * step.log_nu)
