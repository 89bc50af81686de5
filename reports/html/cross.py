"""Lay out cross tables. The script of the page makes the cells of a large one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.records.base import Tally
from arena.records.tournaments import TournamentResult
from arena.reports.cross import cross_cells
from arena.reports.html.packing import compressed


class LinkedCell(NamedTuple):
    """The games of a player against another one."""

    tally: Tally
    opponent: str
    #: The address of the games, if the page has them.
    link: str | None

    @property
    def results(self) -> str:
        """The wins, draws and losses."""
        return f"{self.tally.wins}\u2013{self.tally.draws}\u2013{self.tally.losses}"


#: A player, and its games against each player. None stands for no game.
CrossRow = tuple[str, Sequence[LinkedCell | None]]


def cross_rows(tournament: TournamentResult, links: Sequence[str | None]) -> list[CrossRow]:
    """Return the rows, with the addresses of the fights."""
    names = [standing.player for standing in tournament.standings]
    cells = {
        pair: LinkedCell(cell.tally, pair[1], links[cell.fight])
        for pair, cell in cross_cells(tournament).items()
        if cell.tally.games
    }
    return [(a, [cells.get((a, b)) for b in names]) for a in names]


def pack(rows: Sequence[CrossRow]) -> str:
    """Return the cells right of the diagonal: 0, or wins, draws, losses and the link.

    The others are their mirror images.
    """
    return compressed(
        [[_packed(cell) for cell in cells[place + 1 :]] for place, (_, cells) in enumerate(rows)]
    )


def _packed(cell: LinkedCell | None) -> Any:
    if cell is None:
        return 0
    return [cell.tally.wins, cell.tally.draws, cell.tally.losses, cell.link or ""]
