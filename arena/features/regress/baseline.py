"""Hold a baseline: the moves and results of players when it was written, for each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.features.regress.policies import PolicyTable
from arena.game import Game

#: Doubled points: 0 for a loss to 2 for a win in a game, twice as many in a pair. Where games pay
#: they are fractions, those of the score of the payoff (:class:`arena.records.paid.Scale`).
Points = int | Fraction

#: A player's points in each game of a pair, or of a block of a game for more than two.
PairPoints = tuple[Points, ...]


def points_of_pair(points: PairPoints) -> Points:
    """Return the points of a pair, from 0 to 4. Those of a block have the same range.

    >>> points_of_pair((2, 1)), points_of_pair((2, 2, 0))
    (3, Fraction(8, 3))
    """
    return sum(points) if len(points) == 2 else Fraction(2 * sum(points)) / len(points)


@dataclass(frozen=True)
class FrozenPolicy:
    """The moves of a player in every position that could occur."""

    version: str
    table: PolicyTable


@dataclass(frozen=True)
class BaselinePairs:
    """The pairs against one opponent: their seed, and the points in each."""

    seed: int
    #: The player's points in pairs 1, 2, ...: 0 for LL to 4 for WW.
    points: tuple[Points, ...]


@dataclass(frozen=True)
class FrozenGames:
    """The results of a player whose policy cannot be enumerated."""

    version: str
    against: Mapping[str, BaselinePairs]


Frozen = FrozenPolicy | FrozenGames


@dataclass(frozen=True)
class GameBaseline:
    """The players at one game, and the panel of their opponents."""

    game: Game
    panel: tuple[str, ...]
    players: Mapping[str, Frozen]

    def policies_of(self, among: tuple[str, ...]) -> dict[str, PolicyTable]:
        """Return the known policies of the panel."""
        players = {name: self.players.get(name) for name in among}
        return {name: p.table for name, p in players.items() if isinstance(p, FrozenPolicy)}


@dataclass(frozen=True)
class Baseline:
    """Everything in the file, by the name of the game."""

    games: Mapping[str, GameBaseline] = field(default_factory=dict)
    #: Where the players come from whose names do not say it.
    specs: Mapping[str, str] = field(default_factory=dict)
