"""tictactoe1: win, block, then a corner, the centre, a side."""

from __future__ import annotations

import random

from arena.games.mnk import MnkPosition
from arena.players.rules import free_centre, free_corner, free_side, win_or_block
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(position: MnkPosition, rng: random.Random) -> int:
    """Win, block, corner, centre, side."""
    urgent = win_or_block(position)
    if urgent is not None:
        return urgent
    for square in (free_corner(position, rng), free_centre(position)):
        if square is not None:
            return square
    return free_side(position, rng)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("tictactoe1", choose, games=("tictactoe", "lines-3-3"))
