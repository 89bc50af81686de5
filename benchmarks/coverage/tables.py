"""Make laws of round robins, and their true ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import arena
from arena.stats.bradley_terry import ELO
from benchmarks.coverage.laws import Array, chances

#: Results of a pair: the row is a's points moving first, the column moving second, both doubled.
Law = Callable[[int, int], Array]


@dataclass(frozen=True)
class Scenario:
    """A round robin."""

    players: int
    #: Pairs of every pairing.
    pairs: int
    law: Law
    #: Pairings without chance. Their pairs are alike, and arena counts them as one.
    fixed: Mapping[tuple[int, int], Array] = field(default_factory=dict)

    def expected(self) -> dict[tuple[int, int], Array]:
        """Return the expected table of every pairing."""
        return {
            (a, b): self.fixed.get((a, b), self.pairs * self.law(a, b))
            for a, b in combinations(range(self.players), 2)
        }

    def drawn(self, rng: np.random.Generator) -> dict[tuple[int, int], NDArray[np.int64]]:
        """Draw the table of every pairing."""
        tables = {}
        for a, b in combinations(range(self.players), 2):
            if (a, b) in self.fixed:
                tables[a, b] = self.fixed[a, b].astype(np.int64)
            else:
                law = self.law(a, b).ravel()
                tables[a, b] = rng.multinomial(self.pairs, law / law.sum()).reshape(3, 3)
        return tables


def davidson(ratings: list[float], advantage: float, draws: float) -> Law:
    """Return the law of Davidson's model; the two games of a pair are independent."""

    def law(a: int, b: int) -> Array:
        gap = ratings[a] - ratings[b]
        return np.outer(chances(gap + advantage, draws), chances(gap - advantage, draws))

    return law


def mixed(ratings: list[float], advantage: float, draws: float) -> Law:
    """Return a law that is not Davidson's: draws differ by pairing, and the games depend."""

    def law(a: int, b: int) -> Array:
        nu, gap = draws * 1.5 ** ((a * 7 + b * 3) % 5 - 2), ratings[a] - ratings[b]
        halves = [
            np.outer(chances(gap + advantage + shift, nu), chances(gap - advantage + shift, nu))
            for shift in (-120, 120)
        ]
        return np.asarray(sum(halves) / 2)

    return law


def real(names: tuple[str, ...], pairs: int) -> Scenario:
    """Return the round robin of built-in players, by their exact laws."""
    laws = {(a, b): _exact(names[a], names[b]) for a, b in combinations(range(len(names)), 2)}
    fixed = {where: law for where, law in laws.items() if law.max() == 1}
    return Scenario(len(names), pairs, lambda a, b: laws[a, b], fixed)


@cache
def _exact(a: str, b: str) -> Array:
    found = arena.exact(a, b)
    halves = [
        [float(half.loss), float(half.draw), float(half.win)]
        for half in (found.first, found.second)
    ]
    return np.outer(halves[0], halves[1])


def true_ratings(scenario: Scenario) -> Array:
    """Return the Elos whose Davidson model expects the scores and draws of the law.

    Newton's method runs on the likelihood of the expected tables: a second way to arena's fit. The
    parameters are the ratings, the advantage of moving first, and the logarithm of nu.
    """
    players = scenario.players
    rows, counts = [], []
    for (a, b), joint in scenario.expected().items():
        for moved, results in ((1, joint.sum(1)), (-1, joint.sum(0))):
            half = np.zeros(players + 2)
            half[[a, b, players]] = 0.5, -0.5, moved / 2
            level = np.zeros(players + 2)
            level[-1] = 1
            rows.append([-half, level, half])
            counts.append(results)
    design, seen = np.array(rows), np.array(counts)
    at = np.zeros(players + 2)
    for _ in range(200):
        chances = np.exp(design @ at)
        chances /= chances.sum(1, keepdims=True)
        games = seen.sum(1, keepdims=True)
        gradient = ((seen - games * chances)[:, :, None] * design).sum((0, 1))
        centred = design - (chances[:, :, None] * design).sum(1, keepdims=True)
        information = np.einsum("to,top,toq->pq", games * chances, centred, centred)
        step = np.linalg.lstsq(information, gradient, rcond=1e-12)[0]
        at += step / max(1, abs(step).max())
        if abs(step).max() < 1e-10:
            break
    return np.asarray(ELO * (at[:players] - at[:players].mean()))


def _always(points_first: int, points_second: int) -> Array:
    law = np.zeros((3, 3))
    law[points_first, points_second] = 1
    return law


FIELD = ("tictactoe3", "lines", "tictactoe2", "tictactoe1", "heuristic", "tree", "monkey")
NINE = (*FIELD, "minimax", "triples")
FOUR = ("tictactoe1", "heuristic", "monkey", "tictactoe3")

#: Scenarios by name and in words, each made on demand.
SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "nine: the players of a first tournament, 20 pairs": lambda: real(NINE, 20),
    "nine50: the same, 50 pairs": lambda: real(NINE, 50),
    "field: seven of them, 50 pairs": lambda: real(FIELD, 50),
    "real: the four of docs/strength.md, 50 pairs": lambda: real(FOUR, 50),
    "real20: the same, 20 pairs": lambda: real(FOUR, 20),
    "i: four close players, 20 pairs": lambda: Scenario(
        4, 20, davidson([30, 10, -10, -30], 50, 0.6)
    ),
    "ii: eight, one far ahead, 20 pairs": lambda: Scenario(
        8, 20, davidson([700, 60, 40, 20, 0, -20, -40, -60], 50, 0.6)
    ),
    "iii: a pairing without chance, 20 pairs": lambda: Scenario(
        4, 20, davidson([60, 0, -20, -40], 50, 0.6), {(0, 1): _always(2, 1)}
    ),
    "iv: not Davidson's law, games depend, 30 pairs": lambda: Scenario(
        5, 30, mixed([90, 20, -10, -40, -60], 60, 1.0)
    ),
    "v: drawish, one weak, 50 pairs": lambda: Scenario(
        4, 50, davidson([200, 150, 100, -450], 120, 12.0)
    ),
    "vi: drawish, 10 pairs": lambda: Scenario(4, 10, davidson([60, 20, -20, -60], 100, 8.0)),
}
