"""The monkey plays any legal move. This file is the example to copy for a player of your own.

A player is a function of a position and a ``random.Random``. The hook below tells the arena about
it, and the entry point that names this file in setup.cfg tells the arena about the hook.
"""

from __future__ import annotations

import random

from arena.game import Position
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(position: Position, rng: random.Random) -> int:
    """Play any legal move."""
    return rng.choice(position.legal_moves())


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("monkey", choose)
