"""Train by one game after the other through the four parts, and measure the learning curve."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from arena.errors import PlayerFault, UsageError, describe, is_stop
from arena.game import Position, Side
from arena.learning.critic import training_examples
from arena.learning.experiment_generator import GENERATORS
from arena.learning.features import Features
from arena.learning.generalizer import refine
from arena.learning.hypothesis import Hypothesis, diverged, ignorance
from arena.learning.performance_system import GameBoards, Performer, perform
from arena.player import Choose, PlayerInfo
from arena.proof.distribution import check_legal
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.records.training import LEARNER, Course, CurvePoint
from arena.rng import Stream, begin


def lessons(
    course: Course, features: Features, opponent: PlayerInfo | None
) -> Iterator[Hypothesis]:
    """Yield the hypothesis before the first game and after every game of the course.

    Without an opponent the learner plays against itself and learns from both sides. With one it
    moves first in every other game. Raises UsageError when the weights diverge, and PlayerFault for
    an opponent that raises or makes an illegal move.
    """
    hypothesis = ignorance(features)
    propose = GENERATORS[course.start]
    rival = None if opponent is None else _with_fault_check(opponent)
    rngs, chance = (Stream(), Stream()), (Stream(), Stream())
    yield hypothesis
    for number in range(course.games):
        name = f"train/{features.game.name}/{course.seed}/{number}"
        begin(rngs, name)
        begin(chance, f"{name}/start")
        problem = propose(hypothesis, chance[0])
        players, sides = _seats(Performer(hypothesis), rival, number)
        trace = perform(problem, players, rngs)
        hypothesis = _learn(hypothesis, trace, sides, course.rate)
        if diverged(hypothesis):
            raise UsageError(
                f"the weights diverge in game {number + 1}: a rate of {course.rate} is too large"
                " for these features"
            )
        yield hypothesis


def _seats(
    learner: Choose, rival: Choose | None, number: int
) -> tuple[tuple[Choose, Choose], Sequence[Side]]:
    """Return the players in order of moving, and the sides that learn."""
    if rival is None:
        return (learner, learner), tuple(Side)
    side = Side(number % 2)
    return (rival, learner) if side else (learner, rival), (side,)


def _learn(
    hypothesis: Hypothesis, trace: GameBoards, sides: Sequence[Side], rate: float
) -> Hypothesis:
    first, second = (
        refine(weights, training_examples(trace, side, hypothesis), rate)
        if side in sides
        else weights
        for side, weights in zip(Side, hypothesis.weights, strict=True)
    )
    return Hypothesis(hypothesis.features, (first, second))


def _with_fault_check(opponent: PlayerInfo) -> Choose:
    """Return the opponent with a check that names its faults."""
    if not opponent.stateless:
        raise UsageError(f"{opponent.name} keeps state: train against a stateless player")

    def choose(position: Position, rng: random.Random) -> int:
        try:
            answer = opponent.player(position, rng)
        except BaseException as error:
            if is_stop(error):
                raise
            message = f"{opponent.name} raises {describe(error)} at {position}"
            raise PlayerFault(message) from error
        try:
            return check_legal(position, answer)
        except PlayerFault as error:
            raise PlayerFault(f"{opponent.name}: {error}") from error

    return choose


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
