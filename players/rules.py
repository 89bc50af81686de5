"""Rules that several players share."""

from __future__ import annotations

import random

from arena.games.mnk import MnkPosition


def win_or_block(position: MnkPosition) -> int | None:
    """Return the first square that wins, or else the first where the opponent would win."""
    me = position.to_move
    for side in (me, me.other):
        if wins := position.winning_moves(side):
            return wins[0]
    return None


def free_corner(position: MnkPosition, rng: random.Random) -> int | None:
    """Return any free corner, or None."""
    corners = position.free(position.game.corners)
    return rng.choice(corners) if corners else None


def free_centre(position: MnkPosition) -> int | None:
    """Return the centre if it is free."""
    centre = position.game.centre
    return None if centre is None or not position.free((centre,)) else centre


def free_side(position: MnkPosition, rng: random.Random) -> int:
    """Return any free side."""
    return rng.choice(position.free(position.game.sides))
