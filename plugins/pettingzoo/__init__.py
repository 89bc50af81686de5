"""The environments of PettingZoo: ``pettingzoo:classic/connect_four_v3``.

The library is optional. Arena imports it when the user names one of its environments.
"""

from __future__ import annotations

from arena.game import Game
from arena.plugin.markers import hookimpl
from arena.plugin.registers import GameRegister


def make(text: str) -> Game:
    """Return the game that ``pettingzoo:TEXT`` names. Raises UsageError, with the reason."""
    from arena.plugins.pettingzoo.game import environment_game

    return environment_game(text)


@hookimpl
def arena_register_games(register: GameRegister) -> None:
    register(
        "pettingzoo:ENVIRONMENT",
        make,
        summary="an environment of PettingZoo, such as pettingzoo:classic/connect_four_v3",
    )
