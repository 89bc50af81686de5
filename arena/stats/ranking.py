"""Name the best entrants, or the order of all, from limits for the differences of their values.

``upper[i][k]`` is an upper limit of i's value less k's. Each question has a number of true
statements "this one is at least as good as that one" of which none may be denied by a limit: the
level of a limit is alpha divided by that number, and then the answer is wrong with a probability of
at most alpha. An answer names the best up to the margin: no other is better by more than that
(epsilon-optimal: Even-Dar, Mannor and Mansour, Journal of Machine Learning Research 7, 2006,
1079-1105). In an order entrants whose values differ by at most the margin are a group.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.arrays import Floats
from arena.dataclass import dataclass
from arena.stats.field import Relation


@dataclass(frozen=True)
class RankingAnswer:
    """The state of the question."""

    #: The entrants in groups, the best first, each group surely above the next. The best K always
    #: have three, of which some may be empty: those that are named, those that may be as good, and
    #: those that surely are not. As long as it is not decided, only those are named that surely are
    #: among the best.
    groups: tuple[tuple[int, ...], ...]
    #: ``above[i, k]``: i is surely above k. All of them hold at once for an order only.
    above: Relation
    #: ``unsettled[i, k]``: i may still be better than k by more than the margin, and that matters.
    unsettled: Relation

    @property
    def is_decided(self) -> bool:
        """Return whether nothing is left to be told apart."""
        return not self.unsettled.any()


def statements(entrants: int, top: int | None) -> int:
    """Return how many statements the limits must not deny. ``top`` is None for the whole order.

    Each of the best K (of equal ones, some that are fixed beforehand) is at least as good as each
    of the others. If a wrong set is named, one of these statements is denied: it lacks one of the
    best and has another in its place, or was said to be better than it. For the order there are two
    such statements for every two entrants, as equal ones may be said to differ either way.
    """
    return top * (entrants - top) if top is not None else entrants * (entrants - 1)


def answer(
    upper: Floats,
    values: Floats | Sequence[float],
    margin: float,
    top: int | None,
    field: Sequence[int],
) -> RankingAnswer:
    """Return what the limits say of these entrants, of which ``values`` has the estimates.

    The best K are named as soon as no other is better than one of them by more than the margin.
    """
    inside = np.zeros(len(upper), bool)
    inside[list(field)] = True
    both = np.outer(inside, inside)
    np.fill_diagonal(both, False)
    above, ahead = (upper.T < 0) & both, (upper > margin) & both
    if top is None:
        return RankingAnswer(_tied(above, field), above, (ahead | ahead.T) & ~above & ~above.T)
    best, open_, rest = chosen_of(above, top, field)
    in_order = sorted(open_, key=lambda i: (-values[i], i))
    named, others = in_order[: top - len(best)], in_order[top - len(best) :]
    matters = np.zeros_like(both)
    matters[np.ix_(others, named)] = True
    unsettled = ahead & matters
    if not unsettled.any():
        best, open_ = tuple(sorted([*best, *named])), tuple(sorted(others))
    return RankingAnswer((best, open_, rest), above, unsettled)


def chosen_of(
    above: Relation, top: int, field: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return which are surely among the best ``top``, which may be, and which surely are not."""
    best: list[int] = []
    excluded: list[int] = []
    open_ = list(field)
    while True:
        places = top - len(best)
        rest = len(open_) - places
        among = above[open_][:, open_]
        better = [i for i, n in zip(open_, among.sum(1), strict=True) if n >= rest]
        worse = [i for i, n in zip(open_, among.sum(0), strict=True) if n >= places]
        if not better and not worse:
            return tuple(sorted(best)), tuple(open_), tuple(sorted(excluded))
        best += better
        excluded += worse
        open_ = [i for i in open_ if i not in better and i not in worse]


def _tied(above: Relation, field: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return groups of entrants, the best first, so that every group is surely above the next."""
    score = above.sum(1) - above.sum(0)
    groups: list[list[int]] = []
    for entrant in sorted(field, key=lambda i: (-score[i], i)):
        joined = [entrant]
        while groups and not above[groups[-1]][:, joined].all():
            joined = groups.pop() + joined
        groups.append(joined)
    return tuple(tuple(sorted(group)) for group in groups)
