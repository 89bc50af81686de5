"""Read the files of weights from ``arena train --output``, as the player ``lms:FILE`` does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.dataclass import dataclass
from arena.errors import UsageError, did_you_mean, quoted
from arena.files import naming, read_json
from arena.games.mnk import mnk_game
from arena.learning.features import features_of, known_features
from arena.learning.hypothesis import MAX_WEIGHT, Hypothesis, Weights
from arena.model.codec import decode, require_schema
from arena.records.base import Record
from arena.records.training import Training

#: The game of the learner.
GAME = mnk_game(3, 3, 3)

#: Name of w0 in a file.
CONSTANT = "constant"


def named_weights(hypothesis: Hypothesis) -> tuple[dict[str, float], dict[str, float]]:
    """Return the weights of the first side and of the second, by the names of their features."""
    names = (CONSTANT, *hypothesis.features.names)
    first, second = (dict(zip(names, w, strict=True)) for w in hypothesis.weights)
    return first, second


def read_weights(path: str | Path) -> Hypothesis:
    """Read the hypothesis in a file. Raises UsageError with the problem in one line."""
    with naming("weights", path):
        return _read(read_json(Path(path)))


@dataclass(frozen=True)
class WeightFile(Record):
    """The weights in a file. :class:`arena.records.training.Training` has all that it says."""

    SCHEMA = Training.SCHEMA

    game: str
    first: Mapping[str, float]
    second: Mapping[str, float]


def _read(json: Any) -> Hypothesis:
    require_schema(json, WeightFile.SCHEMA, ": write one with arena train --output")
    file = decode(WeightFile, json)
    if file.game != GAME.name:
        raise UsageError(f"is for {quoted(file.game)}, but lms plays {GAME.name}")
    names = _names(file.first, "first")
    if names != _names(file.second, "second"):
        raise UsageError(
            f"'first' has {len(file.first)} weights and 'second' {len(file.second)}:"
            " both must have the same features in the same order"
        )
    return Hypothesis(features_of(GAME, names[1:]), (_numbers(file.first), _numbers(file.second)))


def _names(weights: Mapping[str, float], side: str) -> tuple[str, ...]:
    """Return the names in a file's weights of one side: the constant, then features."""
    features = {CONSTANT, *known_features(GAME)}
    for name in weights:
        if name not in features:
            raise UsageError(f"unknown feature {quoted(name)}{did_you_mean(name, features)}")
    names = tuple(weights)
    if names[:1] != (CONSTANT,):
        raise UsageError(f"{side!r} must have the weights by name, {CONSTANT!r} first")
    return names


def _numbers(weights: Mapping[str, float]) -> Weights:
    for name, weight in weights.items():
        if not abs(weight) <= MAX_WEIGHT:
            raise UsageError(
                f"the weight of {name!r} must be a number of at most {MAX_WEIGHT:.0f} either"
                f" way, not {quoted(str(weight))}"
            )
    return tuple(map(float, weights.values()))
