"""Keep the time of a player in one game, whoever runs it: its limits, and its clock."""

from __future__ import annotations

from typing import Protocol

from arena.errors import Forfeited
from arena.player.clocks import Clock, Clocks, TimeControl


class TimeLimits(Protocol):
    """The limits of a player that is not in arena's process. All times are in seconds."""

    @property
    def move_time(self) -> float:
        """The most that a move may take."""

    @property
    def game_time(self) -> float:
        """The most that all moves of a game may take."""

    @property
    def import_time(self) -> float:
        """The most that the player may take to be ready."""

    @property
    def time_margin(self) -> float:
        """The time that a move may take longer than its limit and its clock say."""

    @property
    def control(self) -> TimeControl | None:
        """The time control, or None without a clock."""

    @property
    def is_measured(self) -> bool:
        """Whether the user limits the time of its moves."""

    @property
    def allow_network(self) -> tuple[str, ...]:
        """The hosts besides this machine that arena may connect to for the player."""


class TimeLeft:
    """The time that a player has left in one game."""

    def __init__(self, limits: TimeLimits, clock: Clock | None) -> None:
        self._limits = limits
        #: Measures its moves; None where no limit needs their time.
        self.clock = clock
        #: Seconds of the game that remain.
        self.remaining = limits.game_time

    @property
    def of_move(self) -> float:
        """The seconds that the next move may take."""
        limit = min(self._limits.move_time, self.remaining)
        return limit if self.clock is None else min(limit, self.clock.remaining)

    @property
    def clocks(self) -> Clocks | None:
        """The clocks of the game, or None if the player has none."""
        return None if self.clock is None else self.clock.clocks

    def charge(self, seconds: float, limit: float, starting: float | None = None) -> None:
        """Subtract the seconds of a move that had this limit.

        ``starting`` are seconds that the player may have taken to start in this move, whose time
        is then not known. None if it had started before.
        """
        self.remaining -= min(seconds, limit)
        if self.clock is not None:
            spent = seconds - (starting or 0.0)
            self.clock.charge(max(0.0, min(spent, limit)), starting is None)

    def explained(self, error: Forfeited) -> Forfeited:
        """Return a forfeit with the limit that ran out in its message."""
        if error.reason != "timeout":
            return error
        clock, limits = self.clock, self._limits
        if clock is not None and clock.remaining <= min(self.remaining, limits.move_time):
            remainder = f"its clock of {clock.control} had {clock.remaining:.3g} s left"
            return error.worded(f"{error.problem}; {remainder}")
        if self.remaining < limits.move_time:
            return Forfeited("budget", f"used all of its {limits.game_time:g} s for the game")
        return error
