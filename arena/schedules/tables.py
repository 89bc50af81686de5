"""State the contract of a schedule of tables: a function of a tournament's state to who sits down.

A schedule that takes games for more than two has a method ``tables``. Arena calls it with a
:class:`TablesState` before each round. It returns the tables of the round, and an empty round ends
the tournament. It must be stateless, like one of pairings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arena.dataclass import dataclass
from arena.schedules import Bye, Place

if TYPE_CHECKING:
    from fractions import Fraction


class ScheduledTable(NamedTuple):
    """Entrants that are to play this number of blocks, one for each seat."""

    players: tuple[str, ...]
    blocks: int


#: An item of a round; the names alone are a table of the usual number of blocks.
TableItem = ScheduledTable | Bye | Sequence[str]


class TableScore(NamedTuple):
    """A table that is over."""

    players: tuple[str, ...]
    #: Number of blocks that were to be played.
    blocks: int
    #: The points of each. A block is worth the mean of a player's payoffs in it, from 0 for the
    #: least to 1 for the most that a game pays.
    points: tuple[Fraction, ...]

    @property
    def by_player(self) -> dict[str, Fraction]:
        """The points of each by name."""
        return dict(zip(self.players, self.points, strict=True))


class TableRound(NamedTuple):
    """A round of tables that is over."""

    tables: tuple[TableScore, ...] = ()
    byes: tuple[str, ...] = ()

    @property
    def mean(self) -> Fraction:
        """The points that a player of the round has on average. They are what a bye is worth."""
        from fractions import Fraction

        points = [each for table in self.tables for each in table.points]
        return sum(points, Fraction(0)) / len(points) if points else Fraction(0)


@dataclass(frozen=True)
class TablesState:
    """All that is known of a tournament of tables before its next round."""

    #: All entrants, in the order of entering. Built-in schedules seed by it.
    entrants: tuple[str, ...]
    #: The seats of a table.
    seats: int
    #: Number of blocks that a table plays unless the schedule says another one.
    blocks: int
    #: The seed of the tournament, for a schedule that draws lots.
    seed: int = 0
    #: The earlier rounds, the first one first.
    rounds: tuple[TableRound, ...] = ()

    def scores(self) -> dict[str, Fraction]:
        """Return each entrant's points in all rounds, with those for its byes."""
        from fractions import Fraction

        scores = dict.fromkeys(self.entrants, Fraction(0))
        for each in self.rounds:
            for table in each.tables:
                for name, points in table.by_player.items():
                    scores[name] += points
            for name in each.byes:
                scores[name] += each.mean
        return scores

    def results(self) -> Iterator[TableScore]:
        """Yield all tables, round after round."""
        for each in self.rounds:
            yield from each.tables


class TableSchedule(Protocol):
    """A schedule of tables. One that takes pairings too is a function of their state besides."""

    def tables(self, state: TablesState, /) -> Iterable[TableItem]:
        """Return the tables and byes of the next round, or none if the tournament is over."""

    def table_standings(self, state: TablesState, /) -> Sequence[Place]:
        """Return the place of each entrant by the schedule's own custom. It need not have this."""
