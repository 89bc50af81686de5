"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1).headline)
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed. A function that has players play takes an ``isolation``, which is how files and
programs are isolated: a tier by name, as ``--isolation`` takes it, or an Isolation with limits.
"""

from __future__ import annotations

from importlib import import_module


def _homes() -> dict[str, str]:
    """Read the module of every public name from the lines `from MODULE import NAME as NAME`."""
    with open(f"{__file__}i", encoding="utf-8") as stub:
        return {words[-1]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}


_HOMES = _homes()
#: The public names, but for the modules of this package that are public as a whole.
__all__ = sorted(name for name, module in _HOMES.items() if module != __name__)


class _MissingName(AttributeError):
    """An error that looks for the nearest name when it is shown: most are caught by an import."""

    def __str__(self) -> str:
        from arena.errors import did_you_mean

        return super().__str__() + did_you_mean(self.name, _HOMES)


def __getattr__(name: str) -> object:
    # Imports on demand: a plugin needs a marker, a player's process the rules of a game.
    if name == "__version__":
        from importlib.metadata import version  # which takes a while

        return version("proving-arena")
    home = _HOMES.get(name)
    if home is None:
        raise _MissingName(f"module {__name__!r} has no attribute {name!r}", name=name)
    if home == __name__:
        return import_module(f"{home}.{name}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
