"""Notice draws from generators that are not a player's own, in the process that it plays in."""

from __future__ import annotations

import random
import sys
from typing import Any


class GlobalGenerators:
    """The generators that all code of a process shares: Python's, and NumPy's once it is there."""

    def __init__(self) -> None:
        self._states = _states()

    def changed(self) -> list[str]:
        """Return the names of those that drew, or were seeded, since the last look.

        A look takes some ten microseconds: it is too slow for every move of a fight.
        """
        before, self._states = self._states, _states()
        return [name for name, state in self._states.items() if before.get(name, state) != state]


def _states() -> dict[str, Any]:
    states: dict[str, Any] = {"the global random": random.getstate()}
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        name, keys, *rest = numpy.get_state()
        states["numpy.random"] = (name, keys.tobytes(), rest)
    return states
