"""Define the limits of hand-ins, which the table ``[hand-ins]`` of a contest's file sets."""

from __future__ import annotations

from arena.dataclass import dataclass


@dataclass(frozen=True)
class HandInRules:
    """The limits of hand-ins, and what entrants and others may see."""

    #: Most bytes of a hand-in as it comes.
    size: int = 1 << 20
    #: Most bytes of its files, unpacked.
    unpacked: int = 8 << 20
    #: Most files in it.
    files: int = 100
    #: Most hand-ins of an entrant in a day of UTC.
    a_day: int = 20
    #: Seconds of a worker that the hand-ins of an entrant may take in a day: those of their checks,
    #: and half of those of their games.
    seconds_a_day: int = 7200
    #: Checks that run at once.
    checks: int = 2
    #: Most seconds of a check.
    check_seconds: int = 120
    #: Positions at which a check asks.
    positions: int = 50
    #: When hand-ins close, in UTC as ISO 8601 text; empty for never.
    closes: str = ""
    #: Whether the standings are shown to people without a token.
    public: bool = False
    #: The games that an entrant may see: its ``own``, or ``all``.
    games: str = "own"
    #: Pairs of each pairing, or blocks of each table, of the final: the games that are played again
    #: with a fresh seed when hand-ins have closed. None for no final.
    final: int | None = None
