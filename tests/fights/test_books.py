"""Simulated fights from books of openings: whether their verdicts are true."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

import arena
from arena.fights.counts import PlayedBy
from arena.fights.pair_counts import PairCounts, PairEnd
from arena.fights.pairing import Pairing
from arena.fights.stopping import LOOK_PAIRS
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.stats.elo import expected_score
from arena.stats.sprt import sprt


def nobody(position: arena.Position, rng: random.Random) -> int:
    raise AssertionError


PAIRING = Pairing(mnk_game(3, 3, 3), PlayerInfo("a", nobody), PlayerInfo("b", nobody), 1, 1)


def tilted(mean: float) -> list[float]:
    """Chances of the scores of a pair, with this mean."""
    shape = (0.05, 0.25, 0.40, 0.25, 0.05)
    low, high = -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        weights = [w * math.exp(middle * i) for i, w in enumerate(shape)]
        result = sum(w * i / 4 for i, w in enumerate(weights)) / sum(weights)
        low, high = (middle, high) if result < mean else (low, middle)
    return weights


#: A result of each score of a pair, moving first and second, in doubled points.
CELLS = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2))


@pytest.mark.slow
@pytest.mark.parametrize("openings", [20, 72, 500])
@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (30, "H0")])
def test_verdicts_over_a_book_of_openings_are_rarely_wrong(
    openings: int, elo: float, wrong: str
) -> None:
    """Without chance in the players, drawn from the book with replacement; nominally 5 %.

    The book is drawn from a world in which a hypothesis is true.
    """
    rng = random.Random(openings)
    verdicts: Counter[str] = Counter()
    for _ in range(60):
        book = rng.choices(CELLS, tilted(expected_score(elo)), k=openings)
        counts = PairCounts()
        decision = "continue"
        for pairs in range(1, 3 * openings + 1):
            number = rng.randrange(openings)
            counts.openings.add(str(number), *PairEnd(*book[number]).tables())
            if pairs % LOOK_PAIRS == 0:
                table = counts.result(PAIRING, PlayedBy()).observations
                decision = sprt(table.counts, 0, 30, scores=table.scores).decision
                if decision != "continue":
                    break
        verdicts[decision] += 1
    assert verdicts[wrong] <= 8
