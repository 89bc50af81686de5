"""Simulate the p-values of ``arena fight --exact`` under the truth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import arena
from arena.records.proofs import ExactResult
from arena.stats.goodness import Fit, goodness_of_fit
from benchmarks.coverage.laws import generator
from benchmarks.coverage.table import Row, errors

PLAYERS = ("tictactoe3", "tictactoe2", "tictactoe1", "heuristic", "monkey")

#: Pairs of a fight. The exact test is for the last but one; the last has too many tables for it.
SIZES = (20, 50, 200, 2500)

LEVELS = (0.05, 0.01, 0.001)


def rows(replicates: int) -> Iterator[Row]:
    """Yield the worst pairing of some built-in players, for each size and level."""
    pairings = [arena.exact(a, b) for a, b in combinations(PLAYERS, 2)]
    laws = [one for one in pairings if max(one.first.win, one.first.draw, one.first.loss) < 1]
    for size in SIZES:
        found = {" - ".join(law.players): _fits(law, size, replicates) for law in laws}
        for level in LEVELS:
            wrong = {name: [fit.p_value <= level for fit in fits] for name, fits in found.items()}
            worst = max(wrong, key=lambda name: sum(wrong[name]))
            tests = sorted({fit.test for fit in found[worst]})
            under = (
                f"{size} pairs, the worst of {len(laws)} pairings ({worst}, {' or '.join(tests)})"
            )
            yield errors(f"p-value at most {level:g}", under, wrong[worst], level)


def _fits(law: ExactResult, size: int, replicates: int) -> list[Fit]:
    """Test fights that were drawn from the exact law."""
    rng = generator("misfit", law.players, size)
    halves = [(half.win, half.draw, half.loss) for half in (law.first, law.second)]
    drawn = [rng.multinomial(size, [float(p) for p in half], replicates) for half in halves]
    known: dict[bytes, Fit] = {}
    fits = []
    for first, second in zip(*drawn, strict=True):
        key = first.tobytes() + second.tobytes()
        if key not in known:
            known[key] = goodness_of_fit((first.tolist(), halves[0]), (second.tolist(), halves[1]))
        fits.append(known[key])
    return fits
