"""Files of weights: what ``arena train --output`` writes and the player ``lms:FILE`` plays by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.errors import UsageError, did_you_mean, quoted
from arena.files import read_json
from arena.games.mnk import mnk_game
from arena.learning.features import features_of, known_features
from arena.learning.hypothesis import LARGEST_WEIGHT, Hypothesis, Weights
from arena.records.training import SCHEMA

#: The game that is learned.
GAME = mnk_game(3, 3, 3)

#: The name of w0 in a file.
CONSTANT = "constant"


def named_weights(hypothesis: Hypothesis) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of the first side and of the second, by the names of their features."""
    names = (CONSTANT, *hypothesis.features.names)
    first, second = (dict(zip(names, w, strict=True)) for w in hypothesis.weights)
    return first, second


def read_weights(path: str | Path) -> Hypothesis:
    """The hypothesis in a file; UsageError says in one line what is wrong with it."""

    def refuse(problem: str) -> UsageError:
        return UsageError(f"weights {quoted(str(path))}: {problem}")

    try:
        found = read_json(Path(path))
    except UsageError as error:
        raise refuse(str(error)) from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise refuse(f"is not of schema {SCHEMA!r}: write one with arena train --output")
    if found.get("game") != GAME.name:
        raise refuse(f"is for {quoted(str(found.get('game')))}, and lms plays {GAME.name}")
    first, second = (_names(found.get(side), side, refuse) for side in ("first", "second"))
    if first != second:
        raise refuse(
            f"'first' has {len(first)} weights and 'second' {len(second)}:"
            " both must have the same features in the same order"
        )
    weights = [_numbers(found[side], refuse) for side in ("first", "second")]
    return Hypothesis(features_of(GAME, first[1:]), (weights[0], weights[1]))


def _names(weights: Any, side: str, refuse: Callable[[str], UsageError]) -> tuple[str, ...]:
    """The names in a file's weights of one side: the constant, then features."""
    if not isinstance(weights, dict) or CONSTANT not in weights:
        raise refuse(f"{side!r} must have the weights by name, {CONSTANT!r} before all")
    known = {CONSTANT, *known_features(GAME)}
    for name in weights:
        if name not in known:
            raise refuse(f"unknown feature {quoted(name)}{did_you_mean(name, known)}")
    names = tuple(weights)
    if names[0] != CONSTANT:
        raise refuse(f"{side!r} must begin with {CONSTANT!r}, not {quoted(names[0])}")
    return names


def _numbers(weights: dict[str, Any], refuse: Callable[[str], UsageError]) -> Weights:
    for name, weight in weights.items():
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not abs(weight) <= LARGEST_WEIGHT:
            raise refuse(
                f"the weight of {name!r} must be a number of at most {LARGEST_WEIGHT:.0f} either"
                f" way, not {quoted(str(weight))}"
            )
    return tuple(map(float, weights.values()))
