"""Foresee how long a tournament takes until a question is answered, by simulating some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import numpy as np

from arena.errors import UsageError
from arena.stats.allocation import FieldQuestion, PairingSample
from arena.stats.bradley_terry import ELO
from arena.stats.independence import PAIR_SCORES
from arena.stats.sprt import MAX_ELO
from arena.stats.summation import added

#: The most entrants that are simulated.
MAX_SIMULATED_ENTRANTS = 200


class Length(NamedTuple):
    """How one simulated tournament went."""

    pairs: int
    rounds: int
    is_decided: bool


class Goal(NamedTuple):
    """A question, with the arguments of :class:`arena.stats.allocation.FieldQuestion`."""

    top: int | None
    margin: float
    alpha: float
    cap: int


def lengths(elos: Sequence[float], draws: float, goal: Goal, tries: int, seed: int) -> list[Length]:
    """Simulate tournaments of entrants with these ratings.

    ``draws`` is the share of drawn games between equal players. Raises UsageError for ratings that
    no table has, for a share that is not below 1, and for one entrant alone.
    """
    if not 2 <= len(elos) <= MAX_SIMULATED_ENTRANTS:
        raise UsageError(
            f"a plan takes the Elo of 2 to {MAX_SIMULATED_ENTRANTS} players, not {len(elos)}"
        )
    for elo in elos:
        if not -MAX_ELO <= elo <= MAX_ELO:
            raise UsageError(f"elo {elo} must lie within {MAX_ELO:.0f}")
    if not 0 <= draws < 1:
        raise UsageError(f"draws {draws} must be a share from 0 to below 1")
    rng = np.random.default_rng(seed)
    laws = {
        (a, b): pair_law(elos[a] - elos[b], draws)
        for a in range(len(elos))
        for b in range(a, len(elos))
    }
    return [_length(len(elos), laws, goal, rng) for _ in range(tries)]


def pair_law(elo: float, draws: float) -> list[float]:
    """Return the chances of a pair's scores 0, 1/4, 1/2, 3/4 and 1, for a difference in Elo.

    Davidson's model with this share of ``draws`` between equal players. Both games are alike.

    >>> [round(chance, 4) for chance in pair_law(0, 0.5)]
    [0.0625, 0.25, 0.375, 0.25, 0.0625]
    """
    loss, win = exp(-elo / ELO / 2), exp(elo / ELO / 2)
    draw = 2 * draws / (1 - draws)
    total = loss + draw + win
    game = loss / total, draw / total, win / total
    return [
        added(game[i] * game[points - i] for i in range(3) if 0 <= points - i < 3)
        for points in range(5)
    ]


def _length(
    entrants: int,
    laws: dict[tuple[int, int], list[float]],
    goal: Goal,
    rng: np.random.Generator,
) -> Length:
    question = FieldQuestion(entrants, *goal)
    done: Counter[tuple[int, int]] = Counter()
    rounds = 0
    while pairings := question.next_round():
        for a, b in pairings:
            number = question.played - done[a, b]
            counts = rng.multinomial(number, laws[a, b]).tolist()
            question.add(a, b, PairingSample(counts, PAIR_SCORES))
            done[a, b] += number
        rounds += 1
    return Length(done.total(), rounds, question.answer().is_decided)
