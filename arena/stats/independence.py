"""How much pairs of games tell: those from one opening, and those that repeat, are one observation.

A table has nine counts of pairs, by a player's results in their two games: lost, drawn or won
moving first (the rows) and moving second (the columns), row by row. ``by_opening`` has the tables
of the pairs of an opening, and how many openings have just this table. The start is an opening.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: A table of counts.
CellCounts = Sequence[int]

#: Tables of openings, and of how many.
CountsByOpening = Sequence[tuple[CellCounts, int]]

#: A table of three rows of three, with shares of pairs.
PairShares = tuple[tuple[float, ...], ...]

#: The scores of pairs: LL, LD, DD or WL, WD, WW.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Observations(NamedTuple):
    """A table of independent observations: ``counts[i]`` of them have the score ``scores[i]``."""

    counts: tuple[int, ...]
    scores: tuple[float, ...]


def by_points(joint: CellCounts) -> tuple[int, int, int, int, int]:
    """Return the pentanomial: pairs by the points in them, LL, LD, DD or WL, WD, WW."""
    ll, ld, lw, dl, dd, dw, wl, wd, ww = joint
    return ll, ld + dl, lw + dd + wl, dw + wd, ww


def openings_of(by_opening: CountsByOpening) -> int:
    """Return the number of openings. The start counts as one."""
    return max(1, sum(openings for _, openings in by_opening))


def repeats(joint: CellCounts, openings: int, distinct_games: int, has_forfeits: bool) -> bool:
    """Return whether all pairs from the same opening were the same two games.

    Players that leave nothing to chance play so. Then all pairs together say no more than one from
    each opening.
    """
    results = sum(map(bool, joint))
    alike = results == 1 if openings == 1 else not has_forfeits
    return alike and sum(joint) > openings and distinct_games <= 2 * openings


def independent_joint(
    counted: CellCounts, by_opening: CountsByOpening, repeated: bool
) -> PairShares:
    """Return the pairs that statistics may take as independent.

    Pairs from the same opening are not independent, if the question is who is stronger over all
    openings: what the opening gives away it gives away every time. So each opening counts as one
    pair, shared out among the results of its pairs. Pairs that all began from one position are
    independent, unless both players always play the same two games: those are one pair.
    """
    if openings_of(by_opening) > 1:
        return _rows(_mean(by_opening))
    return _rows([min(pairs, 1) for pairs in counted] if repeated else counted)


def observations(counted: CellCounts, by_opening: CountsByOpening, repeated: bool) -> Observations:
    """Return the scores of the pairs, or mean scores of the openings, that are independent."""
    if openings_of(by_opening) == 1:
        table = [min(pairs, 1) for pairs in counted] if repeated else counted
        return Observations(by_points(table), PAIR_SCORES)
    return _means(by_opening)


def _means(by_opening: CountsByOpening) -> Observations:
    """Return the mean scores of the openings."""
    openings_by_mean = dict.fromkeys(PAIR_SCORES, 0)
    for joint, openings in by_opening:
        points = sum(i * pairs for i, pairs in enumerate(by_points(joint)))
        mean = points / (4 * sum(joint))
        openings_by_mean[mean] = openings_by_mean.get(mean, 0) + openings
    scores, counts = zip(*sorted(openings_by_mean.items()), strict=True)
    return Observations(counts, scores)


class SequentialTable(NamedTuple):
    """A table whose interval may be watched, with its share of the probability of an error."""

    table: Observations
    share: float


#: The share of the error of the first pairs of listed openings, once the list repeats.
FIRST_SHARE = 0.8


def sequential_tables(
    first: Sequence[int], by_opening: CountsByOpening, listed: int, is_shuffled: bool
) -> tuple[SequentialTable, ...]:
    """Return the tables of a fight from openings whose anytime-valid intervals hold together.

    An opening that is met again must not change its observation: the capital of
    :mod:`arena.stats.anytime` would not be a fair game any more. So each counts by its ``first``
    pair, of which this is the pentanomial: these are a sample that grows. A list that does
    not come in random order gives none.

    When all openings of a list have been met, the means of their pairs come to nothing but the
    order of pairs that are exchangeable: seen backwards in time the capital at the true mean is a
    fair game again (a reverse martingale), and Ville's inequality holds for it from there on
    (Manole and Ramdas, "Martingale methods for sequential estimation of convex functionals and
    divergences", IEEE Transactions on Information Theory 69, 2023). The two share the error.
    """
    growing = Observations(tuple(first), PAIR_SCORES)
    if not listed:
        return (SequentialTable(growing, 1.0),)
    is_through = openings_of(by_opening) == listed
    if not is_shuffled:
        return (SequentialTable(_means(by_opening), 1.0),) if is_through else ()
    if not is_through or sum(sum(joint) * openings for joint, openings in by_opening) == listed:
        return (SequentialTable(growing, FIRST_SHARE),)
    means = SequentialTable(_means(by_opening), 1 - FIRST_SHARE)
    return SequentialTable(growing, FIRST_SHARE), means


def _mean(by_opening: CountsByOpening) -> list[float]:
    """Return the sum over all openings of the shares of their pairs."""
    total = [0.0] * 9
    for joint, openings in by_opening:
        pairs = sum(joint)
        total = [share + openings * n / pairs for share, n in zip(total, joint, strict=True)]
    return total


def _rows(table: Sequence[float]) -> PairShares:
    return tuple(table[:3]), tuple(table[3:6]), tuple(table[6:])
