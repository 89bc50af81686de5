"""The games of OpenSpiel: ``openspiel:NAME`` and ``openspiel:NAME(parameter=value,...)``.

The library is optional. Arena imports it when the user names one of its games.
"""

from __future__ import annotations

from arena.game import Game
from arena.plugin.markers import hookimpl
from arena.plugin.registers import GameRegister


def make(name: str) -> Game:
    """Return the game that ``openspiel:NAME`` names. ``connect_four(rows=5)`` is a NAME.

    Games of more than two seats are in :mod:`arena.plugins.openspiel.world`, as those with luck.
    Raises UsageError if there is no such game here, with the reason.
    """
    from arena.plugins.openspiel.game import open_spiel_game
    from arena.plugins.openspiel.library import worldly
    from arena.plugins.openspiel.parameters import SEATS_PARAMETER, read

    kind, parameters = read(name)
    if kind in worldly() or SEATS_PARAMETER in parameters:
        from arena.plugins.openspiel.world import world_game

        return world_game(kind, parameters)
    return open_spiel_game(kind, parameters)


@hookimpl
def arena_register_games(register: GameRegister) -> None:
    register("openspiel:NAME", make, summary="a game of OpenSpiel, such as openspiel:othello")
