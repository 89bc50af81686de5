"""Evaluate the likelihood of rankings, as games for two to eight seats end in them.

A ranking is a sequence of choices. The first one takes those in the best place from all the players
of the game, the next one takes those in the second place from the players that remain, and so on.
From the set S the set T is chosen with a chance in the proportion

    delta_t * (product of the worths of T) ** (1 / t),    t = |T|, delta_1 = 1,

among all subsets of S of up to D players. That is the Davidson-Luce model (Firth, Kosmidis and
Turner, arXiv:1909.07123; Turner, van Etten, Firth and Kosmidis, Computational Statistics 35, 2020).
Without ties it is the model of Plackett and Luce, for two seats it is Davidson's
(:mod:`arena.stats.davidson`), and for two seats without ties it is that of Bradley and Terry. D is
the size of the largest tie in the results. The natural logarithm of a worth is the rating of the
player plus the effect of its seat.

So the logarithm of a chance is linear in the ratings, the effects and the logarithms of delta, but
for what all subsets of S share: log delta_t, plus the mean of ratings and effects over T. Every
choice is an observation of a multinomial logit, whose information is the covariance matrix of these
coefficients. The information of a table is the sum over the choices that were made.

Half the logarithm of the information's determinant is added to the log-likelihood (Jeffreys' prior;
Firth, Biometrika 80, 1993). It falls without bound as the chances of some choice go to 0 and 1.
Therefore the estimates are finite even for a player that wins every game, whose rating would be
infinite without it. It also takes away most of the bias. The information is that of the sets that
the results left to choose from, which is what Firth's correction means where these are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import isfinite

import numpy as np

from arena.arrays import Ints
from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats import grid
from arena.stats.davidson import Array, PenalisedLikelihood

#: A game: the players by seat, and their places by seat. Equal places are a tie, 1 is the best.
RankedGame = tuple[tuple[int, ...], tuple[int, ...]]

#: The games of one deal. They may depend on each other, while blocks are independent.
RankedBlock = tuple[RankedGame, ...]

#: Numbers of seats that a game can have.
TABLE_SIZES = range(2, 9)

#: A player and its seat.
_Seated = tuple[int, int]


@dataclass(frozen=True)
class PlaceChoice:
    """A choice in a game."""

    #: The seats of the players that remain.
    seats: tuple[int, ...]
    #: The seats of those in the best place among them.
    best: tuple[int, ...]


def choices(places: Sequence[int]) -> Iterator[PlaceChoice]:
    """Yield the choices that make a ranking, but for those from one player alone.

    ``places[seat]`` is the place of the player in that seat.

    >>> [(choice.seats, choice.best) for choice in choices((2, 1, 2))]
    [((0, 1, 2), (1,)), ((0, 2), (0, 2))]
    """
    seats = tuple(range(len(places)))
    while len(seats) > 1:
        place = min(places[seat] for seat in seats)
        best = tuple(seat for seat in seats if places[seat] == place)
        yield PlaceChoice(seats, best)
        seats = tuple(seat for seat in seats if places[seat] != place)


@dataclass(frozen=True)
class Blocks:
    """The results: the different blocks, and how often each of them came."""

    players: int
    blocks: tuple[RankedBlock, ...]
    times: tuple[float, ...]

    @classmethod
    def of(cls, blocks: Iterable[tuple[RankedBlock, float]], players: int) -> Blocks:
        """Count the blocks. Raises UsageError for a game that is not possible.

        Blocks are equal if they have the same games in any order. The numbers need not be whole.
        """
        counts: dict[RankedBlock, float] = {}
        is_legal = cache(lambda seats: _check_seats(seats, players))
        for games, times in blocks:
            if not (0 <= times < grid.MAX_COUNT and isfinite(times)):
                raise UsageError(f"{times} is not a number of blocks")
            for seats, places in games:
                is_legal(seats)
                if len(places) != len(seats):
                    raise UsageError(f"{len(seats)} players cannot have the places {places}")
            if games and times:
                block = tuple(sorted((seats, _dense(places)) for seats, places in games))
                counts[block] = counts.get(block, 0.0) + times
        return cls(players, tuple(counts), tuple(counts.values()))

    @property
    def seats(self) -> int:
        """The seats of the largest game."""
        return max(len(seats) for block in self.blocks for seats, _ in block)

    @property
    def largest_tie(self) -> int:
        """The most players that shared a place."""
        return max(
            max(map(places.count, places))
            for places in {places for block in self.blocks for _, places in block}
        )

    def seatings(self) -> list[tuple[int, ...]]:
        """Return the different tuples of players by seat, in order."""
        return sorted({seats for block in self.blocks for seats, _ in block})


class RankingLikelihood:
    """The choices as arrays, and their penalised likelihood as a function of the parameters.

    A point has the ratings of the players, then the effects of the seats if they are estimated, and
    then log delta for ties of 2 to D. One player of every group that met has the rating zero, its
    ``ground``, and the first seat has the effect zero. It has the methods and the fields of
    :class:`arena.stats.davidson.Likelihood` that a fit and its profiles use.

    The addends of the logarithm of a chance are the worths of players in seats, and log delta.
    """

    def __init__(self, table: Blocks, grounds: Sequence[int], seats: bool) -> None:
        """Arrange the choices. ``seats`` says whether the effects of the seats are estimated."""
        self.players = table.players
        self.seats = table.seats if seats else 0
        self.ties = table.largest_tie - 1
        self.parameters = self.players + self.seats + self.ties
        #: The parameters that are zero by definition.
        self.held = np.array([*grounds, *([self.players] if seats else [])], dtype=np.int64)
        self._times = np.array(table.times)
        #: The number of independent observations.
        self.observations = float(self._times.sum())
        games = {game: number for number, game in enumerate(_different(table.blocks))}
        self._games = len(games)
        self._block_games = np.array([games[game] for block in table.blocks for game in block])
        sizes = [len(block) for block in table.blocks]
        self._block_starts = np.cumsum([0, *sizes[:-1]])
        by_game = np.bincount(self._block_games, np.repeat(self._times, sizes), self._games)
        self._arrange_worths(games)
        self._sets = self._arranged(list(games), by_game.astype(np.float64))
        #: How often each subset was chosen from each set.
        self.counts: Array = np.concatenate([one.counts.ravel() for one in self._sets])

    def _arrange_worths(self, games: Iterable[RankedGame]) -> None:
        """Give a number to every worth. Without effects of seats there is one for each player."""
        worths = {worth for players, _ in games for worth in self._seated(players)}
        self._worths = {worth: number for number, worth in enumerate(sorted(worths))}
        self._player_of, self._seat_of = np.array(list(self._worths), dtype=np.int64).T
        self._met, self._starts = np.unique(self._player_of, return_index=True)
        #: The number of worths: of the players that played, in each seat that they had.
        self.worths = len(self._worths)
        self._addends = self.worths + self.ties

    def _seated(self, players: Sequence[int]) -> list[_Seated]:
        return [(player, seat if self.seats else 0) for seat, player in enumerate(players)]

    def _arranged(self, games: Sequence[RankedGame], times: Array) -> list[_Sets]:
        """Return the choices by the number of players to choose from."""
        rows: dict[int, dict[tuple[int, ...], int]] = {}
        picks: dict[int, list[tuple[int, int, int]]] = {}
        for number, (players, places) in enumerate(games):
            worths = [self._worths[worth] for worth in self._seated(players)]
            for choice in choices(places):
                size, best = len(choice.seats), {worths[seat] for seat in choice.best}
                key = tuple(sorted(worths[seat] for seat in choice.seats))
                cells = rows.setdefault(size, {})
                row = cells.setdefault(key, len(cells))
                best_places = tuple(at for at, worth in enumerate(key) if worth in best)
                pick = _subset_numbers(size, self.ties + 1)[best_places]
                picks.setdefault(size, []).append((number, row, pick))
        sets = []
        for size in sorted(rows):
            ties = self.worths + np.arange(min(self.ties, size - 1))
            worths_of = np.array(list(rows[size]))
            at = np.concatenate([worths_of, np.tile(ties, (len(worths_of), 1))], 1)
            sets.append(_Sets(at, size, self._addends, picks[size], times))
        return sets

    def start(self) -> Array:
        """Return the point of even players in even seats that tie about as often as was seen."""
        seen, possible = np.zeros(self.ties + 1), np.zeros(self.ties + 1)
        for sets in self._sets:
            sizes = sets.sizes - 1
            seen += np.bincount(sizes, sets.counts.sum(0), self.ties + 1)
            possible += sets.counts.sum() * np.bincount(sizes, minlength=self.ties + 1)
        point = np.zeros(self.parameters)
        odds = (seen + 0.5) / (possible + 0.5)
        point[self.players + self.seats :] = np.log(odds[1:] / odds[0])
        return point

    def look(self, points: Array) -> PenalisedLikelihood:
        """Evaluate at points of shape (..., parameters)."""
        flat = points.reshape(-1, self.parameters)
        addends = self._spread_out(flat)
        odds = [sets.odds(addends) for sets in self._sets]
        information = self._assembled(
            [sets.covariance(at, sets.times) for sets, at in zip(self._sets, odds, strict=True)]
        )
        inverse: Array = np.linalg.inv(information)
        inverse[:, self.held, self.held] = 0
        among = self._spread_out(self._spread_out(inverse).swapaxes(1, 2))
        value = np.linalg.slogdet(information)[1] / 2
        gradient, weighted = np.zeros_like(addends), list[Array]()
        for sets, at in zip(self._sets, odds, strict=True):
            value = value + (sets.counts * at.log_chances).sum((-2, -1))
            leverage = sets.leverage(at, among)
            # The prior is like choices that are added, half a leverage for each chance.
            added = at.chances * leverage
            score = sets.scores(at, sets.counts + sets.times[:, None] * added / 2)
            gradient += _sums(sets.at, score, self._addends)
            weighted.append(sets.covariance(at, sets.times * (1 + added.sum(-1))))
        slopes = self._collected(gradient)
        slopes[:, self.held] = 0
        shape = points.shape[:-1]
        square = (*shape, self.parameters, self.parameters)
        return PenalisedLikelihood(
            value.reshape(shape),
            slopes.reshape(points.shape),
            self._assembled(weighted).reshape(square),
            inverse.reshape(square),
        )

    def sandwich(self, point: Array) -> Array:
        """Return the variance by blocks: inverse information, squared scores, inverse.

        White (Econometrica 50, 1982). It holds too if the games of a block depend on each other, or
        the choices of a game.
        """
        addends = self._spread_out(point[None])
        scores = np.zeros((self._games, self.parameters))
        for sets in self._sets:
            picked, at = sets.picked(addends), sets.at[sets.pick_sets]
            for owner in self._owners():
                is_owned = owner[at] >= 0
                games = np.broadcast_to(sets.pick_games[:, None], at.shape)[is_owned]
                cells = games * self.parameters + owner[at][is_owned]
                scores += np.bincount(cells, picked[is_owned], scores.size).reshape(scores.shape)
        by_block = np.add.reduceat(scores[self._block_games], self._block_starts, 0)
        by_block[:, self.held] = 0
        inverse = self.look(point).inverse
        variance: Array = inverse @ (by_block.T @ (self._times[:, None] * by_block)) @ inverse
        return variance

    def _owners(self) -> list[Ints]:
        """Return the parameters that addends have: ratings and log delta, then effects, or -1."""
        ties = np.arange(self.parameters - self.ties, self.parameters)
        ratings = np.concatenate([self._player_of, ties])
        effects = np.concatenate([self.players + self._seat_of, np.full(self.ties, -1)])
        return [ratings, effects] if self.seats else [ratings]

    def effective_blocks(self, point: Array, directions: Array) -> Array:
        """Return the effective number of blocks behind the variance of each combination.

        ``directions`` are the combinations times the inverse information, shape (combinations,
        parameters). The number is the square of the sum of what every block tells of a combination,
        over the sum of squares. It is smaller than the number of blocks for a player that did not
        play in all.
        """
        numbers = np.zeros(len(directions))
        odds = [sets.odds(self._spread_out(point[None])) for sets in self._sets]
        for number, addends in enumerate(self._spread_out(directions)):
            by_game = np.zeros(self._games)
            for sets, at in zip(self._sets, odds, strict=True):
                information = sets.variance(at, addends[None])[0]
                by_game += np.bincount(sets.pick_games, information[sets.pick_sets], self._games)
            by_block = np.add.reduceat(by_game[self._block_games], self._block_starts)
            numbers[number] = (self._times @ by_block) ** 2 / (self._times @ by_block**2)
        return numbers

    def steepest(self, steps: Array) -> Array:
        """Return how far steps move the logarithm of a chance, up to a factor of 2."""
        addends = self._spread_out(steps.reshape(-1, self.parameters))
        most = np.zeros(len(addends))
        for sets in self._sets:
            change = sets.linear(addends)
            most = np.maximum(most, (change.max(-1) - change.min(-1)).max(-1) / 2)
        return np.asarray(most.reshape(steps.shape[:-1]))

    def _spread_out(self, numbers: Array) -> Array:
        """Return numbers of the addends from those of the parameters, both in the second axis."""
        worths = numbers[:, self._player_of]
        if self.seats:
            worths = worths + numbers[:, self.players + self._seat_of]
        return np.concatenate([worths, numbers[:, self.players + self.seats :]], 1)

    def _collected(self, numbers: Array) -> Array:
        """Add numbers of the addends up to those of the parameters, both in the second axis."""
        worths = numbers[:, : self.worths]
        sums = np.zeros((len(numbers), self.parameters, *numbers.shape[2:]))
        sums[:, self._met] = np.add.reduceat(worths, self._starts, 1)
        for seat in range(self.seats):
            sums[:, self.players + seat] = worths[:, self._seat_of == seat].sum(1)
        sums[:, self.players + self.seats :] = numbers[:, self.worths :]
        return sums

    def _assembled(self, covariances: Sequence[Array]) -> Array:
        """Build matrices over the parameters. One that is held has 1 on the diagonal alone."""
        size = self._addends
        halves = sum(
            _sums(sets.cells, one, size**2)
            for sets, one in zip(self._sets, covariances, strict=True)
        )
        half = np.asarray(halves).reshape(-1, size, size)
        whole: Array = half + half.swapaxes(1, 2)
        places = np.arange(size)
        whole[:, places, places] /= 2
        matrix = self._collected(self._collected(whole).swapaxes(1, 2))
        matrix[:, self.held, :] = 0
        matrix[:, :, self.held] = 0
        matrix[:, self.held, self.held] = 1
        return matrix


@dataclass(frozen=True)
class _ChoiceOdds:
    """The chances of all choices at some points. Arrays begin with points and sets."""

    #: Of every subset.
    chances: Array
    log_chances: Array
    #: The mean of the coefficients over the subsets, by addend.
    mean: Array


class _Sets:
    """The different sets of as many players, and what was chosen from them.

    A pair of addends is kept once, the smaller number first.
    """

    def __init__(
        self,
        at: Ints,
        size: int,
        addends: int,
        picks: Sequence[tuple[int, int, int]],
        times: Array,
    ) -> None:
        subsets = list(_subset_numbers(size, at.shape[1] - size + 1))
        #: The numbers of the addends of each set, of its ``size`` worths first.
        self.at = at
        #: The number of players in every subset.
        self.sizes = np.array([len(subset) for subset in subsets])
        #: The coefficients of the addends in every subset.
        self._coefficients = np.zeros((len(subsets), at.shape[1]))
        for number, subset in enumerate(subsets):
            self._coefficients[number, list(subset)] = 1 / len(subset)
            if len(subset) > 1:
                self._coefficients[number, size + len(subset) - 2] = 1
        every = self._coefficients[:, :, None] * self._coefficients[:, None, :]
        self._squares = every.reshape(len(subsets), -1)
        self._one, self._other = np.triu_indices(at.shape[1])
        self._products = every[:, self._one, self._other]
        #: The pairs of addends, as cells of the flat matrix over all addends.
        self.cells = at[:, self._one] * addends + at[:, self._other]
        #: The game of every choice, the set, and the subset.
        self.pick_games, self.pick_sets, self._pick_subsets = np.array(picks, dtype=np.int64).T
        numbers = self.pick_sets * len(subsets) + self._pick_subsets
        shape = len(at), len(subsets)
        counts = np.bincount(numbers, times[self.pick_games], shape[0] * shape[1])
        #: How often each subset was chosen from each set, and one of them at all.
        self.counts: Array = counts.astype(np.float64).reshape(shape)
        self.times: Array = self.counts.sum(1)

    def linear(self, addends: Array) -> Array:
        """Return the logarithms of chances, but for a constant: shape (points, sets, subsets)."""
        logs: Array = addends[:, self.at] @ self._coefficients.T
        return logs

    def odds(self, addends: Array) -> _ChoiceOdds:
        """Return the chances for addends of shape (points, addends)."""
        logs = self.linear(addends)
        logs -= logs.max(-1, keepdims=True)
        chances = np.exp(logs)
        total = chances.sum(-1, keepdims=True)
        chances /= total
        return _ChoiceOdds(chances, logs - np.log(total), chances @ self._coefficients)

    def covariance(self, odds: _ChoiceOdds, weights: Array) -> Array:
        """Return the covariances of the coefficients, by pair of addends, times weights."""
        mean = odds.mean
        between = odds.chances @ self._products - mean[..., self._one] * mean[..., self._other]
        between *= weights[..., None]
        return np.asarray(between)

    def leverage(self, odds: _ChoiceOdds, among: Array) -> Array:
        """Return the variance of the logarithm of each chance, shape (points, sets, subsets).

        ``among`` are the covariances of the addends, shape (points, addends, addends).
        """
        pairs = among[:, self.at[:, :, None], self.at[:, None, :]]
        # The square of a coefficient less the mean, by parts: square, mixed product, square.
        variance = pairs.reshape(*pairs.shape[:2], -1) @ self._squares.T
        mixed = (pairs @ odds.mean[..., None])[..., 0]
        variance -= 2 * (mixed @ self._coefficients.T)
        variance += (mixed * odds.mean).sum(-1, keepdims=True)
        return np.asarray(np.maximum(variance, 0))

    def variance(self, odds: _ChoiceOdds, steps: Array) -> Array:
        """Return the variance of what a step adds to the logarithm of the chance that is taken."""
        change = self.linear(steps)
        change -= (odds.chances * change).sum(-1, keepdims=True)
        variance: Array = (odds.chances * change**2).sum(-1)
        return variance

    def scores(self, odds: _ChoiceOdds, counts: Array) -> Array:
        """Return the gradient for so many choices, by addend of each set."""
        total = counts.sum(-1, keepdims=True)
        scores: Array = counts @ self._coefficients - total * odds.mean
        return scores

    def picked(self, addends: Array) -> Array:
        """Return the gradient of each choice that was made, by addend of its set."""
        mean = self.odds(addends).mean[0]
        scores: Array = self._coefficients[self._pick_subsets] - mean[self.pick_sets]
        return scores


def _sums(places: Ints, numbers: Array, size: int) -> Array:
    """Add the numbers of each point up by their places, shape (points, size)."""
    flat = places.ravel()
    return np.array([np.bincount(flat, one.ravel(), size) for one in numbers])


@cache
def _subset_numbers(size: int, largest: int) -> dict[tuple[int, ...], int]:
    """Return a number for each subset of 0 to ``size`` - 1 that is not too large."""
    sizes = range(1, min(size, largest) + 1)
    subsets = [subset for length in sizes for subset in combinations(range(size), length)]
    return {subset: number for number, subset in enumerate(subsets)}


def _different(blocks: Iterable[RankedBlock]) -> dict[RankedGame, None]:
    return {game: None for block in blocks for game in block}


def _dense(places: Sequence[int]) -> tuple[int, ...]:
    """Return the places without gaps, from 1."""
    order = sorted(set(places))
    return tuple(order.index(place) + 1 for place in places)


def _check_seats(seats: tuple[int, ...], players: int) -> None:
    """Raise UsageError if these cannot be the players of a game."""
    if len(seats) not in TABLE_SIZES:
        raise UsageError(
            f"a game has {TABLE_SIZES[0]} to {TABLE_SIZES[-1]} seats, not {len(seats)}"
        )
    if len(set(seats)) < len(seats) or not all(0 <= player < players for player in seats):
        raise UsageError(f"{seats} are not different players of {players}")
