"""A player that takes a corner while one is free."""

from __future__ import annotations

import random

import arena


def choose(position: arena.plugin.MnkPosition, rng: random.Random) -> int:
    """Take a free corner, else any square."""
    # A move is a square, counted from 0 in reading order. `free` leaves out those that are taken.
    corners = position.free(position.game.corners)
    # All chance comes from `rng`, never from the module `random`: so the same seed gives the same
    # games, and `arena move` can list every move with its exact probability.
    return rng.choice(corners or position.legal_moves())


@arena.hookimpl
def arena_register_players(register: arena.plugin.PlayerRegister) -> None:
    # The first line of the docstring of `choose` is the player's summary in `arena players`. The
    # patterns say which games it can play: `position.game.corners` is known to m,n,k games only.
    register("corner", choose, games=("tictactoe", "tictactoe-*", "mnk-*"))
