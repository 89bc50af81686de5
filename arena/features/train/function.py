"""Players that learn, and how strong they become."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Unpack

from arena.errors import UnknownName, UsageError
from arena.executors.isolated_process import map_isolated
from arena.features.train.options import TrainOptions
from arena.inputs.resolve import get_player, open_catalogue
from arena.learning.experiment_generator import GENERATORS
from arena.learning.features import Features, features_of, named_features
from arena.learning.hypothesis import Hypothesis
from arena.learning.training import checkpoints, lessons, measure
from arena.learning.weights import GAME, named_weights
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.policy import Policy
from arena.records.training import LEARNER, SELF, Course, Training
from arena.rng import fresh_seed
from arena.signatures import complete, takes

#: Number of reports of progress in the course of a training; a shorter one reports every game.
TOLD = 100

#: The opponents that measure a learning curve.
YARDSTICKS = ("monkey", "heuristic", "tree", "minimax")


@takes(TrainOptions)
def train(learner: str = LEARNER, **options: Unpack[TrainOptions]) -> Training:
    """Train a player that learns, ``lms``, against itself or a stateless player.

    Games begin on the ``empty`` board or on a ``random`` one. The same seed gives the same weights;
    without one a fresh one is drawn and stands in the result. With ``at_once`` this many games are
    played by the same weights, in lockstep, which is several times as fast. With ``curve`` the
    exact strength is measured before, during and after training. ``on_progress`` receives how many
    games are done, some hundred times.

    >>> trained = train("lms", against="heuristic", games=200, features=["squares"], seed=1)
    >>> len(trained.first), trained.course.command.partition(" --rate")[0]
    (10, 'arena train lms --features squares --against heuristic --start random')
    """
    if learner != LEARNER:
        raise UnknownName("learner", learner, [LEARNER])
    options = complete(train, options)
    against, games, on_progress = options["against"], options["games"], options["on_progress"]
    options["on_progress"] = None  # it is reported here, wherever the games are played
    marks = range(0, games + 1, max(1, games // TOLD)) if on_progress is not None else ()
    work, tasks = _Lessons(options), [*marks, games + 1]
    is_named = isinstance(against, str) and against != SELF
    lessons = map_isolated(work, tasks) if is_named else (work(task) for task in tasks)
    with closing(lessons) as steps:
        for step in steps:
            if isinstance(step, Training):
                return step
            if on_progress is not None:
                on_progress(step)
    raise AssertionError("the last task returns what was trained")


class _Lessons:
    """Training in steps: each call goes on where the last one stopped, in the same process."""

    def __init__(self, options: TrainOptions) -> None:
        self._options = options
        self._steps: Iterator[int | Training] | None = None

    def __call__(self, mark: int) -> int | Training:
        """Train until this many games are done and return their number, or train to the end."""
        if self._steps is None:
            self._steps = _train_steps(self._options)
        for step in self._steps:
            if isinstance(step, Training) or step == mark:
                return step
        raise AssertionError("the last step is what was trained")


def _train_steps(options: TrainOptions) -> Iterator[int | Training]:
    """Yield the number of games after each of them, and at the end what was learned."""
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    against = options["against"]
    opponent = None if against == SELF else get_player(against, catalogue)
    course = replace(_course(options, opponent), plugins=catalogue.files)
    features = features_of(GAME, named_features(GAME, course.features))
    yardsticks = _yardsticks(catalogue) if options["curve"] else []
    marks = set(checkpoints(course.games)) if options["curve"] else set()
    points = []
    for number, hypothesis in enumerate(_taught(course, features, opponent)):
        if number in marks:
            points.append(measure(number, hypothesis, yardsticks))
        yield number
    yield Training(course, GAME.name, GAME.version, *named_weights(hypothesis), tuple(points))


def _taught(
    course: Course, features: Features, opponent: PlayerInfo | None
) -> Iterator[Hypothesis]:
    if course.at_once == 1:
        return lessons(course, features, opponent)
    from arena.learning.at_once import lessons_at_once  # only callers that want it pay for NumPy

    return lessons_at_once(course, features, opponent)


def _course(options: TrainOptions, opponent: PlayerInfo | None) -> Course:
    """Return what these complete options ask for. Raises UsageError if that cannot be trained."""
    start, rate = options["start"], options["rate"]
    games, features = options["games"], options["features"]
    if opponent is not None:
        opponent.require(GAME)
    if start not in GENERATORS:
        raise UnknownName("start", start, GENERATORS)
    if not features:
        raise UsageError("no features are named: there is nothing to learn by")
    name = SELF if opponent is None else opponent.name
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    return Course(tuple(features), name, start, rate, games, seed, options["at_once"])


def _yardsticks(catalogue: Catalogue) -> list[Policy]:
    installed = dict(catalogue.players)
    return [Policy(installed[name], GAME) for name in YARDSTICKS if name in installed]
