"""The heuristic player: an ordered list of rules. Chance decides within each."""

from __future__ import annotations

import random

from arena.games.mnk import MnkPosition
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister


def choose(position: MnkPosition, rng: random.Random) -> int:
    """Win, block, fork, centre, corner, side."""
    return rng.choice(candidates(position))


def candidates(position: MnkPosition) -> tuple[int, ...]:
    """Return the squares of the first rule that has any, ascending."""
    me, game = position.to_move, position.game
    centre = () if game.centre is None else (game.centre,)
    return (
        position.winning_moves(me)
        or position.winning_moves(me.other)
        or position.forking_moves(me)
        or position.forking_moves(me.other)
        or position.free(centre)
        or opposite_corners(position)
        or position.free(game.corners)
        or position.free(game.sides)
    )


def opposite_corners(position: MnkPosition) -> tuple[int, ...]:
    """Return the free corners opposite a corner that the opponent holds."""
    theirs = position.marks(position.to_move.other)
    last = position.game.squares - 1
    return tuple(s for s in position.free(position.game.corners) if theirs >> last - s & 1)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("heuristic", choose, games=("tictactoe", "lines-3-3"))
