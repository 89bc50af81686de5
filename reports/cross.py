"""Sum what the fights of a tournament come to in the cells of its cross table."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from arena.records.base import Tally
from arena.records.tournaments import TournamentResult


class CrossCell(NamedTuple):
    """The games of a player against another one, in all fights of the two."""

    tally: Tally = Tally()
    #: What it was paid in the pairs that count, the number of their games, and whether a game can
    #: cost something: of a game with payoffs of its own.
    payoff: Fraction = Fraction(0)
    paid_games: int = 0
    may_cost: bool = False
    #: The place of their latest fight.
    fight: int = 0

    @property
    def mean(self) -> Fraction | None:
        """The payoff per game, None without such games."""
        return self.payoff / self.paid_games if self.paid_games else None


def cross_cells(tournament: TournamentResult) -> dict[tuple[str, str], CrossCell]:
    """Return the cell of each player against each other one that it played games against."""
    cells: dict[tuple[str, str], CrossCell] = {}
    for place, fight in enumerate(tournament.fights):
        for view in (fight, fight.reversed()):
            before, paid = cells.get(view.players, CrossCell()), view.paid
            cell = CrossCell(
                before.tally + view.total, before.payoff, before.paid_games, fight=place
            )
            if paid is not None:
                cell = cell._replace(
                    payoff=before.payoff + paid.sides[0].total,
                    paid_games=before.paid_games + 2 * paid.number,
                    may_cost=paid.least < 0,
                )
            cells[view.players] = cell
    return {pair: cell for pair, cell in cells.items() if cell.tally.games or cell.paid_games}
