"""Decide whether a pair that is void is tried again, and wait before it is.

A machine that is too busy has the pair played again at once. A player that cannot play now has it
played again after a while, longer each time. The seeds of its games do not change, so the result is
the same as if the player had been there.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from arena import escape
from arena.clock import sleep
from arena.errors import Unavailable, VoidGame
from arena.executors.base import MAX_TASK_ATTEMPTS
from arena.executors.turns import elsewhere
from arena.executors.waiting import waiting_for

logger = logging.getLogger(__name__)

#: Seconds to wait before each further try of a pair for which a player is unavailable.
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

#: The most seconds to wait for a player that asks for more.
MAX_PATIENCE_SECONDS = 300.0


class Patience:
    """Count the tries of one pair."""

    def __init__(self) -> None:
        self._tries_by_busy_machine = 0
        self._waits = iter(WAITS)
        self._waited = 0.0

    def tries_again(self, error: VoidGame, names: Sequence[str] = ()) -> bool:
        """Wait if need be, and return whether to play the pair again.

        ``names`` has the players of the void game, the first side first. Raises Unavailable if a
        player was unavailable at every try.
        """
        if not isinstance(error, Unavailable):
            self._tries_by_busy_machine += 1
            return self._tries_by_busy_machine < MAX_TASK_ATTEMPTS
        name = names[error.side] if names and error.side is not None else "a player"
        problem = f"{name} cannot play now: {error.problem}"
        wait = next(self._waits, None)
        if wait is None:
            tries = len(WAITS) + 1
            raise Unavailable(f"{problem} (tried {tries} times in {self._waited:.0f} s)") from error
        seconds = min(max(wait, error.retry_after), MAX_PATIENCE_SECONDS)
        message = f"arena: {problem}; the pair is played again in {seconds:g} s"
        logger.warning("%s", escape.line(message))
        with elsewhere(), waiting_for(f"it waits for {name}, which said that it is unavailable"):
            sleep(seconds)
        self._waited += seconds
        return True
