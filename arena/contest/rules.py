"""Say what entrants may hand in, as the table ``[hand-ins]`` of a contest's file does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HandInRules:
    """The limits of hand-ins, and what entrants and others may see."""

    #: Bytes of a hand-in as it comes, and of its files unpacked; and the number of these.
    size: int = 1 << 20
    unpacked: int = 8 << 20
    files: int = 100
    #: Hand-ins of an entrant in a day of UTC.
    a_day: int = 20
    #: Seconds of a worker that the hand-ins of an entrant may take in a day: to be checked, and to
    #: play.
    seconds_a_day: int = 7200
    #: Checks that run at once, seconds for one, and positions at which it asks.
    checks: int = 2
    check_seconds: int = 120
    positions: int = 50
    #: When hand-ins close, in UTC as ISO 8601 text; empty for never.
    closes: str = ""
    #: Whether the standings are shown to people without a token.
    public: bool = False
    #: The games that an entrant may see: its ``own``, or ``all``.
    games: str = "own"
