"""Simulate the ranks of whole tables, the cycles in them, and the test of one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.stats.bradley_terry import rate
from arena.stats.cycles import cycles_of
from arena.stats.differences import differences
from arena.stats.independence import PAIR_SCORES, Observations, by_points
from arena.stats.pairings import PairingCounts
from arena.stats.plan_ranks import POWER, pairs_for_ranks
from arena.stats.ranks import Two, rank_intervals, surely_better
from benchmarks.coverage.laws import PAIRS, Array, generator, tilted
from benchmarks.coverage.table import Row, coverage, errors, percent
from benchmarks.coverage.tables import SCENARIOS, Scenario, davidson, mixed, true_ratings

#: Tables of pairs by their two players.
Tables = Mapping[Two, NDArray[np.int64]]

#: The scores of the nine kinds of pairs.
SCORES = np.add.outer(np.arange(3), np.arange(3)) / 4


@dataclass(frozen=True)
class Case:
    """A round robin, or a gauntlet of its first player."""

    scenario: Scenario
    gauntlet: bool = False

    def drawn(self, rng: np.random.Generator) -> Tables:
        """Draw the tables of the pairings that are played."""
        drawn = self.scenario.drawn(rng)
        return {two: joint for two, joint in drawn.items() if not self.gauntlet or two[0] == 0}

    @property
    def ranked(self) -> list[int]:
        """The players that are ranked."""
        return list(range(self.gauntlet, self.scenario.players))

    def true_values(self) -> dict[int, float]:
        """Return the mean expected score of each ranked player."""
        scores: dict[int, list[float]] = {player: [] for player in self.ranked}
        for (a, b), joint in self.scenario.expected().items():
            if self.gauntlet and a:
                continue
            score = float((joint * SCORES).sum() / joint.sum())
            for player, own in ((a, score), (b, 1 - score)):
                scores.get(player, []).append(own)
        return {player: float(np.mean(own)) for player, own in scores.items()}


def even(players: int, pairs: int, draws: float = 0.6) -> Case:
    """Return equal players."""
    return Case(Scenario(players, pairs, davidson([0.0] * players, 50, draws)))


def chain(players: int, pairs: int, apart: float, draws: float = 0.6) -> Case:
    """Return players that are as far apart each from the next one."""
    return Case(Scenario(players, pairs, davidson([apart * p for p in range(players)], 50, draws)))


def correlated(players: int, pairs: int) -> Case:
    """Return equal players whose pairs end alike in both games, half won and half lost."""
    both = np.zeros((3, 3))
    both[0, 0] = both[2, 2] = 0.5
    return Case(Scenario(players, pairs, lambda *_: both))


def open_circle(pairs: int) -> Case:
    """Return players of which 0 beats 1, 1 beats 2, and 2 is as good as 0: nearly a cycle."""
    shares = {(0, 1): 0.75, (1, 2): 0.75, (0, 2): 0.5}
    laws = {two: tilted_pairs(share) for two, share in shares.items()}
    return Case(Scenario(3, pairs, lambda a, b: laws[a, b]))


def tilted_pairs(share: float) -> Array:
    """Return the law of two independent games without draws."""
    game = np.array([1 - share, 0, share])
    return np.outer(game, game)


def twins(pairs: int, apart: float) -> Case:
    """Return two equal strong players and two equal weak ones, which score near 1 and near 0."""
    return Case(Scenario(4, pairs, davidson([apart, apart, -apart, -apart], 50, 0.6)))


#: Tables by name. Ties are the hardest case: then no order is right but the widest.
CASES: dict[str, Callable[[], Case]] = {
    "equal: 2 players, 20 pairs": lambda: even(2, 20),
    "equal: 4 players, 2 pairs": lambda: even(4, 2),
    "equal: 4 players, 10 pairs": lambda: even(4, 10),
    "equal: 4 players, 200 pairs": lambda: even(4, 200),
    "equal: 12 players, 20 pairs": lambda: even(12, 20),
    "equal: 12 players, 1 pair": lambda: even(12, 1),
    "many draws: 6 equal players, 30 pairs": lambda: even(6, 30, 20.0),
    "correlated: 5 equal players, pairs of two equal games, 20 pairs": lambda: correlated(5, 20),
    "chain: 6 players, 25 Elo apart, 50 pairs": lambda: chain(6, 50, 25),
    "chain: 6 players, 150 Elo apart, 5 pairs": lambda: chain(6, 5, 150),
    "near 0 and 1: two strong and two weak, 700 Elo, 20 pairs": lambda: twins(20, 350),
    "near 0 and 1: two strong and two weak, 1200 Elo, 50 pairs": lambda: twins(50, 600),
    "gauntlet: 8 equal players against one, 20 pairs": lambda: Case(
        Scenario(9, 20, davidson([200.0] + [0.0] * 8, 50, 0.6)), gauntlet=True
    ),
    "not Davidson's law, games depend, 30 pairs": lambda: Case(
        Scenario(5, 30, mixed([90, 20, -10, -40, -60], 60, 1.0))
    ),
    "not Davidson's law, a cycle but for one level pairing, 100 pairs": lambda: open_circle(100),
    "players without chance among others, 20 pairs": lambda: Case(
        SCENARIOS["iii: a pairing without chance, 20 pairs"]()
    ),
}


def rows(replicates: int) -> Iterator[Row]:
    """Yield how often all ranks of a table hold, by scores and by ratings, and the false alarms."""
    for under, make in CASES.items():
        case, rng = make(), generator("ranks", under)
        drawn = [case.drawn(rng) for _ in range(replicates)]
        observed = [_observations(case, tables) for tables in drawn]
        yield _by_scores(under, case, observed)
        if not case.scenario.fixed:
            yield _cycles(under, observed)
        yield from _by_ratings(under, case, drawn[: max(2, replicates // 4)])
    yield from _planned(max(2, replicates // 10))


def _observations(case: Case, tables: Tables) -> dict[Two, Observations]:
    """Return the observations of each pairing; one without chance is one."""
    found = {}
    for two, joint in tables.items():
        table = np.minimum(joint, 1) if two in case.scenario.fixed else joint
        found[two] = Observations(by_points(table.ravel().tolist()), PAIR_SCORES)
    return found


def _by_scores(under: str, case: Case, observed: list[dict[Two, Observations]]) -> Row:
    truths = case.true_values()
    hits = [_hold(truths, surely_better(differences(case.ranked, one) or {})) for one in observed]
    return coverage("all ranks of the standings", under, hits)


def _hold(truths: Mapping[int, float], better: set[Two]) -> bool:
    """Return whether every true rank lies in its interval: equal players have several ranks."""
    for player, (low, high) in rank_intervals(list(truths), better).items():
        above = sum(value > truths[player] + 1e-9 for value in truths.values())
        below = sum(value < truths[player] - 1e-9 for value in truths.values())
        if not (low <= 1 + above and len(truths) - below <= high):
            return False
    return True


def _cycles(under: str, observed: list[dict[Two, Observations]]) -> Row:
    wrong = [bool(cycles_of(one).number) for one in observed]
    return errors("a cycle is named", under, wrong, 0.05)


def _by_ratings(under: str, case: Case, drawn: list[Tables]) -> Iterator[Row]:
    """Yield the ranks by rating, and the test of one scale where that is true."""
    truths = dict(enumerate(true_ratings(case.scenario))) if not case.gauntlet else {}
    hits: list[bool] = []
    wrong: list[bool] = []
    for tables in drawn:
        pairings = [
            PairingCounts.of_pairs(a, b, np.minimum(joint, 1).tolist())
            if (a, b) in case.scenario.fixed
            else PairingCounts.of_pairs(a, b, joint.tolist())
            for (a, b), joint in tables.items()
        ]
        found = rate([str(player) for player in range(case.scenario.players)], pairings)
        if truths and len(found.groups) == 1:
            hits.append(_hold(_rounded(truths), surely_better(found.differences)))
        if found.scale is not None:
            wrong.append(found.scale.p_value <= 0.05)
    if hits:
        yield coverage("all ranks of the ratings", under, hits)
    if wrong and "not Davidson" not in under:
        yield errors("one scale is rejected", under, wrong, 0.05)


def _rounded(truths: Mapping[int, float]) -> dict[int, float]:
    return {player: round(value, 6) for player, value in truths.items()}


#: Entrants, the Elo between them, and the shape of the results.
PLANS = ((4, 50.0, "balanced"), (8, 60.0, "wild"), (6, 40.0, "drawish"), (8, 150.0, "balanced"))


def _planned(replicates: int) -> Iterator[Row]:
    """Yield how often all ranks are distinct after as many pairs as planned."""
    for entrants, apart, shape in PLANS:
        pairs, rng = pairs_for_ranks(entrants, apart, PAIRS[shape]).number, generator(shape, apart)
        assert pairs is not None
        laws = {(a, b): _law(shape, apart * (b - a)) for a, b in combinations(range(entrants), 2)}
        distinct = []
        for _ in range(replicates):
            drawn = {two: rng.multinomial(pairs, law).tolist() for two, law in laws.items()}
            seen = {two: Observations(tuple(table), PAIR_SCORES) for two, table in drawn.items()}
            better = surely_better(differences(range(entrants), seen) or {})
            distinct.append(len(better) == len(laws))
        share = sum(distinct) / len(distinct)
        under = f"{entrants} entrants {apart:g} Elo apart, {shape}, {pairs} pairs as planned"
        yield Row("all ranks are distinct", under, replicates, percent(POWER), percent(share))


def _law(shape: str, elo: float) -> Array:
    return tilted(PAIRS[shape], 1 / (1 + 10 ** (-elo / 400)))
