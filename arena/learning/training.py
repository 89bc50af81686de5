"""Training: one game after the other through the four parts."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena.errors import PlayerFault, UsageError, describe, is_stop
from arena.game import Position, Side
from arena.learning.critic import training_examples
from arena.learning.experiment_generator import GENERATORS
from arena.learning.features import Features
from arena.learning.generalizer import refine
from arena.learning.hypothesis import LARGEST_WEIGHT, Hypothesis, ignorance
from arena.learning.performance_system import Performer, perform
from arena.player import Choose, PlayerInfo
from arena.proof.distribution import check_legal
from arena.rng import Stream, begin
from arena.trained import Course


def lessons(
    course: Course, features: Features, opponent: PlayerInfo | None
) -> Iterator[Hypothesis]:
    """The hypothesis before the first game and after every game of the course.

    Without an opponent it plays against itself and learns from both sides; with one it moves first
    in every other game. UsageError when the weights diverge, PlayerFault for an opponent that
    raises or makes an illegal move.
    """
    hypothesis = ignorance(features)
    propose = GENERATORS[course.start]
    rival = None if opponent is None else _checked(opponent)
    rngs, chance = (Stream(), Stream()), (Stream(), Stream())
    yield hypothesis
    for number in range(course.games):
        name = f"train/{features.game.name}/{course.seed}/{number}"
        begin(rngs, name)
        begin(chance, f"{name}/start")
        me = Performer(hypothesis)
        side = Side(number % 2)
        players: tuple[Choose, Choose] = (me, me)
        if rival is not None:
            players = (rival, me) if side else (me, rival)
        trace = perform(propose(hypothesis, chance[0]), players, rngs)
        weights = list(hypothesis.weights)
        for learner in Side if rival is None else (side,):
            examples = training_examples(trace, learner, hypothesis)
            weights[learner] = refine(weights[learner], examples, course.rate)
        if not all(abs(weight) <= LARGEST_WEIGHT for both in weights for weight in both):
            raise UsageError(
                f"the weights diverge in game {number + 1}: a rate of {course.rate} is too large"
                " for these features"
            )
        hypothesis = Hypothesis(features, (weights[0], weights[1]))
        yield hypothesis


def _checked(opponent: PlayerInfo) -> Choose:
    """The opponent, so that its mistakes are named."""
    if not opponent.stateless:
        raise UsageError(f"{opponent.name} keeps state: train against a player that keeps none")

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
