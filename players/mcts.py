"""mcts values positions by random games: the tree search UCT, of :mod:`arena.games.uct`."""

from __future__ import annotations

import random

from arena.game import Position
from arena.games import uct
from arena.kinds import decimal, whole
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(
    position: Position,
    rng: random.Random,
    simulations: int = uct.DEFAULT_SIMULATIONS,
    exploration: float = uct.DEFAULT_EXPLORATION,
) -> int:
    """Value positions by random games: UCT."""
    return uct.choose(position, rng, simulations, exploration)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    options = {"simulations": whole(1, 10**6), "exploration": decimal(0, 100)}
    register("mcts", choose, games="perfect-information", only_named=True, options=options)
