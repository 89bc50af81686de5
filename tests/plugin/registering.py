"""Register players as a plugin does, and hear why a register refuses."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import arena
from arena.errors import PluginError
from arena.plugin.registers import (
    ExecutorRegister,
    GameRegister,
    PlayerRegister,
    Register,
    ReportRegister,
)


def lowest(position: arena.Position, rng: random.Random) -> int:
    """Return the lowest legal move.

    There is more to say about it.
    """
    return position.legal_moves()[0]


class Stateful:
    """A player that keeps state, and does nothing."""

    def start(self, game: object, side: object, rng: object) -> None: ...
    def choose(self, position: object) -> int:
        return 0

    def observe(self, move: int) -> None: ...
    def finish(self, outcome: object) -> None: ...


REGISTERS: dict[str, Callable[[str, str], Register[Any]]] = {
    "games": GameRegister,
    "players": PlayerRegister,
    "executors": ExecutorRegister,
    "reports": ReportRegister,
}


def refusal(register: Register[Any], *arguments: Any, **options: Any) -> str:
    """Why a register refuses something; its traceback must lead to the plugin, its message too."""

    def a_hook_of_the_plugin() -> None:
        call: Any = register
        call(*arguments, **options)

    with pytest.raises(PluginError) as caught:
        a_hook_of_the_plugin()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert "a_hook_of_the_plugin" in [frame.name for frame in frames]
    message = str(caught.value)
    assert message.startswith("plugin my-plugin: ")
    assert "\n" not in message
    assert register.offers == []
    return message.removeprefix("plugin my-plugin: ")


def registered(player: Callable[..., Any], **traits: Any) -> arena.PlayerInfo:
    """Return a player as a plugin of version 7 of the distribution ``dist`` registers it."""
    register = PlayerRegister("my-plugin", "dist", "7")
    register("name", player, **traits)
    ((name, info),) = register.offers
    assert (name, info.name, info.package, info.version) == ("name", "name", "dist", "7")
    return info
