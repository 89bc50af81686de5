"""Simulate people who watch an interval and stop when they like, and fights that a question ends.

An interval that may be watched is wrong if the truth is ever outside, at any look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log

import numpy as np
from numpy.typing import NDArray

from arena.fights.stopping import LOOK_PAIRS
from arena.records.intervals import anytime
from arena.stats.anytime import BET_WEIGHTS, BETS, anytime_interval
from arena.stats.elo import expected_score
from arena.stats.independence import sequential_tables
from arena.stats.interval import score_interval
from benchmarks.coverage.laws import PAIRS, Array, generator, scores, tilted, walks
from benchmarks.coverage.table import Row, coverage, errors, percent

ALPHA = 0.05

#: True scores: near the worst, weak, even, strong and near the best.
TRUTHS = (0.02, 0.3, 0.5, 0.9, 0.99)

#: How often somebody looks, and the pairs between two looks: at few pairs, and at many.
WATCHED = ((20, 1), (1000, 10))

#: Replicates that are drawn at a time, so that all their looks fit in memory.
AT_A_TIME = 100

#: Fights that end by a question: the shape of their pairs, and true Elos.
QUESTIONS = {"balanced": (20.0, 100.0), "drawish": (20.0,), "wild": (100.0,)}
MAX_PAIRS = 20_000

#: Numbers of pairs at which widths are compared.
WIDE_FOR = (10, 30, 100, 300, 1000, 3000, 10_000)

#: The half-width that ends a fight.
WIDTH = 0.05

#: Openings in a list, and how often it is played through; the deviation of an opening's own score
#: in the world, and that of a pair's around it: of players without chance, and with.
LISTS = ((20, 10), (72, 5))
OPENINGS = {"players without chance": (0.25, 0.0), "openings matter, and chance": (0.2, 0.2)}

#: The cell of a table of nine that has the pairs with so many doubled points.
CELLS = (0, 1, 4, 5, 8)


def rows(replicates: int) -> Iterator[Row]:
    """Yield how often an interval that is watched is ever wrong, and what questions answer."""
    for name, shape in PAIRS.items():
        for mean in TRUTHS:
            for looks, batch in WATCHED:
                yield _ever(name, tilted(shape, mean), mean, (looks, batch), replicates)
    yield _plain(replicates // 10)
    yield _widths()
    for name, elos in QUESTIONS.items():
        for elo in (0.0, *elos):
            yield from _better(name, elo, replicates // 2)
        for elo in elos:
            yield _width(name, elo, replicates // 10)
    for kind in OPENINGS:
        for size, times in LISTS:
            for order in ("a list", "drawn anew"):
                yield _openings(kind, size, times, order, replicates // 5)
    yield _every_pair("players without chance", *LISTS[0], replicates // 5)


def _ever(name: str, law: Array, mean: float, when: tuple[int, int], replicates: int) -> Row:
    looks, batch = when
    under = f"{name}, score {mean:g}, {looks} looks, one every {batch} pairs"
    rng, wrong = generator("anytime", under), list[bool]()
    while len(wrong) < replicates:
        fights = min(AT_A_TIME, replicates - len(wrong))
        tables = rng.multinomial(batch, law, (fights, looks)).cumsum(1)
        wrong += _is_ever_wrong(tables, mean).tolist()
    return errors("interval that may be watched, ever wrong", under, wrong, ALPHA)


def _is_ever_wrong(tables: NDArray[np.int64], mean: float) -> NDArray[np.bool_]:
    """Return of fights with their tables at all looks whether an interval excludes the mean.

    It does where the capital at the mean has reached its bound; the worst look of each fight is
    judged by arena's own interval.
    """
    capital = np.maximum(_capital(tables, mean), _capital(tables[..., ::-1], 1 - mean))
    worst = capital.argmax(1)
    for fight, look in enumerate(worst):
        low, high = anytime_interval(tables[fight, look].tolist(), alpha=ALPHA) or (0, 1)
        is_wrong = capital[fight, look] > log(2 / ALPHA) + 1e-6
        assert is_wrong == (not low <= mean <= high), (tables[fight, look], mean)
    return np.asarray(capital.max(1) > log(2 / ALPHA))


def _capital(tables: NDArray[np.int64], mean: float) -> Array:
    """Return the logarithm of the capital of who bets that the scores are above the mean."""
    gains = scores(tables.shape[-1]) / mean - 1
    logs = tables @ np.log1p(np.outer(gains, BETS)) + np.log(BET_WEIGHTS)
    most = logs.max(-1)
    return np.asarray(most + np.log(np.exp(logs - most[..., None]).sum(-1)))


def _plain(replicates: int) -> Row:
    """Return how often the interval for a fixed number of pairs is ever wrong when watched."""
    looks, batch = WATCHED[-1]
    law, rng = tilted(PAIRS["balanced"], 0.5), generator("plain")
    wrong = 0
    for _ in range(replicates):
        found = map(score_interval, rng.multinomial(batch, law, looks).cumsum(0).tolist())
        wrong += any(ends is not None and not ends[0] <= 0.5 <= ends[1] for ends in found)
    under = f"balanced, score 0.5, {looks} looks, one every {batch} pairs"
    measured = percent(wrong / max(1, replicates))
    return Row("interval for a fixed number, watched: ever wrong", under, replicates, "", measured)


def _widths() -> Row:
    """Return how much wider the interval is than that for a fixed number of pairs."""
    laws = [tilted(shape, mean) for shape in PAIRS.values() for mean in TRUTHS]
    ratios = []
    for law in (*laws, *np.eye(5)):  # the last have pairs of one score
        for pairs in WIDE_FOR:
            expected = (pairs * law).tolist()
            watched_ends, ends = anytime_interval(expected), score_interval(expected)
            assert watched_ends is not None
            assert ends is not None
            ratios.append((watched_ends[1] - watched_ends[0]) / (ends[1] - ends[0]))
    under = f"the laws above, and pairs of one score, {WIDE_FOR[0]} to {WIDE_FOR[-1]} pairs"
    measured = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return Row("its width, that for a fixed number being 1", under, len(ratios), "", measured)


def _better(name: str, elo: float, replicates: int) -> Iterator[Row]:
    """Yield the wrong answers of ``--until better``, and of unequal players the score there."""
    mean, under = expected_score(elo), f"{name}, true Elo {elo:g}"
    rng = generator("better", under)
    law = tilted(PAIRS[name], mean)
    tables, decisions = walks(law, _is_better, LOOK_PAIRS, MAX_PAIRS, replicates, rng)
    if not elo:
        wrong = (decisions != 0).tolist()
        yield errors("until better: one of two equal players is", under, wrong, ALPHA)
        return
    yield errors("until better: the weaker one is", under, (decisions < 0).tolist(), ALPHA / 2)
    yield _score("until better: score", under, tables, mean)


def _score(printed: str, under: str, tables: Array, mean: float) -> Row:
    """Return the coverage of the score with which fights ended."""
    ends = [anytime_interval(counts) or (0, 1) for counts in tables.astype(int).tolist()]
    hits = [low <= mean <= high for low, high in ends]
    excess = (tables @ scores(5) / tables.sum(1) - mean).tolist()
    return coverage(printed, under, hits, excess, "points")


def _is_better(tables: Array) -> NDArray[np.int64]:
    counts, bound = tables.astype(np.int64), log(2 / ALPHA)
    better, worse = _capital(counts, 0.5) > bound, _capital(counts[:, ::-1], 0.5) > bound
    return better.astype(np.int64) - worse


def _width(name: str, elo: float, replicates: int) -> Row:
    """Return the coverage of the score where ``--until ±W`` stops."""
    mean = expected_score(elo)
    law, under = tilted(PAIRS[name], mean), f"{name}, true Elo {elo:g}"

    def is_narrow(tables: Array) -> NDArray[np.int64]:
        ends = [anytime_interval(counts) or (0, 1) for counts in tables.astype(int).tolist()]
        return np.array([int(high - low <= 2 * WIDTH) for low, high in ends], np.int64)

    rng = generator("width", under)
    tables, _ = walks(law, is_narrow, LOOK_PAIRS, MAX_PAIRS, replicates, rng)
    return _score(f"until ±{WIDTH:.0%}: score", under, tables, mean)


def _openings(kind: str, size: int, times: int, order: str, replicates: int) -> Row:
    """Return how often the interval of pairs from few openings is ever wrong about the world."""
    under = f"{kind}, {size} openings, {order}, {size * times} pairs, a look every {LOOK_PAIRS}"
    rng = generator("openings", under)
    wrong = [_is_wrong_of(rng, OPENINGS[kind], size, times, order) for _ in range(replicates)]
    return errors("interval that may be watched, ever wrong", under, wrong, ALPHA)


def _is_wrong_of(
    rng: np.random.Generator, spread: tuple[float, float], size: int, times: int, order: str
) -> bool:
    """Draw a fight from openings, and return whether it was ever wrong about the mean, a half.

    The law of an opening's own score, and that of a pair around it, are symmetric.
    """
    is_list = order == "a list"
    by_opening, first = dict[int, list[int]](), [0] * 5
    for pair, (opening, doubled) in enumerate(_pairs(rng, spread, size, times, is_list), 1):
        if opening not in by_opening:
            by_opening[opening] = [0] * 9
            first[doubled] += 1
        by_opening[opening][CELLS[doubled]] += 1
        if pair % LOOK_PAIRS:
            continue
        alike = list(Counter(map(tuple, by_opening.values())).items())
        found = anytime(
            sequential_tables(first, alike, size if is_list else 0, is_shuffled=True), ALPHA
        )
        if found is not None and not found.low <= 0.5 <= found.high:
            return True
    return False


def _pairs(
    rng: np.random.Generator, spread: tuple[float, float], size: int, times: int, is_list: bool
) -> Iterator[tuple[int, int]]:
    """Yield the opening and the doubled points of each pair of a fight."""
    own = 0.5 + rng.normal(0, spread[0], size)
    met = np.tile(np.arange(size), times) if is_list else rng.integers(size, size=size * times)
    points = np.rint(4 * np.clip(own[met] + rng.normal(0, spread[1], len(met)), 0, 1))
    yield from zip(met.tolist(), points.astype(int).tolist(), strict=True)


def _every_pair(kind: str, size: int, times: int, replicates: int) -> Row:
    """Return how often an interval is ever wrong that counts an opening as often as it is met."""
    under = f"{kind}, {size} openings, a list, {size * times} pairs, a look every {LOOK_PAIRS}"
    rng, wrong = generator("every pair", under), 0
    for _ in range(replicates):
        drawn = [doubled for _, doubled in _pairs(rng, OPENINGS[kind], size, times, True)]
        tables = np.eye(5, dtype=np.int64)[drawn].cumsum(0)[LOOK_PAIRS - 1 :: LOOK_PAIRS]
        wrong += bool(_is_ever_wrong(tables[None], 0.5)[0])
    measured = percent(wrong / max(1, replicates))
    return Row("the same if every pair counted: ever wrong", under, replicates, "", measured)
