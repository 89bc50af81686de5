"""Results of several players: the observations, and how often each was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats import grid


class PairingGame(NamedTuple):
    """One game between a and b."""

    #: 1 if a moved first, -1 if b did, 0 if it is not known.
    moved: int
    #: a's points, doubled: 0 lost, 1 drawn, 2 won.
    points: int


#: The games of one observation: of a pair, or a single game. Observations are independent.
PairingCell = tuple[PairingGame, ...]


@dataclass(frozen=True)
class PairingCounts:
    """The observations between players a and b, given by their indices."""

    a: int
    b: int
    #: Each observation, and how often it was made; a cell may come twice.
    cells: tuple[tuple[PairingCell, float], ...]

    @classmethod
    def of_pairs(cls, a: int, b: int, joint: Sequence[Sequence[float]]) -> PairingCounts:
        """Take a 3x3 table: in ``joint[i][j]`` pairs a had i points moving first, j second.

        The numbers of pairs need not be whole.
        """
        counts = ((joint[i][j], i, j) for i, j in product(range(3), repeat=2))
        return cls(
            a, b, tuple(((PairingGame(1, i), PairingGame(-1, j)), n) for n, i, j in counts if n)
        )

    @classmethod
    def of_games(cls, a: int, b: int, counts: Sequence[float], moved: int = 0) -> PairingCounts:
        """Count the single games that a lost, drew and won, all in one order if it is known."""
        return cls(
            a, b, tuple(((PairingGame(moved, points),), n) for points, n in enumerate(counts) if n)
        )

    def mirrored(self) -> PairingCounts:
        """Return the same pairing from b's side."""
        return PairingCounts(
            self.b,
            self.a,
            tuple(
                (tuple(PairingGame(-g.moved, 2 - g.points) for g in cell), n)
                for cell, n in self.cells
            ),
        )


def pooled(players: int, pairings: Iterable[PairingCounts]) -> list[PairingCounts]:
    """Pool all pairings of the same two players. Raises UsageError for an impossible pairing."""
    pools: dict[tuple[int, int], dict[PairingCell, float]] = {}
    for pairing in pairings:
        _check(players, pairing)
        if pairing.a > pairing.b:
            pairing = pairing.mirrored()
        pool = pools.setdefault((pairing.a, pairing.b), {})
        for cell, times in pairing.cells:
            if cell and times:
                seen = tuple(sorted(cell))
                pool[seen] = pool.get(seen, 0) + times
    return [
        PairingCounts(*pair, tuple(sorted(pool.items())))
        for pair, pool in sorted(pools.items())
        if pool
    ]


def _check(players: int, pairing: PairingCounts) -> None:
    if not (0 <= pairing.a < players and 0 <= pairing.b < players and pairing.a != pairing.b):
        raise UsageError(f"players {pairing.a} and {pairing.b} are not two of {players}")
    for cell, times in pairing.cells:
        if not 0 <= times < grid.MAX_COUNT:
            raise UsageError(f"{times} is not a number of observations")
        if not all(game.moved in (-1, 0, 1) and game.points in (0, 1, 2) for game in cell):
            raise UsageError(f"{cell} are not games")
