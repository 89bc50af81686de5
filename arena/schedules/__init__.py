"""State the contract of a schedule: a function of a tournament's state to the next round.

A schedule is called with a :class:`TournamentState` before each round. It returns the pairings of
the round, and an empty round ends the tournament. It must be stateless: a resumed tournament calls
it again with the same state. Arena plays all pairings of a round before it calls for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arena.dataclass import dataclass

if TYPE_CHECKING:
    from fractions import Fraction

#: Two entrants play at most this many times the pairs of a pairing in a tournament, all together.
MAX_REMATCHES = 8


class ScheduledPairing(NamedTuple):
    """Two entrants that are to play this number of pairs. A pair has two games."""

    a: str
    b: str
    pairs: int


class Bye(NamedTuple):
    """An entrant without an opponent in a round, which gets its points."""

    player: str


#: An item of a round; two names are a pairing of the usual number of pairs.
Item = ScheduledPairing | Bye | tuple[str, str]


class PairingResult(NamedTuple):
    """A pairing that is over."""

    a: str
    b: str
    #: Number of pairs that were to be played.
    pairs: int
    #: The points of A and of B, two a pair together: a win is 1, a draw ½, and a forfeit is a loss.
    points: tuple[Fraction, Fraction]

    @property
    def both(self) -> tuple[str, str]:
        """The names of both."""
        return self.a, self.b

    @property
    def by_player(self) -> dict[str, Fraction]:
        """The points of each."""
        return dict(zip(self.both, self.points, strict=True))


def awarded(points: Fraction, games: int, pairs: int, absent: Sequence[bool]) -> Fraction:
    """Return the points that A has of a pairing of which some games do not count.

    ``points`` are A's in the ``games`` that count. ``absent`` tells of A and of B whether it was
    withdrawn. The opponent of one that is withdrawn wins the missing games. Other missing games,
    such as void ones, count as the mean of those that were played.

    >>> from fractions import Fraction
    >>> awarded(Fraction(3), 4, 4, (True, False)), awarded(Fraction(3), 4, 4, (False, False))
    (Fraction(3, 1), Fraction(6, 1))
    """
    from fractions import Fraction

    full = Fraction(2 * pairs)
    if absent[0] != absent[1]:
        return points if absent[0] else full - (games - points)
    return points * full / games if games else full / 2


class RoundResult(NamedTuple):
    """A round that is over."""

    pairings: tuple[PairingResult, ...] = ()
    byes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TournamentState:
    """All that is known of a tournament before its next round."""

    #: All entrants, in the order of entering. Built-in schedules seed by it.
    entrants: tuple[str, ...]
    #: Number of pairs that a pairing has unless the schedule says another one.
    pairs: int
    #: The seed of the tournament, for a schedule that draws lots.
    seed: int = 0
    #: The earlier rounds, the first one first.
    rounds: tuple[RoundResult, ...] = ()
    #: The entrants that are withdrawn, each with the number of rounds that were over before. They
    #: meet no other any more.
    withdrawn: Mapping[str, int] = field(default_factory=dict)

    @property
    def present(self) -> list[str]:
        """The entrants that are not withdrawn, in the order of entering."""
        return [name for name in self.entrants if name not in self.withdrawn]

    def scores(self) -> dict[str, Fraction]:
        """Return each entrant's points in all rounds. A bye is worth every game of a pairing."""
        from fractions import Fraction

        scores = dict.fromkeys(self.entrants, Fraction(0))
        for each in self.rounds:
            for result in each.pairings:
                for name, points in result.by_player.items():
                    scores[name] += points
            for name in each.byes:
                scores[name] += 2 * self.pairs
        return scores

    def results(self) -> Iterator[PairingResult]:
        """Yield the results of all pairings, round after round."""
        for each in self.rounds:
            yield from each.pairings


class Schedule(Protocol):
    """A function of all that is known to the next round."""

    def __call__(self, state: TournamentState, /) -> Iterable[Item]:
        """Return the pairings and byes of the next round, or none if the tournament is over."""


class Place(NamedTuple):
    """An entrant's place in the standings of a schedule with a custom of its own."""

    #: From 1; equal for entrants that share a place.
    rank: int
    player: str
    #: The numbers or words that decided, by name and in order: points, buchholz …
    marks: Mapping[str, Fraction | str]


def places(rows: Sequence[tuple[str, Mapping[str, Fraction | str], object]]) -> tuple[Place, ...]:
    """Return the places of rows in order, each with what must differ for a place of its own.

    >>> [place.rank for place in places([("a", {}, 5), ("b", {}, 5), ("c", {}, 1)])]
    [1, 1, 3]
    """
    ranked: list[Place] = []
    for number, (player, marks, key) in enumerate(rows, start=1):
        tied = ranked and rows[number - 2][2] == key
        ranked.append(Place(ranked[-1].rank if tied else number, player, marks))
    return tuple(ranked)
