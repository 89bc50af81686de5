"""Say which program proves something of a player, and what it assumes."""

from __future__ import annotations

import platform
from importlib.metadata import version


def program() -> str:
    """Return this program's name and versions."""
    parts = ("arena", "proving-arena"), ("NumPy", "numpy")
    names = [f"{name} {version(distribution)}" for name, distribution in parts]
    return ", ".join([*names, f"Python {platform.python_version()}"])


def assumed(keyed_by: str) -> str:
    """Return what a proof by ``position``, ``line`` or ``observation`` takes for granted."""
    condition = {
        "position": "at a position",
        "line": "after a line",
        "observation": "by what its seat knows",
    }[keyed_by]
    return f"the player moves in games as it does when it is asked for its move {condition}"
