"""Simulate tournaments that end when a question is answered: wrong answers, and games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from arena.stats.allocation import FieldQuestion, PairingSample
from arena.stats.elo import expected_score
from arena.stats.ranking import RankingAnswer
from benchmarks.coverage.laws import PAIRS, Array, generator, scores, tilted
from benchmarks.coverage.table import Row, errors

ALPHA, MARGIN, CAP = 0.05, 0.02, 20_000

#: The most that an adaptive tournament may play, of what a round robin plays by the same rule.
MOST = 1.2

#: The same where few entrants are hard to tell apart among many.
EASY = 0.25

#: One tournament of so many is also played as a round robin, from the same random numbers.
FEWER = 5

#: The question of a number of best entrants, None for the order.
QUESTIONS = {1: "best", 3: "top:3", None: "order"}


@dataclass(frozen=True)
class Scene:
    """Entrants, and the laws of their pairs."""

    name: str
    #: ``expected[i, k]``: the expected score of i against k.
    expected: Array
    shape: str = "balanced"
    #: Entrants below this number leave nothing to chance: their pairings repeat one pair.
    fixed: int = 0
    #: Whether few are hard to tell apart, among many.
    is_easy: bool = False
    #: The numbers of the best that are asked for, None for the order.
    asked: tuple[int | None, ...] = (1,)

    @property
    def values(self) -> Array:
        """The values of all entrants."""
        return np.asarray((self.expected.sum(1) - 0.5) / (len(self.expected) - 1))

    def draw(self, pairing: tuple[int, int], pairs: int, rng: np.random.Generator) -> PairingSample:
        """Draw pairs of a pairing."""
        mean = float(self.expected[pairing])
        if pairing[1] < self.fixed:
            return PairingSample((1,), (mean,), is_through=True)
        law = tilted_once(self.shape, mean)
        return PairingSample(rng.multinomial(pairs, law).tolist(), scores(len(law)).tolist())


_LAWS: dict[tuple[str, float], Array] = {}


def tilted_once(shape: str, mean: float) -> Array:
    """Return a tilted law, which is found once."""
    if (shape, mean) not in _LAWS:
        _LAWS[shape, mean] = tilted(PAIRS[shape], mean)
    return _LAWS[shape, mean]


def of_elo(elos: list[int]) -> Array:
    """Return expected scores by differences in Elo."""
    return np.array([[expected_score(a - b) for b in elos] for a in elos])


def circle(entrants: int, score: float) -> Array:
    """Return expected scores of entrants each of whom beats the next half of the others."""
    ahead = (np.arange(entrants)[None, :] - np.arange(entrants)[:, None]) % entrants
    return np.where(ahead == 0, 0.5, np.where(ahead <= entrants // 2, score, 1 - score))


def ladder(fixed: int, entrants: int) -> Array:
    """Return expected scores of entrants of whom the first win every game against the later."""
    expected = of_elo([0] * entrants)
    for a, b in combinations(range(fixed), 2):
        expected[a, b], expected[b, a] = 1.0, 0.0
    return expected


ALL = tuple(QUESTIONS)

SCENES = (
    Scene("2 equal", of_elo([0] * 2)),
    Scene("6 equal", of_elo([0] * 6), asked=ALL),
    Scene("6 equal", of_elo([0] * 6), "drawish"),
    Scene("6 equal", of_elo([0] * 6), "wild"),
    Scene("one of 8 better by 20 Elo", of_elo([20] + [0] * 7)),
    Scene("one of 8 better by 50 Elo", of_elo([50] + [0] * 7)),
    Scene("one of 8 better by 100 Elo", of_elo([100] + [0] * 7), "wild"),
    Scene("12, each 20 Elo above the next", of_elo([*range(220, -1, -20)]), asked=ALL),
    Scene("20, each 20 Elo above the next", of_elo([*range(380, -1, -20)])),
    Scene("2 above 40", of_elo([300, 270, *range(40)]), is_easy=True),
    Scene("a circle of 5", circle(5, 0.7), asked=ALL),
    Scene("8, 4 of them without chance", ladder(4, 8), asked=ALL),
    Scene("6 without chance", ladder(6, 6), fixed=6),
    Scene(
        "12, 2 of them without chance, each 50 Elo above the next",
        of_elo([*range(550, -1, -50)]),
        fixed=2,
    ),
)


def rows(replicates: int) -> Iterator[Row]:
    """Yield wrong answers of every question in every scene, and the pairs that they took."""
    for scene in SCENES:
        for top in scene.asked:
            under = f"{QUESTIONS[top]}: {scene.name}, {scene.shape}"
            yield from _tried(scene, top, under, replicates)


def _tried(scene: Scene, top: int | None, under: str, replicates: int) -> Iterator[Row]:
    """Yield wrong answers, and the pairs compared with those of a round robin."""
    found = [play(scene, top, generator(under, i)) for i in range(replicates)]
    wrong = [is_wrong(answer, scene.values, top) for answer, _ in found]
    decided = sum(answer.is_decided for answer, _ in found) / replicates
    yield errors(f"wrong answer of --until, {decided:.0%} decided", under, wrong, ALPHA)
    few = max(2, replicates // FEWER)
    plain = [play(scene, top, generator(under, i), adaptive=False) for i in range(few)]
    ours, theirs = (sum(pairs for _, pairs in played) / few for played in (found[:few], plain))
    most = EASY if scene.is_easy else MOST
    verdict = "ok" if ours <= most * theirs else "FALSE"
    measured = f"{ours / theirs:.2f}"
    printed = f"pairs until an answer, {ours:.0f}; a round robin has {theirs:.0f}"
    yield Row(printed, under, few, f"at most {most} of them", measured, verdict=verdict)


def play(
    scene: Scene,
    top: int | None,
    rng: np.random.Generator,
    *,
    margin: float = MARGIN,
    adaptive: bool = True,
) -> tuple[RankingAnswer, int]:
    """Return the answer of one tournament, and its pairs.

    One that is not adaptive plays all pairings in every round, and stops by the same rule.
    """
    question = FieldQuestion(len(scene.expected), top, margin, ALPHA, CAP)
    done: Counter[tuple[int, int]] = Counter()
    while chosen := question.next_round():
        for pairing in chosen if adaptive else question.all_pairings():
            number = question.played - done[pairing]
            question.add(*pairing, scene.draw(pairing, number, rng))
            done[pairing] += number
    return question.answer(), done.total()


def is_wrong(answer: RankingAnswer, values: Array, top: int | None, margin: float = MARGIN) -> bool:
    """Return whether an answer denies the truth by more than the margin.

    Of the best K that is so if somebody else is better than one of them by more than that.
    """
    if top is None:
        return _misordered(answer.groups, values) or (
            answer.is_decided and any(_step(group, values) > margin for group in answer.groups)
        )
    named, tied, left = answer.groups
    if answer.is_decided:
        return any(values[k] - values[i] > margin for i in named for k in (*tied, *left))
    last, first_out = sorted(values.tolist(), reverse=True)[top - 1 : top + 1]
    below = any(values[i] < last - 1e-12 for i in named)
    return below or any(values[i] > first_out + 1e-12 for i in left)


def _misordered(groups: tuple[tuple[int, ...], ...], values: Array) -> bool:
    return any(
        min(values[list(better)]) <= max(values[list(worse)]) + 1e-12
        for better, worse in combinations(groups, 2)
    )


def _step(group: tuple[int, ...], values: Array) -> float:
    """Return the largest difference from one entrant of a group to the next."""
    return max((b - a for a, b in pairwise(sorted(values[list(group)]))), default=0.0)
