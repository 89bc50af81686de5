"""tictactoe3: never loses. Against two forks at once it makes a threat from a side instead."""

from __future__ import annotations

import random

from arena.games.mnk import MnkPosition
from arena.players.rules import free_centre, free_corner, free_side, win_or_block
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(position: MnkPosition, rng: random.Random) -> int:
    """Play as tictactoe2, but sidestep two forks."""
    urgent = win_or_block(position)
    if urgent is not None:
        return urgent
    me = position.to_move
    if forks := position.forking_moves(me):
        return forks[0]
    threats = position.forking_moves(me.other)
    if len(threats) == 1:
        return threats[0]
    if len(threats) == 2 and position.free(position.game.sides):
        return free_side(position, rng)
    centre = free_centre(position)
    if centre is not None:
        return centre
    corner = free_corner(position, rng)
    return free_side(position, rng) if corner is None else corner


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register(
        "tictactoe3",
        choose,
        games=("tictactoe", "lines-3-3"),
        claims=("never-loses:tictactoe",),
    )
