"""Hold the value of a position under perfect play, as a frozen record."""

from __future__ import annotations

from dataclasses import field

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.theorems import ProvedClaim


@dataclass(frozen=True)
class SolveReport(Record):
    """The value of a position to the side to move, and how it was found."""

    SCHEMA = "arena.solve/1"
    KEYS = (
        "game game_version position to_move value plies move method positions certificate? claims?"
    )

    game: str
    game_version: int
    position: str
    #: ``first`` or ``second``.
    to_move: str
    #: ``win``, ``draw`` or ``loss``.
    value: str
    #: To the end of the game if the winner hurries and the loser resists; None in a draw, and where
    #: it was not asked for.
    plies: int | None
    #: A move that keeps the value, in the game's notation; None in a lost position.
    move: str | None
    #: The method that solved it.
    method: str
    #: Number of positions that it looked at, some of them often.
    positions: int
    #: The certificate that was written; None without one.
    certificate: str | None = None
    #: The claims that it proves.
    claims: tuple[ProvedClaim, ...] = ()
    #: Other costs, a line each. Not in JSON.
    account: tuple[str, ...] = field(default=(), compare=False)
    #: The move as people write it, such as ``h8``; empty where it is not known. Not in JSON.
    written: str = ""
