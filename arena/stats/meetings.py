"""Results of several players: the observations, and how often each was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from arena.errors import UsageError
from arena.stats import grid


class Game(NamedTuple):
    """One game between a and b."""

    #: 1 if a moved first, -1 if b did, 0 if it is not known.
    moved: int
    #: a's points, doubled: 0 lost, 1 drawn, 2 won.
    points: int


#: The games of one observation: of a pair, or a single game. Observations are independent.
Cell = tuple[Game, ...]


@dataclass(frozen=True)
class Meeting:
    """The observations between players a and b, given by their indices."""

    a: int
    b: int
    #: Each observation, and how often it was made; a cell may come twice.
    cells: tuple[tuple[Cell, float], ...]

    @classmethod
    def of_pairs(cls, a: int, b: int, joint: Sequence[Sequence[float]]) -> Meeting:
        """Take a 3x3 table: in ``joint[i][j]`` pairs a had i points moving first, j second.

        The numbers of pairs need not be whole.
        """
        counts = ((joint[i][j], i, j) for i, j in product(range(3), repeat=2))
        return cls(a, b, tuple(((Game(1, i), Game(-1, j)), n) for n, i, j in counts if n))

    @classmethod
    def of_games(cls, a: int, b: int, counts: Sequence[float], moved: int = 0) -> Meeting:
        """Count the single games that a lost, drew and won, all in one order if it is known."""
        return cls(a, b, tuple(((Game(moved, points),), n) for points, n in enumerate(counts) if n))

    def mirrored(self) -> Meeting:
        """Return the same meeting from b's side."""
        return Meeting(
            self.b,
            self.a,
            tuple((tuple(Game(-g.moved, 2 - g.points) for g in cell), n) for cell, n in self.cells),
        )


def pooled(players: int, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Pool all meetings of the same two players. Raises UsageError for an impossible meeting."""
    pools: dict[tuple[int, int], dict[Cell, float]] = {}
    for meeting in meetings:
        _check(players, meeting)
        if meeting.a > meeting.b:
            meeting = meeting.mirrored()
        pool = pools.setdefault((meeting.a, meeting.b), {})
        for cell, times in meeting.cells:
            if cell and times:
                seen = tuple(sorted(cell))
                pool[seen] = pool.get(seen, 0) + times
    return [
        Meeting(*who, tuple(sorted(pool.items()))) for who, pool in sorted(pools.items()) if pool
    ]


def _check(players: int, meeting: Meeting) -> None:
    if not (0 <= meeting.a < players and 0 <= meeting.b < players and meeting.a != meeting.b):
        raise UsageError(f"players {meeting.a} and {meeting.b} are not two of {players}")
    for cell, times in meeting.cells:
        if not 0 <= times < grid.MAX_COUNT:
            raise UsageError(f"{times} is not a number of observations")
        if not all(game.moved in (-1, 0, 1) and game.points in (0, 1, 2) for game in cell):
            raise UsageError(f"{cell} are not games")
