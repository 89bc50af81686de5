"""Read the files of weights from ``arena train --output``, as the player ``lms:FILE`` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.errors import UsageError, did_you_mean, quoted
from arena.files import field_of, read_json, require_schema
from arena.games.mnk import mnk_game
from arena.learning.features import features_of, known_features
from arena.learning.hypothesis import MAX_WEIGHT, Hypothesis, Weights
from arena.records.training import TRAINING_SCHEMA

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
    try:
        return _read(read_json(Path(path)))
    except UsageError as error:
        raise UsageError(f"weights {quoted(str(path))}: {error}") from error


def _read(record: Any) -> Hypothesis:
    require_schema(record, TRAINING_SCHEMA, ": write one with arena train --output")
    if record.get("game") != GAME.name:
        raise UsageError(f"is for {quoted(str(record.get('game')))}, but lms plays {GAME.name}")
    first, second = (field_of(record, side, dict) for side in ("first", "second"))
    names = _names(first, "first")
    if names != _names(second, "second"):
        raise UsageError(
            f"'first' has {len(first)} weights and 'second' {len(second)}:"
            " both must have the same features in the same order"
        )
    return Hypothesis(features_of(GAME, names[1:]), (_numbers(first), _numbers(second)))


def _names(weights: dict[str, Any], side: str) -> tuple[str, ...]:
    """Return the names in a file's weights of one side: the constant, then features."""
    features = {CONSTANT, *known_features(GAME)}
    for name in weights:
        if name not in features:
            raise UsageError(f"unknown feature {quoted(name)}{did_you_mean(name, features)}")
    names = tuple(weights)
    if names[:1] != (CONSTANT,):
        raise UsageError(f"{side!r} must have the weights by name, {CONSTANT!r} first")
    return names


def _numbers(weights: dict[str, Any]) -> Weights:
    for name, weight in weights.items():
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not abs(weight) <= MAX_WEIGHT:
            raise UsageError(
                f"the weight of {name!r} must be a number of at most {MAX_WEIGHT:.0f} either"
                f" way, not {quoted(str(weight))}"
            )
    return tuple(map(float, weights.values()))
