"""Name the best entrants, or the order of all, from limits for the differences of their values.

``upper[i][k]`` is an upper limit of i's value less k's. Each question has a number of true
statements "this one is at least as good as that one" of which none may be denied by a limit: the
level of a limit is alpha divided by that number, and then the answer is wrong with a probability of
at most alpha. An answer names the best up to ties: entrants whose values differ by at most the
margin are a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Relation = NDArray[np.bool_]


@dataclass(frozen=True)
class Answer:
    """What is known of the question."""

    #: The entrants in groups, the best first, each group surely above the next. Of the best K there
    #: are always three, of which some may be empty: surely among them, perhaps, and surely not.
    groups: tuple[tuple[int, ...], ...]
    #: ``unsettled[i, k]``: i and k are still to be told apart, or to be shown to be nearly equal.
    unsettled: Relation

    @property
    def is_decided(self) -> bool:
        """Return whether nothing is left to be told apart."""
        return not self.unsettled.any()


def statements(entrants: int, top: int | None) -> int:
    """Return how many statements the limits must not deny; ``top`` is None for the whole order.

    The best K are each at least as good as each of the others, and for the order there is one such
    statement for every two entrants. They count twice, so that alpha is also the largest
    probability to name one of several right answers where entrants are equal: the statements of
    two right answers must not be denied.
    """
    return 2 * top * (entrants - top) if top is not None else entrants * (entrants - 1)


def answer(upper: Matrix, margin: float, top: int | None, field: Sequence[int]) -> Answer:
    """Return what the limits say of these entrants."""
    import numpy as np

    inside = np.zeros(len(upper), bool)
    inside[list(field)] = True
    both = np.outer(inside, inside)
    np.fill_diagonal(both, False)
    above = (upper.T < 0) & both
    far = ((upper > margin) | (margin < upper.T)) & both
    if top is None:
        return Answer(_tied(above, field), far & ~above & ~above.T)
    chosen, open_, left = chosen_of(above, top, field)
    among = np.zeros(len(upper), bool)
    among[list(open_)] = True
    return Answer((chosen, open_, left), far & np.outer(among, among))


def chosen_of(
    above: Relation, top: int, field: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return who is surely among the best ``top``, who may be, and who surely is not."""
    chosen: list[int] = []
    left: list[int] = []
    open_ = list(field)
    while True:
        places = top - len(chosen)
        rest = len(open_) - places
        among = above[open_][:, open_]
        better = [i for i, n in zip(open_, among.sum(1), strict=True) if n >= rest]
        worse = [i for i, n in zip(open_, among.sum(0), strict=True) if n >= places]
        if not better and not worse:
            return tuple(sorted(chosen)), tuple(open_), tuple(sorted(left))
        chosen += better
        left += worse
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
