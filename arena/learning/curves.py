"""Measure learning curves exactly: strength against games trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.learning.hypothesis import Hypothesis
from arena.learning.performance_system import Performer
from arena.player import PlayerInfo
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.records.training import LEARNER, CurvePoint


def measure(games: int, hypothesis: Hypothesis, yardsticks: Sequence[Policy]) -> CurvePoint:
    """Measure the hypothesis after this many games against every yardstick."""
    me = Performer(hypothesis)
    info = PlayerInfo(LEARNER, me, distribution=me.distribution)
    learner = Policy(info, hypothesis.features.game)
    scores = {rival.player.name: exact_result(learner, rival).total.score for rival in yardsticks}
    return CurvePoint(games, scores)


def checkpoints(games: int) -> Iterator[int]:
    """Yield the numbers of games after which to measure: 0, 1, 2, 5, 10, 20, 50, ... and all of
    them.

    >>> list(checkpoints(30))
    [0, 1, 2, 5, 10, 20, 30]
    """
    yield 0
    power = 1
    while power < games:
        yield from (n for n in (power, 2 * power, 5 * power) if n < games)
        power *= 10
    yield games
