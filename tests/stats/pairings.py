"""Results of games for ratings, and what ratings come to."""

from __future__ import annotations

import numpy as np

from arena.stats.bradley_terry import Parameter, Ratings
from arena.stats.pairings import PairingCounts

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

#: Games lost, drawn and won of four players; nobody is perfect.
GAMES = {(0, 1): (20, 30, 50), (0, 2): (10, 40, 60), (1, 2): (33, 20, 30), (2, 3): (5, 5, 9)}
DECIDED = {pair: (lost, 0, won) for pair, (lost, _, won) in GAMES.items()}

#: So many times the same games, and the prior no longer shows.
OFTEN = 10**6


def names(players: int) -> list[str]:
    return [f"p{player}" for player in range(players)]


def by_games(
    table: dict[tuple[int, int], tuple[int, int, int]], times: int = 1
) -> list[PairingCounts]:
    return [
        PairingCounts.of_games(a, b, [times * n for n in result])
        for (a, b), result in table.items()
    ]


def values(table: Ratings) -> list[float]:
    assert None not in [rating.value for rating in table.ratings]
    return [rating.value or 0.0 for rating in table.ratings]


def ends(parameter: Parameter) -> tuple[float, float]:
    assert parameter.low is not None
    assert parameter.high is not None
    return parameter.low, parameter.high
