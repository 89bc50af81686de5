"""Give a player a clock: a bank of time that its own moves use up. All times are in seconds.

A time control is written as engines know it: ``60+0.5`` is 60 seconds for the game and half a
second more after each move, ``40/60`` is 60 seconds for every 40 moves.

A client of :mod:`arena.player.clients` gets :class:`Clocks` with each question. ``seconds`` there
stays the limit of this one move, which is never more than ``clocks.own.remaining``.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted

#: The least and the most seconds of a bank, and the most moves that one may be for.
MIN_BANK_SECONDS, MAX_BANK_SECONDS, MAX_BANK_MOVES = 0.001, 1_000_000, 1000

#: The form of a time control, for messages.
FORM = (
    f"60+0.5 or 40/60 or the like, in seconds from {MIN_BANK_SECONDS:g} to {MAX_BANK_SECONDS} and"
    f" moves from 1 to {MAX_BANK_MOVES}"
)

_NUMBER = r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_CONTROL = rf"(?:([0-9]{{1,4}})/)?({_NUMBER})(?:\+({_NUMBER}))?"


@dataclass(frozen=True)
class TimeControl:
    """The time that a player gets in a game."""

    #: Seconds at the start, and once more after every this many ``moves``.
    base: float
    #: Seconds that are added after each move of its own.
    increment: float = 0.0
    #: Own moves from one addition of ``base`` to the next; 0 if there is only the first.
    moves: int = 0

    def __str__(self) -> str:
        """Return the text that is read as the same time control."""
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{_written(self.increment)}" if self.increment else ""
        return f"{moves}{_written(self.base)}{increment}"


def _written(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


def read_control(text: object) -> TimeControl:
    """Return the time control that a text or a number of seconds means.

    Raises UsageError for anything else.

    >>> read_control("40/60+0.5")
    TimeControl(base=60.0, increment=0.5, moves=40)
    """
    is_one = isinstance(text, str | int | float) and not isinstance(text, bool)
    if parts := re.fullmatch(_CONTROL, str(text)) if is_one else None:
        moves, base, increment = parts.groups()
        seconds = round(float(base), 6), round(float(increment or 0), 6)
        control = TimeControl(*seconds, int(moves or 0))
        in_range = (
            MIN_BANK_SECONDS <= control.base <= MAX_BANK_SECONDS
            and control.increment <= MAX_BANK_SECONDS
        )
        if in_range and (moves is None or 1 <= control.moves <= MAX_BANK_MOVES):
            return control
    raise UsageError(f"a clock must be {FORM}, not {quoted(str(text))}")


class Reading(NamedTuple):
    """The reading of one clock while it stands still."""

    #: Seconds that remain.
    remaining: float
    #: Seconds that are added after each move.
    increment: float
    #: Moves to make until ``base`` is added again, this one included; None if it never is.
    moves_to_go: int | None = None


@dataclass(frozen=True)
class Clocks:
    """The two clocks of a game when a player is asked for a move."""

    own: Reading
    #: None if the opponent has no clock.
    opponent: Reading | None = None

    def as_json(self) -> dict[str, dict[str, float | None] | None]:
        """Return what players in other processes receive, to a thousandth of a second.

        It is written by hand, because no record rounds its values.
        """
        both = {"own": self.own, "opponent": self.opponent}
        return {
            side: reading and {**reading._asdict(), "remaining": round(reading.remaining, 3)}
            for side, reading in both.items()
        }

    @classmethod
    def from_json(cls, clocks: dict[str, Any]) -> Clocks:
        """Return what :meth:`as_json` tells."""
        return cls(*(clocks[side] and Reading(**clocks[side]) for side in ("own", "opponent")))


class Clock:
    """The clock of one player in one game: it charges the player for its moves.

    Without a time control it measures only, and never runs out. A clock ``in_fuel`` has fuel in
    place of seconds.
    """

    def __init__(self, control: TimeControl | None, in_fuel: bool = False) -> None:
        self.control, self.in_fuel = control, in_fuel
        #: Seconds that remain.
        self.remaining = math.inf if control is None else control.base
        #: Seconds that each move took; None where the time of a start is in it.
        self.move_times: list[float | None] = []
        #: The opponent's clock, if it has one.
        self.opponent: Clock | None = None

    def charge(self, seconds: float, is_measured: bool = True) -> None:
        """Subtract the seconds of a move, then add the increment."""
        self.move_times.append(round(seconds, 6) if is_measured else None)
        control = self.control
        if control is not None:
            self.remaining = max(0.0, self.remaining - seconds) + control.increment
            if control.moves and len(self.move_times) % control.moves == 0:
                self.remaining += control.base

    @property
    def reading(self) -> Reading | None:
        """The time on this clock, or None without a time control."""
        control = self.control
        if control is None:
            return None
        to_go = control.moves - len(self.move_times) % control.moves if control.moves else None
        return Reading(self.remaining, control.increment, to_go)

    @property
    def clocks(self) -> Clocks | None:
        """The time on this clock and on the opponent's, or None if this has no time control."""
        mine, opponent = self.reading, self.opponent
        return (
            None if mine is None else Clocks(mine, None if opponent is None else opponent.reading)
        )
