"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1).headline)
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0

The functions that users call most, of those that ``dir(arena)`` lists:

* games: ``fight``, ``tournament``, ``sprt_fight``, ``resume``, ``replay``, ``explain``
* one player: ``check``, ``certify``, ``exact``, ``exploitability``, ``move``, ``solve``
* many results: ``rate``, ``rate_stores``, ``regress``, ``plan``, ``browse``, ``report``, ``load``
* what there is: ``installed_players``, ``installed_games``, ``get_player``, ``get_game``

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed. A function that has players play takes an ``isolation``, which is how files and
programs are isolated: a tier by name, as ``--isolation`` takes it, or an Isolation with limits.
``arena.records`` has the types of results, ``arena.plugin`` what an author of plugins needs.
"""

from __future__ import annotations

from arena import lazy

_get, __dir__, __all__ = lazy.attach(__name__, __file__)


def __getattr__(name: str) -> object:
    # Imports on demand: a plugin needs a marker, a player's process the rules of a game.
    if name == "__version__":
        from importlib.metadata import version  # which takes a while

        return version("proving-arena")
    return _get(name)
