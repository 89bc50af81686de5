"""Training by many games at once: the same rule, other weights between games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import arena
from arena.errors import PlayerFault, UsageError
from arena.features.train import function as training
from arena.game import Position
from arena.learning import at_once
from arena.learning.critic import training_examples
from arena.learning.features import features_of, named_features
from arena.learning.generalizer import refine
from arena.learning.hypothesis import Hypothesis
from arena.learning.weights import GAME
from arena.player import PlayerInfo
from arena.player.batches import BatchRandom
from arena.records.training import Course
from tests.golden import Wording

FEATURES = features_of(GAME, named_features(GAME, ["rules"]))


def course(start: str = "random", games: int = 40) -> Course:
    return Course(("rules",), "self", start, 0.01, games, 3, at_once=40)


def hypothesis() -> Hypothesis:
    rng = random.Random(1)
    first, second = (tuple(rng.gauss(0, 9) for _ in range(13)) for _ in range(2))
    return Hypothesis(FEATURES, (first, second))


def traces(played: Any, games: int) -> list[list[Any]]:
    """Return the boards of every game, but for the one that it begins on."""
    results: list[list[Any]] = [[] for _ in range(games)]
    powers = 3 ** np.arange(9)
    for position in played:
        for game, side, number in zip(*(own.tolist() for own in position[:3]), strict=True):
            letters = "_xo" if side == 0 else "_ox"
            text = "".join(letters[int(digit)] for digit in number // powers % 3)
            results[game].append(GAME.parse(text))
    return results


@pytest.mark.parametrize(("learns_both", "start"), [(True, "random"), (False, "empty")])
def test_it_learns_by_the_rule_of_one_game_after_the_other(learns_both: bool, start: str) -> None:
    before = hypothesis()
    played, points = at_once._play(course(start), before, None, 0, 40)
    weights = list(before.weights)
    for game, boards in enumerate(traces(played, 40)):
        assert boards[-1].outcome() is not None
        for side in (0, 1) if learns_both else (game % 2,):
            examples = training_examples([GAME.start(), *boards], arena.Side(side), before)
            weights[side] = refine(weights[side], examples, 0.01)
    learned = at_once._learn(course(start), before, learns_both, 0, played, points)
    assert np.allclose(learned.weights, weights, rtol=1e-12)


def test_games_begin_on_boards_of_every_ply() -> None:
    begins = at_once._begin(course(), hypothesis(), "name", 0, 400)
    assert not begins.is_over.any()
    assert len(begins) == 400
    assert min(np.bincount(begins.plies, minlength=9)) > 5
    again = at_once._begin(course(), hypothesis(), "name", 100, 200)
    assert [again[at] for at in range(100)] == [begins[at] for at in range(100, 200)]


@pytest.mark.slow
def test_it_learns_to_beat_a_random_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "checkpoints", lambda games: [games])  # each takes a while
    trained = arena.train("lms", games=2000, seed=1, at_once=64, curve=True)
    assert trained.curve[-1].scores["monkey"] > 0.9
    assert trained.course.command.endswith("--at-once 64")
    assert trained.as_json()["at_once"] == 64
    assert "at_once" not in arena.train("lms", games=3, seed=1).as_json()


def choose(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def opponent(batch: Any) -> PlayerInfo:
    return PlayerInfo("p", choose, choose_batch=batch)


@pytest.mark.slow
def test_an_opponent_is_asked_for_many_moves() -> None:
    questions = []

    def batch(positions: Any, rng: BatchRandom) -> Any:
        questions.append(positions)
        return rng.choice(positions.legal)

    one, two = (
        arena.train("lms", against=opponent(batch), games=90, seed=1, at_once=30) for _ in range(2)
    )
    assert questions
    assert one == two


@pytest.mark.parametrize(
    ("batch", "error"),
    [
        (None, UsageError),
        (lambda p, _: p.mine.argmax(axis=1) + 99, PlayerFault),
        (lambda p, _: p.mine, PlayerFault),
    ],
)
def test_a_bad_opponent_is_told(batch: Any, error: type[Exception], wording: Wording) -> None:
    with wording.raises(error):
        arena.train("lms", against=opponent(batch), games=90, seed=1, at_once=30)


def test_weights_that_diverge_are_told(wording: Wording) -> None:
    with wording.raises(UsageError, match="64"):
        arena.train("lms", games=90, seed=1, at_once=64, rate=5)
    with wording.raises(UsageError, match="4096"):
        arena.train("lms", games=90, seed=1, at_once=0)
