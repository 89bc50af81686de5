"""What the commands do, as functions; the command line calls these and prints their records.

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed.
"""

from arena.api.naming import DEFAULT_GAME, GameLike, PlayerLike, get_game, get_player
from arena.api.playing import DEFAULT_PAIRS, fight, replay, tournament
from arena.api.proving import (
    certify,
    compare,
    distribution,
    exact,
    exact_tournament,
    value,
)
from arena.api.statistics import sprt

__all__ = [
    "DEFAULT_GAME",
    "DEFAULT_PAIRS",
    "GameLike",
    "PlayerLike",
    "certify",
    "compare",
    "distribution",
    "exact",
    "exact_tournament",
    "fight",
    "get_game",
    "get_player",
    "replay",
    "sprt",
    "tournament",
    "value",
]
