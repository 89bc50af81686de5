"""A policy is evaluated while it is trained."""

from __future__ import annotations

from typing import Any

import pytest

import arena
from tests.golden import Wording


def first(position: Any, rng: Any) -> int:
    return int(position.legal_moves()[0])


class Net:
    """It answers many positions at once, as a network does."""

    def choose_batch(self, positions: Any, rng: Any) -> Any:
        return positions.legal.argmax(axis=1)


def test_a_policy_plays_every_opponent_and_no_opponent_another() -> None:
    result = arena.evaluate(first, ["monkey", "tictactoe2"], 20, name="step-1", seed=3)
    assert [(fight.a.name, fight.b.name) for fight in result.fights] == [
        ("step-1", "monkey"),
        ("step-1", "tictactoe2"),
    ]
    alone = arena.fight(arena.PlayerInfo("step-1", first), "monkey", 20, seed=3, executor="serial")
    assert result.fights[0].total == alone.total


@pytest.mark.parametrize("engine", ["calls", "batch"])
def test_a_policy_of_batches_plays_as_the_function_that_it_is(engine: str) -> None:
    result = arena.evaluate(Net(), ["monkey"], 300, name="net", engine=engine, seed=1)
    assert result.fights[0].engine == engine
    assert 0.5 < (result.fights[0].score or 0) < 0.75


def test_a_name_or_a_class_is_a_policy_too() -> None:
    result = arena.evaluate("tictactoe3", ["monkey"], 5, name="newest", seed=1)
    assert result.fights[0].a.name == "newest"


@pytest.mark.parametrize(
    ("policy", "against"),
    [(first, "monkey"), (first, []), (3, ["monkey"]), (first, ["nobody"]), (lambda: 0, ["monkey"])],
)
def test_a_mistake_is_a_sentence(policy: Any, against: Any, wording: Wording) -> None:
    with pytest.raises(arena.ArenaError) as caught:
        arena.evaluate(policy, against, 1)
    wording(str(caught.value))
