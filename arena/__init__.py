"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1).headline)
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed. A function that has players play takes an ``isolation``, which is how files and
programs are isolated: a tier by name, as ``--isolation`` takes it, or an Isolation with limits.

The names stand in ``__init__.pyi``, each with its module, which arena imports when the name is
first used: a plugin needs a marker, a player's process the rules of a game, no command another one.
"""

from __future__ import annotations

from importlib import import_module


def _modules() -> dict[str, str]:
    """Return the module of each public name, as the lines of the list say."""
    stub = globals()["__loader__"].get_data(f"{__path__[0]}/__init__.pyi").decode()
    words = [line.split() for line in stub.splitlines() if line.startswith("from ")]
    return {line[-1]: line[1] for line in words}


_MODULES = _modules()
__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # which takes a while

        return version("proving-arena")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES[name]
    is_module = module == __name__
    value = import_module(f"{module}.{name}") if is_module else getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
