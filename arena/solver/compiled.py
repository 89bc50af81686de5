"""Compile the search with numba where that is installed and worth its while."""

from __future__ import annotations

from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

from arena.solver import four

#: The command that installs numba.
INSTALL_NUMBA = "pip install 'proving-arena[solve]'"

#: The functions, each after those that it calls.
FUNCTIONS = (
    *("completing", "has_four", "key_of", "safe_moves", "glance", "order", "descend"),
    *("place", "recall", "remember", "search", "choose", "choose_all"),
)


def is_installed() -> bool:
    """Return whether numba can be imported."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


@cache
def compiled() -> Any:
    """Return the functions of :mod:`arena.solver.four`, compiled when they are first called."""
    from numba import njit

    functions = dict(vars(four))  # each function calls the compiled ones
    for name in FUNCTIONS:
        functions[name] = njit(cache=True)(FunctionType(functions[name].__code__, functions, name))
    return SimpleNamespace(**{name: functions[name] for name in FUNCTIONS})
