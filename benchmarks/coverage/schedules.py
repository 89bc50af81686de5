"""Simulate the intervals of ratings where a schedule chose the games by the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np
from numpy.typing import NDArray

from arena.fights.designs import ScheduleDesign
from arena.schedules import PairingResult, RoundResult, Schedule, TournamentState
from arena.schedules.fixed import round_robin
from arena.schedules.knockout import Knockout
from arena.schedules.named import NamedSchedule
from arena.schedules.swiss import Swiss
from arena.stats import cutoffs
from arena.stats.bradley_terry import Parameter, Ratings, rate
from arena.stats.pairings import PairingCounts
from benchmarks.coverage.laws import generator
from benchmarks.coverage.table import Row, coverage
from benchmarks.coverage.tables import davidson

#: So many players have all replicates; more of them have as many ratings from fewer tournaments.
FEW = 8

#: Elo of moving first in all scenes.
ADVANTAGE = 50.0

#: The points of the nine kinds of pairs: the row moving first, the column moving second.
POINTS = np.add.outer(np.arange(3), np.arange(3))


@dataclass(frozen=True)
class Scene:
    """A tournament of players that follow Davidson's law, in the order of entering."""

    schedule: Schedule
    elos: Sequence[float]
    pairs: int
    draws: float = 0.6

    def play(self, rng: np.random.Generator) -> tuple[TournamentState, list[PairingCounts]]:
        """Play a tournament, and return what is known at its end, with its pairings."""
        law = davidson(list(self.elos), ADVANTAGE, self.draws)
        state, found = TournamentState(self.names, self.pairs), list[PairingCounts]()
        while pairings := self.named.next_round(state).pairings:
            results = []
            for a, b, pairs in pairings:
                places = self.names.index(a), self.names.index(b)
                chances = law(*places).ravel()
                joint = rng.multinomial(pairs, chances / chances.sum()).reshape(3, 3)
                found.append(PairingCounts.of_pairs(*places, joint.tolist()))
                results.append(PairingResult(a, b, pairs, _points(joint, pairs)))
            rounds = (*state.rounds, RoundResult(tuple(results)))
            state = TournamentState(self.names, self.pairs, rounds=rounds)
        return state, found

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(f"player {place}" for place in range(len(self.elos)))

    @property
    def named(self) -> NamedSchedule:
        """The schedule with its contract checked."""
        return NamedSchedule("", self.schedule, "the schedule")

    def rated(self, seed: int, rng: np.random.Generator) -> Ratings:
        """Play a tournament, and return its ratings as arena shows them."""
        state, pairings = self.play(rng)
        if self.schedule is round_robin:
            return rate(self.names, pairings)
        places = {name: place for place, name in enumerate(self.names)}
        simulate = partial(ScheduleDesign(self.named, state, {}).simulate, places)
        return rate(self.names, pairings, design=cutoffs.AdaptiveDesign(simulate, seed))


def _points(joint: NDArray[np.int64], pairs: int) -> tuple[Fraction, Fraction]:
    points = Fraction(int((joint * POINTS).sum()), 2)
    return points, 2 * pairs - points


def steps(players: int, apart: float) -> list[float]:
    """Return Elos that fall by as much from each player to the next one."""
    return [apart * ((players - 1) / 2 - place) for place in range(players)]


#: Scenes by name. The first has no results that choose games.
SCENES = {
    "round robin: 8 equal players, 2 pairs": Scene(round_robin, [0.0] * 8, 2),
    "swiss:4: 8 equal players, 2 pairs": Scene(Swiss(4), [0.0] * 8, 2),
    "swiss:4: 8 equal players, 10 pairs": Scene(Swiss(4), [0.0] * 8, 10),
    "swiss:4: 8 players 40 Elo apart, 4 pairs": Scene(Swiss(4), steps(8, 40), 4),
    "knockout: 16 equal drawish players, 1 pair": Scene(Knockout(), [0.0] * 16, 1, 8.0),
    "knockout: 16 equal drawish players, 2 pairs": Scene(Knockout(), [0.0] * 16, 2, 8.0),
    "knockout: 16 drawish players 20 Elo apart, 2 pairs": Scene(Knockout(), steps(16, 20), 2, 8.0),
    "knockout: 8 players 40 Elo apart, 4 pairs": Scene(Knockout(), steps(8, 40), 4),
}


def rows(replicates: int) -> Iterator[Row]:
    """Yield the coverage of all ratings of each scene, of the advantage and of the draws."""
    for under, scene in SCENES.items():
        rng, found = generator("schedules", under), list[Ratings]()
        for seed in range(max(2, replicates * FEW // len(scene.elos))):
            ratings = scene.rated(seed, rng)
            if len(ratings.groups) == 1:  # else players lack a common scale
                found.append(ratings)
        both = [each for one in found for each in zip(one.ratings, scene.elos, strict=True)]
        hits = [_holds(rating, true) for rating, true in both]
        excess = [(rating.value or 0) - true for rating, true in both]
        yield coverage("rating", under, hits, excess, "Elo")
        first = [_holds(one.advantage, ADVANTAGE) for one in found]
        drawn = [_holds(one.draws, scene.draws) for one in found]
        yield coverage("advantage of moving first", under, first)
        yield coverage("draws of even players", under, drawn)


def _holds(parameter: Parameter, true: float) -> bool:
    low = -inf if parameter.low is None else parameter.low
    return low <= true <= (inf if parameter.high is None else parameter.high)
