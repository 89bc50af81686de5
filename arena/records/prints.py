"""Hold what players printed in a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.errors import counted
from arena.records.base import Json


class Printed(NamedTuple):
    """The text that a player printed from one of its moves to the next."""

    #: The player's side, 0 for the first, and the number of moves before the one that it was asked
    #: for.
    side: int
    ply: int
    #: The start of it.
    text: str
    #: How many lines all of it is.
    lines: int
    #: Whether ``text`` is not all of it.
    is_cut: bool = False

    @classmethod
    def read(cls, entry: Any) -> Printed:
        """Return what a list has. Raises TypeError or ValueError for anything else."""
        found = cls(*entry)
        if [*map(type, found)] != [int, int, str, int, bool] or found.side not in (0, 1):
            raise TypeError(f"{entry!r} is not what a player printed")
        return found

    @property
    def shown(self) -> list[str]:
        """The lines of it, and how many it is if not all of them are there."""
        more = [f"... (cut: {counted(self.lines, 'line')} in all)"] if self.is_cut else []
        return [*self.text.splitlines(), *more]


def printed_json(players: tuple[str, str], entries: Iterable[Printed]) -> Json:
    """Return the key ``printed`` of a game of these players, in the order of sides, or nothing.

    Each of its values has the ``player`` and the number of the ``move`` that it was asked for.
    """
    found = [
        {
            "player": players[entry.side],
            "move": entry.ply + 1,
            "text": entry.text,
            "lines": entry.lines,
            "cut": entry.is_cut,
        }
        for entry in entries
    ]
    return {"printed": found} if found else {}


def printed_from(
    players: Sequence[str], entries: Iterable[Mapping[str, Any]]
) -> tuple[Printed, ...]:
    """Return what :func:`printed_json` gave for a game of these players."""
    return tuple(
        Printed(players.index(e["player"]), e["move"] - 1, e["text"], e["lines"], e["cut"])
        for e in entries
    )
