"""Hold what pairs of a game with payoffs of its own paid.

Statistics take scores from 0 to 1. In a game whose payoffs have a constant sum a player's score is
how much more it gets than its opponent, on the scale of the largest difference: 0, 1/2 and 1 are
the worst, even and the best. In another game it is the player's own payoff on the scale of its
range, and who of two is better is a question of its own: :attr:`Paid.compared`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.game import Game, Payoffs
from arena.records.base import Record
from arena.records.intervals import ScoreInterval
from arena.stats.independence import Observations

#: Why there is no Elo: its model is of wins, draws and losses.
NO_ELO = "payoffs have no Elo"

#: The payoffs of both seats in the two games of a pair: A has the first seat in the first.
PairPayoffs = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


@dataclass(frozen=True)
class PayoffInterval(Record):
    """A mean payoff per game in the game's unit, with a 95 % interval."""

    #: The kind, as of :class:`arena.records.intervals.ScoreInterval`.
    kind: str
    payoff: float
    low: float
    high: float


@dataclass(frozen=True)
class Scale(Record):
    """The scale of scores in a game that pays: the payoff of score 0, and how far 1 is from it."""

    #: The unit in words, such as ``chips``.
    unit: str
    worst: Fraction
    width: Fraction

    def score(self, payoff: Fraction) -> Fraction:
        """Return the score of a payoff, from 0 to 1.

        >>> scale_of(Payoffs(-2, 2, "chips", 0)).score(Fraction(1))
        Fraction(3, 4)
        """
        return (payoff - self.worst) / self.width

    def payoff(self, score: Fraction) -> Fraction:
        """Return the payoff of a score."""
        return self.worst + score * self.width


def scale_of(payoffs: Payoffs) -> Scale:
    """Return the scale on which statistics see what a game pays to a player.

    >>> scale_of(Payoffs(0, 5, "years", None)).payoff(Fraction(1, 2))
    Fraction(5, 2)
    """
    least, most, unit, total = payoffs
    width = Fraction(most) - least
    worst = Fraction(least) if total is None else Fraction(total) / 2 - width / 2
    return Scale(unit, worst, width)


def scale_of_game(game: Game) -> Scale:
    """Return the scale of what a game pays to a player: at a table of more than two, its range.

    >>> from arena.games.snakes import snakes_game
    >>> scale_of_game(snakes_game(3)).score(Fraction(0))
    Fraction(0, 1)
    """
    payoffs = game.payoffs
    return scale_of(payoffs if game.seats == 2 else payoffs._replace(total=None))


class Sums(NamedTuple):
    """The sum of some payoffs, and the sum of their squares."""

    payoffs: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def plus(self, payoff: Fraction, games: int) -> Sums:
        """Return the sums with this many games more that paid this."""
        return Sums(self.payoffs + games * payoff, self.squares + games * payoff**2)

    def mean(self, games: int) -> Fraction:
        """Return the mean payoff of this many games."""
        return self.payoffs / games

    def variance(self, games: int) -> Fraction:
        """Return the variance of the payoffs of this many games."""
        return self.squares / games - self.mean(games) ** 2


_NO_SUMS = Sums()


class PaidPairs(NamedTuple):
    """Pairs that paid the same: the payoffs of A and of B in both games together."""

    a: Fraction
    b: Fraction
    pairs: int


class PaidSides(NamedTuple):
    """The payoffs of one player in the games in which it moved first, and in the others."""

    first: Sums
    second: Sums

    @property
    def total(self) -> Fraction:
        """The sum of its payoffs in all games."""
        return self.first.payoffs + self.second.payoffs


