"""tictactoe2: as tictactoe1, with two rules on forks after the block."""

from __future__ import annotations

import random

from arena.games.mnk import MnkPosition
from arena.players.rules import free_centre, free_corner, free_side, win_or_block
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(position: MnkPosition, rng: random.Random) -> int:
    """Play as tictactoe1, and fork after the block."""
    urgent = win_or_block(position)
    if urgent is not None:
        return urgent
    me = position.to_move
    for side in (me, me.other):
        if forks := position.forking_moves(side):
            return forks[0]
    for square in (free_corner(position, rng), free_centre(position)):
        if square is not None:
            return square
    return free_side(position, rng)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("tictactoe2", choose, games=("tictactoe", "lines-3-3"))
