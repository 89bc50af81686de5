"""Players that learn, and how strong they become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite

from arena.api.common import IsolationLike, PlayerLike, get_player, open_catalogue
from arena.errors import UnknownName, UsageError
from arena.learning.curves import checkpoints, measure
from arena.learning.experiment_generator import GENERATORS
from arena.learning.features import features_of, named_features
from arena.learning.training import lessons
from arena.learning.weights import GAME, named_weights
from arena.plugin.catalogue import Catalogue
from arena.proof.policy import Policy
from arena.records.training import LEARNER, SELF, Course, Training
from arena.rng import fresh_seed

#: What is trained when nobody says otherwise: the player ``lms`` that comes with arena.
DEFAULT_FEATURES = ("rules",)
DEFAULT_RATE = 0.01
DEFAULT_GAMES = 5000
DEFAULT_START = "random"

#: Against whom a learning curve is measured.
YARDSTICKS = ("monkey", "heuristic", "tree", "minimax")


def train(
    learner: str = LEARNER,
    *,
    against: PlayerLike = SELF,
    games: int = DEFAULT_GAMES,
    features: Sequence[str] = DEFAULT_FEATURES,
    start: str = DEFAULT_START,
    rate: float = DEFAULT_RATE,
    seed: int | None = None,
    curve: bool = False,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Training:
    """Train a player that learns, ``lms``, against itself or a stateless player.

    Games begin on the ``empty`` board or on a ``random`` one. The same seed gives the same weights;
    without one a fresh one is drawn and stands in the result. With ``curve`` the exact strength is
    measured before, during and after training. ``on_progress`` is told how many games are done.

    >>> trained = train("lms", against="heuristic", games=200, features=["squares"], seed=1)
    >>> len(trained.first), trained.course.command.partition(" --rate")[0]
    (10, 'arena train lms --features squares --against heuristic --start random')
    """
    if learner != LEARNER:
        raise UnknownName("learner", learner, [LEARNER])
    catalogue = open_catalogue(catalogue, isolation)
    opponent = None if against == SELF else get_player(against, catalogue)
    if opponent is not None:
        opponent.require(GAME)
    if start not in GENERATORS:
        raise UnknownName("start", start, GENERATORS)
    if not (isfinite(rate) and rate > 0):
        raise UsageError(f"the rate must be a number above 0, not {rate}")
    if games < 1:
        raise UsageError(f"there must be at least 1 game, not {games}")
    if not features:
        raise UsageError("no features are named: there is nothing to learn by")
    chosen = features_of(GAME, named_features(GAME, features))
    name = SELF if opponent is None else opponent.name
    root = fresh_seed() if seed is None else seed
    course = Course(tuple(features), name, start, rate, games, root)
    yardsticks = _yardsticks(catalogue) if curve else []
    marks = set(checkpoints(games)) if curve else set()
    points = []
    for number, hypothesis in enumerate(lessons(course, chosen, opponent)):
        if number in marks:
            points.append(measure(number, hypothesis, yardsticks))
        if on_progress is not None:
            on_progress(number)
    return Training(course, GAME.name, GAME.version, *named_weights(hypothesis), tuple(points))


def _yardsticks(catalogue: Catalogue) -> list[Policy]:
    installed = dict(catalogue.players)
    return [Policy(installed[name], GAME) for name in YARDSTICKS if name in installed]
