"""Hold the prints of players in a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError, counted, quoted
from arena.records.base import Record


class Printed(NamedTuple):
    """The text that a player printed from one of its moves to the next."""

    #: The player's side, 0 for the first, and the number of moves before the one that it was asked
    #: for.
    side: int
    ply: int
    #: The start of it.
    text: str
    #: Number of all its lines.
    lines: int
    #: Whether ``text`` is not all of it.
    is_cut: bool = False

    @property
    def display_lines(self) -> list[str]:
        """Its lines, and their number if some are left out."""
        more = [f"... (cut: {counted(self.lines, 'line')} in all)"] if self.is_cut else []
        return [*self.text.splitlines(), *more]


@dataclass(frozen=True)
class PrintedText(Record):
    """The text that a player printed for one of its moves, as JSON has it."""

    player: str
    #: The number of the move that it was asked for, from 1.
    move: int
    #: The start of it.
    text: str
    #: All its lines.
    lines: int
    #: Whether ``text`` is not all of it.
    cut: bool = False

    def printed(self, players: Sequence[str]) -> Printed:
        """Return it with the side. Raises UsageError if none of the players has its name."""
        if self.player not in players:
            raise UsageError(f"{quoted(self.player)} printed something and does not play")
        side = players.index(self.player)
        return Printed(side, self.move - 1, self.text, self.lines, self.cut)


def printed_texts(players: Sequence[str], prints: Iterable[Printed]) -> tuple[PrintedText, ...]:
    """Return the prints in a game of these players, in the order of seats."""
    return tuple(
        PrintedText(players[each.side], each.ply + 1, each.text, each.lines, each.is_cut)
        for each in prints
    )
