"""Decide which pairings to play next, round by round, until a question is answered.

Entrants are eliminated as in Even-Dar, Mannor and Mansour (Journal of Machine Learning Research 7,
2006, 1079-1105): whoever may still change the answer plays all of its field, those that may not
any more included, and the others play each other no longer. Every pairing that goes on has the same
number of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil
from typing import NamedTuple

import numpy as np

from arena.stats.field import Field
from arena.stats.ranking import RankingAnswer, answer, statements

#: The least pairs of a round, if the cap allows: enough for several workers.
MIN_ROUND_PAIRS = 32

#: A round has one pair for every GROWTH pairs that a pairing has already.
GROWTH = 8


class PairingSample(NamedTuple):
    """The results of a pairing in a round."""

    #: Observations that were made in it, and their scores from a's view.
    counts: Sequence[float]
    scores: Sequence[float]
    #: Whether more pairs of it say nothing, or cannot be played.
    is_through: bool = False


class FieldQuestion:
    """The best ``top`` of a field, or for None its order, to be answered in rounds.

    ``margin`` is in points per game, ``alpha`` the largest probability of a wrong answer, and
    ``cap`` the most pairs of a pairing.
    """

    def __init__(
        self, entrants: int, top: int | None, margin: float, alpha: float, cap: int
    ) -> None:
        level = alpha / max(1, statements(entrants, top))
        self.field = Field(entrants, level, margin, cap)
        self.entrants = list(range(entrants))
        self.played = 0
        self._top, self._margin, self._cap = top, margin, cap
        #: ``through[a, b]``: whether the pairing of a and b has no more observations to make.
        self.through = np.zeros((entrants, entrants), bool)

    def add(self, a: int, b: int, seen: PairingSample) -> None:
        """Add what the last round has shown of a pairing."""
        self.field.add(a, b, seen.counts, seen.scores)
        if seen.is_through:
            self.through[a, b] = self.through[b, a] = True

    def leave(self, entrant: int) -> None:
        """Take an entrant out of the field, for reasons other than its results."""
        self.entrants.remove(entrant)
        self.field.leave(entrant)

    def answer(self) -> RankingAnswer:
        """Return what is known so far."""
        top = None if self._top is None else min(self._top, len(self.entrants))
        upper = self.field.look()
        return answer(upper, self.field.values, self._margin, top, self.entrants)

    def next_round(self) -> list[tuple[int, int]]:
        """Return the pairings to be played up to ``played`` pairs each, or none when it is over."""
        active = self._active()
        pairings = [(a, b) for a, b in self.all_pairings() if a in active or b in active]
        if not pairings or self.played >= self._cap:
            return []
        step = max(ceil(MIN_ROUND_PAIRS / len(pairings)), self.played // GROWTH)
        self.played = min(self._cap, self.played + step)
        return pairings

    def all_pairings(self) -> list[tuple[int, int]]:
        """Return the pairings of the field that have more to tell."""
        return [(a, b) for a, b in combinations(self.entrants, 2) if not self.through[a, b]]

    def _active(self) -> set[int]:
        """Return the entrants that have to be told apart from another, and may be."""
        unsettled = self.answer().unsettled
        if self.through.any():
            undecided = self.field.stays_undecided(self.through, self._margin)
            unsettled = unsettled & ~(undecided | undecided.T if self._top is None else undecided)
        return {i for i in self.entrants if (unsettled[i] | unsettled[:, i]).any()}
