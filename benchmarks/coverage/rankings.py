"""Simulate the ratings of tournaments at tables: games for four that end in a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from arena.stats.bradley_terry import ELO
from arena.stats.estimates import RatingInterval
from arena.stats.ranking_estimates import RankingEstimates, estimate, to_elo
from arena.stats.rankings import RankedBlock, RankedGame
from benchmarks.coverage.laws import Array, generator
from benchmarks.coverage.table import Row, coverage, percent

#: Seats of a table.
TABLE_SIZES = 4

#: Numbers that share a place, from 1 for the best.
Places = tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """A tournament whose blocks are four rotations of four players at a table.

    Every four of the players meet as often as every other four.
    """

    #: Elo about the mean.
    ratings: tuple[float, ...]
    #: Blocks of every four players.
    rounds: int
    #: Elo that a seat is worth, about the mean.
    seats: tuple[float, ...] = (0.0,) * TABLE_SIZES
    #: The weight delta of ties of one, two, three and four.
    ties: tuple[float, ...] = (1.0,)
    #: The chance of a game to end as the first one of its block, whoever sits where.
    copied: float = 0.0

    def drawn(self, rng: np.random.Generator) -> list[tuple[RankedBlock, float]]:
        """Draw the blocks."""
        tables = list(combinations(range(len(self.ratings)), TABLE_SIZES)) * self.rounds
        return [(self._block(rng.permutation(table).tolist(), rng), 1.0) for table in tables]

    def _block(self, players: Sequence[int], rng: np.random.Generator) -> RankedBlock:
        games: list[RankedGame] = []
        for turn in range(TABLE_SIZES):
            seated = (*players[turn:], *players[:turn])
            if games and rng.random() < self.copied:
                places = dict(zip(*games[0], strict=True))
                games.append((seated, tuple(places[player] for player in seated)))
                continue
            worths = [
                (self.ratings[player] + seat) / ELO
                for player, seat in zip(seated, self.seats, strict=True)
            ]
            rankings, chances = law(tuple(worths), self.ties)
            games.append((seated, rankings[int(np.searchsorted(chances, rng.random()))]))
        return tuple(games)


@cache
def law(worths: tuple[float, ...], ties: tuple[float, ...]) -> tuple[list[Places], Array]:
    """Return the rankings that a table can end in, and their cumulated chances.

    ``worths`` are the logarithms by seat.
    """
    chances: dict[Places, float] = {}
    _choose(worths, ties, (0,) * len(worths), 1.0, chances)
    total = np.cumsum(list(chances.values()))
    return list(chances), total / total[-1]


def _choose(
    worths: Sequence[float],
    ties: Sequence[float],
    places: Places,
    chance: float,
    chances: dict[Places, float],
) -> None:
    """Add the rankings that begin with these places, 0 for a player without one."""
    remaining = [seat for seat, place in enumerate(places) if not place]
    if not remaining:
        chances[places] = chances.get(places, 0.0) + chance
        return
    sizes = range(1, min(len(ties), len(remaining)) + 1) if len(remaining) > 1 else (1,)
    subsets = [best for size in sizes for best in combinations(remaining, size)]
    weights = [
        ties[len(best) - 1] * np.exp(np.mean([worths[seat] for seat in best])) for best in subsets
    ]
    place = TABLE_SIZES + 1 - len(remaining)
    for best, weight in zip(subsets, weights, strict=True):
        after = tuple(place if seat in best else known for seat, known in enumerate(places))
        _choose(worths, ties, after, chance * weight / sum(weights), chances)


CLOSE = (100.0, 60.0, 20.0, -20.0, -60.0, -100.0)
FAR = (200.0, 120.0, 40.0, -40.0, -120.0, -200.0)
ONE_AHEAD = (850.0, -110.0, -140.0, -170.0, -200.0, -230.0)
UNEVEN_SEATS = (60.0, 20.0, -20.0, -60.0)
SOME_TIES = (1.0, 0.3, 0.1, 0.05)

#: Tournaments of six players by name.
TOURNAMENTS: dict[str, Tournament] = {
    "i: no ties, 15 blocks": Tournament(FAR, 1),
    "i: no ties, 90 blocks": Tournament(FAR, 6),
    "ii: ties, 15 blocks": Tournament(FAR, 1, ties=SOME_TIES),
    "ii: ties, 90 blocks": Tournament(FAR, 6, ties=SOME_TIES),
    "iii: uneven seats, 15 blocks": Tournament(FAR, 1, UNEVEN_SEATS),
    "iii: uneven seats and ties, 90 blocks": Tournament(FAR, 6, UNEVEN_SEATS, SOME_TIES),
    "iv: one player 1000 Elo ahead, 15 blocks": Tournament(ONE_AHEAD, 1),
    "iv: one player 1000 Elo ahead, 30 blocks with ties": Tournament(ONE_AHEAD, 2, ties=SOME_TIES),
    "v: games of a block depend, 30 blocks": Tournament(CLOSE, 2, copied=0.5),
    "v: games of a block depend, 90 blocks with ties": Tournament(
        CLOSE, 6, ties=SOME_TIES, copied=0.5
    ),
}


def rows(replicates: int) -> Iterator[Row]:
    """Yield the coverage of the ratings, the seats and the ties in each tournament."""
    for name, tournament in TOURNAMENTS.items():
        under, rng = f"tables of four, {name}", generator("tables", name)
        drawn = (estimate(tournament.drawn(rng), len(CLOSE)) for _ in range(replicates))
        results = [result for result in drawn if result]
        yield from _ratings(under, tournament, results)
        seats = [
            (to_elo(interval), truth)
            for result in results
            for interval, truth in zip(result.seats, tournament.seats, strict=True)
        ]
        yield _row("effect of a seat", under, seats, "Elo")
        ties = [
            (interval, float(np.log(truth)))
            for result in results
            for interval, truth in zip(result.ties, tournament.ties[1:], strict=False)
        ]
        if ties:
            yield _row("log delta of ties", under, ties, "")


def _ratings(
    under: str, tournament: Tournament, results: Sequence[RankingEstimates]
) -> Iterator[Row]:
    """Yield the coverage over all players and of the worst of them."""
    by_player = [
        [(to_elo(rating), truth) for result in results if (rating := result.ratings[player])]
        for player, truth in enumerate(tournament.ratings)
    ]
    yield _row("rating at tables", under, [pair for pairs in by_player for pair in pairs], "Elo")
    least = min(float(np.mean([_covers(*pair) for pair in pairs])) for pairs in by_player)
    # The least share is low by chance too, so it is not judged.
    claim = "rating at tables of the player that is covered worst"
    yield Row(claim, under, len(results), "", percent(least))


def _row(printed: str, under: str, pairs: Sequence[tuple[RatingInterval, float]], unit: str) -> Row:
    """Return the row of intervals and what each has to cover."""
    hits = [_covers(interval, truth) for interval, truth in pairs]
    excess = [interval.value - truth for interval, truth in pairs]
    return coverage(printed, under, hits, excess, unit)


def _covers(interval: RatingInterval, truth: float) -> bool:
    low = -np.inf if interval.low is None else interval.low
    high = np.inf if interval.high is None else interval.high
    return bool(low <= truth <= high)