@dataclass(frozen=True)
class Paid(Record):
    """The payoffs of the pairs that statistics count, in the game's unit."""

    KEYS = "unit least most total a=mean b=opponents_mean pairs sides reach?"

    #: The unit in words, such as ``chips``.
    unit: str
    #: The least and the most that a game pays, and what it pays to both together, None if that is
    #: not constant.
    least: Fraction
    most: Fraction
    total: Fraction | None
    #: Rising by the payoffs of A, then of B.
    pairs: tuple[PaidPairs, ...]
    #: The games of A, and of B.
    sides: tuple[PaidSides, PaidSides]
    #: How far payoffs without luck can be from an even share, further than others. None where luck
    #: is left in.
    reach: Fraction | None = None

    @property
    def number(self) -> int:
        """Number of pairs."""
        return sum(cell.pairs for cell in self.pairs)

    @property
    def width(self) -> Fraction:
        """How much more the best payoff is than the worst."""
        return self.most - self.least

    @property
    def mean(self) -> Fraction | None:
        """A's payoff per game, None without games."""
        return self.sides[0].total / (2 * self.number) if self.pairs else None

    @property
    def opponents_mean(self) -> Fraction | None:
        """B's payoff per game, None without games."""
        return self.sides[1].total / (2 * self.number) if self.pairs else None

    @property
    def observations(self) -> Observations:
        """The scores of A in the pairs."""
        if self.total is not None:
            return self.compared
        return _table((cell.pairs, (cell.a / 2 - self.least) / self.width) for cell in self.pairs)

    @property
    def compared(self) -> Observations:
        """How much more A got than B in the pairs, from 0 to 1: 1/2 if both got the same."""
        half = Fraction(1, 2)
        furthest = max(half, (self.reach or 0) / self.width)
        return _table(
            ((cell.pairs, half + (cell.a - cell.b) / (4 * self.width)) for cell in self.pairs),
            (half - furthest, half + furthest),
        )

    def in_unit(self, interval: ScoreInterval | None) -> PayoffInterval | None:
        """Return the payoffs that A's scores of its :attr:`observations` stand for."""
        if interval is None:
            return None
        score, low, high = map(self._payoff_at, (interval.score, *interval.ends))
        return PayoffInterval(interval.kind, score, low, high)

    def _payoff_at(self, score: float) -> float:
        least, width = float(self.least), float(self.width)
        if self.total is None:
            return least + score * width
        return float(self.total) / 2 + (score - 0.5) * width

    @property
    def saved(self) -> float | None:
        """How many times as many games the same precision takes if no two have the same luck.

        It is the variance of the mean of two games with luck of their own, as A's payoffs in both
        roles have it here, over that of the pairs. None without two different pairs.
        """
        if not self.pairs or not self.variance:
            return None
        return float(self.variance_alone / self.variance)

    @property
    def variance(self) -> Fraction:
        """The variance of A's payoff per game of a pair. There are pairs."""
        squares = sum((cell.pairs * (cell.a / 2) ** 2 for cell in self.pairs), Fraction(0))
        return Sums(self.sides[0].total / 2, squares).variance(self.number)

    @property
    def variance_alone(self) -> Fraction:
        """The same for two games with luck of their own, with A's payoffs in both roles as here."""
        first, second = self.sides[0]
        return (first.variance(self.number) + second.variance(self.number)) / 4

    def reversed(self) -> Paid:
        """Return the view of B."""
        cells = sorted(PaidPairs(cell.b, cell.a, cell.pairs) for cell in self.pairs)
        return replace(self, pairs=tuple(cells), sides=self.sides[::-1])


def paid_of(game_payoffs: Payoffs, ends: Mapping[PairPayoffs, int]) -> Paid:
    """Return what pairs paid that ended so, with how many of each."""
    cells = Counter[tuple[Fraction, Fraction]]()
    sides = [[_NO_SUMS, _NO_SUMS], [_NO_SUMS, _NO_SUMS]]
    for (one, other), pairs in ends.items():
        cells[one[0] + other[1], one[1] + other[0]] += pairs
        for player in (0, 1):
            for half, payoff in enumerate((one[player], other[1 - player])):
                # In its own first game a player has the first seat, B in the second game.
                role = half ^ player
                sides[player][role] = sides[player][role].plus(payoff, pairs)
    least, most, unit, total = game_payoffs
    return Paid(
        unit,
        Fraction(least),
        Fraction(most),
        None if total is None else Fraction(total),
        tuple(PaidPairs(a, b, pairs) for (a, b), pairs in sorted(cells.items())),
        (PaidSides(*sides[0]), PaidSides(*sides[1])),
    )


def _table(
    scores: Iterable[tuple[int, Fraction]],
    ends: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1)),
) -> Observations:
    """Return how many pairs have each score, with the worst and the best score in any case."""
    counts = Counter({float(end): 0 for end in ends})
    for pairs, score in scores:
        counts[float(score)] += pairs
    in_order = sorted(counts.items())
    return Observations(tuple(n for _, n in in_order), tuple(x for x, _ in in_order))
