"""How far the parameters of Davidson's model may be off: the Bayesian bootstrap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor
from random import Random

from arena.stats.davidson import Free, Point, Term, fit, steadied
from arena.stats.meetings import Cell, Meeting

#: Of a replicate's fit: the error left is about the square, a fraction of an Elo.
DONE = 0.03

#: Of a replicate's fit, which begins where that of the data ended.
MOST_STEPS = 50


class Data:
    """Meetings as terms of a likelihood; the weights of their observations can be drawn anew."""

    def __init__(self, meetings: Sequence[Meeting]) -> None:
        self.meetings = meetings
        self._index: dict[Term, int] = {}
        #: Per meeting its cells, as (term, points) of every game, with their counts.
        self._cells = [
            [(self._games(meeting, cell), n) for cell, n in meeting.cells] for meeting in meetings
        ]
        #: The last is of the imaginary games, see :func:`arena.stats.davidson.steadied`.
        self.terms = [*self._index, Term(0, 0, 1)]

    def counts(self) -> list[list[float]]:
        """Games that were lost, drawn and won, for every term."""
        return self._added((games, float(n)) for cells in self._cells for games, n in cells)

    def replicate(self, rng: Random) -> list[list[float]]:
        """The counts with random weights, as of the Bayesian bootstrap."""
        return self._added(pair for cells in self._cells for pair in _drawn(cells, rng))

    def _games(self, meeting: Meeting, cell: Cell) -> list[tuple[int, int]]:
        terms = (Term(meeting.a, meeting.b, game.moved) for game in cell)
        numbers = [self._index.setdefault(term, len(self._index)) for term in terms]
        return [(number, game.points) for number, game in zip(numbers, cell, strict=True)]

    def _added(self, weighted: Iterator[tuple[list[tuple[int, int]], float]]) -> list[list[float]]:
        counts = [[0.0, 0.0, 0.0] for _ in self._index]
        for games, weight in weighted:
            for term, points in games:
                counts[term][points] += weight
        return counts


def replicates(data: Data, best: Point, free: Free, number: int, seed: int) -> list[Point]:
    """Fits to randomly weighted observations, for the spread of the fit to the data.

    Rubin, "The Bayesian bootstrap" (Annals of Statistics 9, 1981): independent observations get
    independent exponential weights, so n alike get a gamma variate of shape n. What was never
    observed stays so, hence a replicate has a finite fit whenever the data have.
    """
    rng = Random(seed)
    weighted = (steadied(data.replicate(rng)) for _ in range(number))
    return [fit(data.terms, counts, best, free, DONE, MOST_STEPS) for counts in weighted]


def _drawn(
    cells: Sequence[tuple[list[tuple[int, int]], float]], rng: Random
) -> Iterator[tuple[list[tuple[int, int]], float]]:
    """The cells of two players' meeting with random weights.

    If all had the same score, that alone would have no spread. Then one more observation is added:
    all games lost or all won, as a coin falls. That is in the manner of Agresti and Coull (see
    :mod:`arena.stats.interval`), and a Bayesian bootstrap with a prior (Hjort, "Bayesian and
    empirical Bayesian bootstrapping", 1991). Its share of the weight has the distribution
    beta(1, n); after a perfect record it falls on the losing side every other time, so 2.5 % of the
    replicates are beyond :func:`arena.stats.binomial.upper_bound` of no losses in n observations.
    """
    for games, n in cells:
        yield games, rng.gammavariate(n, 1)
    if len({sum(points for _, points in games) / len(games) for games, _ in cells}) == 1:
        points = rng.choice((0, 2))
        yield [(term, points) for term, _ in cells[0][0]], rng.gammavariate(1, 1)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 2.5 % and the 97.5 % percentile, as order statistics that err on the wide side.

    >>> interval([3.0, 1.0, 2.0])
    (1.0, 3.0)
    """
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[floor(0.025 * last)], ordered[ceil(0.975 * last)]
