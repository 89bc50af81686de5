"""Players are called as their signatures say: others are refused at the door, with their line."""

from __future__ import annotations

import inspect
import pickle
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import pytest

import arena
from arena import adapt
from arena.errors import PluginError, UsageError
from arena.plugin.registers import PlayerRegister
from tests.golden import Wording
from tests.plugin.registering import REGISTERS, Stateful, lowest, refusal, registered


def without_rng(position: arena.Position) -> int:
    """Choose without a generator, as no player does."""
    return 0


def deep(position: arena.Position, rng: Any, depth: int = 2, side: str = "on") -> int:
    """Return the move of that number."""
    return position.legal_moves()[depth - 1]


class Deaf(Stateful):
    """A class that is not a player: it is not told which move its opponent made."""

    def observe(self) -> None: ...  # type: ignore[override]


class Demanding(Stateful):
    """A class that is not a player: nobody gives it what it is made with."""

    def __init__(self, depth: int) -> None: ...


class Caller:
    """An object that is not a player."""

    def __call__(self, position: object) -> int:
        return 0


MISFITS: list[tuple[Callable[..., Any], str, str]] = [
    (without_rng, "without_rng(position) in line N", "(position, rng): too many positional"),
    (lambda p, rng, depth: 0, "<lambda>(p, rng, depth) in line N", "missing a required argument"),
    (lambda p, *, rng: 0, "<lambda>(p, *, rng) in line N", "(position, rng): "),
    (Caller(), "Caller(position)", "(position, rng): too many positional"),
    (
        partial(deep, rng=None),
        "deep(position, *, rng=None, depth=2, side='on') in line N",
        "too many",
    ),
    (Deaf, "observe(self) in line N", "(self, move): too many positional"),
    (Demanding, "Demanding(depth)", "(): missing a required argument: 'depth'"),
]


@pytest.mark.parametrize(("player", "shown", "problem"), MISFITS, ids=[m[1] for m in MISFITS])
def test_a_player_that_cannot_be_called_is_refused_with_its_line(
    player: Callable[..., Any], shown: str, problem: str, wording: Wording
) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "high", player)
    assert re.sub(r"in line \d+", "in line N", message).startswith(f"player 'high': {shown}")
    wording(message)
    assert problem in message
    with pytest.raises(UsageError) as caught:
        arena.fight(player, "monkey", n=1)
    assert str(caught.value).endswith(message.removeprefix("player 'high'"))
    stateless = not isinstance(player, type)
    with wording.raises(UsageError, match="'low'"):
        arena.fight(arena.PlayerInfo("low", player, stateless=stateless), "monkey", n=1)


def test_the_line_is_that_of_the_function() -> None:
    line = inspect.getsourcelines(without_rng)[1]
    assert f" in line {line} " in refusal(PlayerRegister("my-plugin", "d"), "high", without_rng)


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that has a function of a position alone play."""

    @wraps(function)
    def choose(position: arena.Position, rng: random.Random) -> Any:
        return function(position)

    return choose


@pytest.mark.parametrize(
    "player",
    [
        lambda *arguments: 0,
        lambda position, rng, depth=2, **more: 0,
        partial(lambda depth, position, rng: 0, 3),
        partial(lambda position, rng, depth: 0, depth=3),
        wrapped(without_rng),
        adapt.rows(lambda board: (0, 0)),
        Stateful,
        max,
    ],
)
def test_a_player_that_can_be_called_is_taken(player: Callable[..., Any]) -> None:
    assert registered(player).player is player


def test_a_class_may_have_static_methods_and_one_for_all_instances() -> None:
    class Loose(Stateful):
        observe = staticmethod(lambda move: None)

        @classmethod
        def finish(cls, outcome: object) -> None: ...

    assert registered(Loose).player is Loose


@pytest.mark.parametrize("thing", [lambda position, rng: {}, lambda position, move: {}])
def test_a_distribution_that_cannot_be_called_is_refused(
    thing: Callable[..., Any], wording: Wording
) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "high", lowest, distribution=thing)
    wording(message, "'high'")


@pytest.mark.parametrize("kind", sorted(REGISTERS.keys() - {"players"}))
def test_other_things_that_cannot_be_called_are_refused_as_well(
    kind: str, wording: Wording
) -> None:
    wording(refusal(REGISTERS[kind]("my-plugin", "d"), "high", lowest))


DEPTH_ALONE = {"depth": arena.plugin.whole(1, 9)}


DEPTH = {"depth": arena.plugin.whole(1, 9), "side": arena.plugin.one_of("on", "off")}


def test_a_mapping_says_all_of_a_players_options(wording: Wording) -> None:
    info = registered(deep, options=DEPTH)
    assert info.options is not None
    assert info.options.__doc__ == "depth=1..9, side=on|off"
    made = info.configured("depth=4,side=off")
    assert made.name == "name:depth=4,side=off"
    assert made.player(arena.get_game("tictactoe").start(), random.Random(0)) == 3
    assert pickle.loads(pickle.dumps(info)).configured("depth=4").player.keywords == {"depth": 4}
    with wording.raises(UsageError, match="'10'"):
        info.configured("depth=10")
    with wording.raises(UsageError, match="'dept'.*'depth'"):
        info.configured("dept=1")


def test_a_class_takes_options_too() -> None:
    class Counting(Stateful):
        def __init__(self, first: int = 0) -> None:
            self.first = first

    made = registered(Counting, options={"first": arena.plugin.whole(0, 8)}).configured("first=5")
    assert not made.stateless
    assert made.player().first == 5


@pytest.mark.parametrize(
    "options",
    [
        {"depht": arena.plugin.whole(1, 9)},
        {"depth": 3},
        {"depth": lambda: 3},
        {"a b": arena.plugin.whole(1, 9)},
        {3: arena.plugin.whole(1, 9)},
        lambda text: None,
    ],
)
def test_options_that_the_player_does_not_take_are_refused(options: Any, wording: Wording) -> None:
    wording(refusal(PlayerRegister("my-plugin", "d"), "deep", deep, options=options))


def test_an_option_without_a_default_is_refused(wording: Wording) -> None:
    def choose(position: arena.Position, rng: random.Random, depth: int) -> int:
        return depth

    message = refusal(PlayerRegister("my-plugin", "d"), "deep", choose, options=DEPTH_ALONE)
    wording(message, "'depth'")


def test_what_options_make_is_a_player_or_the_plugins_fault(wording: Wording) -> None:
    info = registered(lowest, options=lambda info, text: replace(info, player=without_rng))
    with wording.raises(PluginError, match="'name:x'.*without_rng"):
        info.configured("x")
