"""Evaluate the likelihood of games under Davidson's model, with Jeffreys' prior.

A game in which a meets b is won, drawn and lost by a with chances in the proportion exp(y/2), nu,
exp(-y/2). y is the difference of their ratings, plus the first mover's advantage if a moved first,
less it if b did. That is the Bradley-Terry model with draws of Davidson (JASA 65, 1970) and the
order effect of Davidson and Beaver (Biometrics 33, 1977). Their tie parameter is nu times the
square root of their order effect. Here ratings and the advantage are natural logarithms of odds.

Jeffreys' prior adds half the logarithm of the information's determinant to the log-likelihood. It
keeps every estimate finite and takes away most of its bias (Firth, Biometrika 80, 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.dataclass import dataclass
from arena.stats.pairings import PairingCounts, PairingGame

Array = NDArray[np.floating[Any]]

#: Sums over the games of each pairing, of the products of a score's three parts: along the
#: difference of ratings (r), the advantage (a) and log nu (n): rr, ra, rn, aa, an, nn.
_Products = tuple[Array, Array, Array, Array, Array, Array]


@dataclass(frozen=True)
class PenalisedLikelihood:
    """The penalised log-likelihood about some points. Arrays begin with the points' shape."""

    #: The penalised log-likelihood, but for a constant.
    value: Array
    #: Its gradient, shape (..., parameters).
    gradient: Array
    #: About its negative second derivative, shape (..., parameters, parameters).
    curvature: Array
    #: The inverse of Fisher's information, shape (..., parameters, parameters).
    inverse: Array


@dataclass(frozen=True)
class _TermOdds:
    """The chances of every term: the games of a and b in one order."""

    win: Array
    draw: Array
    loss: Array
    #: The logarithms of the chances are y/2, log nu and -y/2 less this.
    norm: Array
    y: Array


class Likelihood:
    """The pairings as arrays, and their likelihood as a function of the parameters.

    A point has the ratings of the players, then the advantage, then log nu. One player of every
    group that met has the rating zero, its ``ground``. So has the advantage zero if the results do
    not tell it from strength.

    With a ``prior`` there is one more player behind the others, the average one, and only its
    rating is zero. Each player scored half of ``prior`` games against it, none of them drawn: so
    they tell nothing of nu. They belong to the likelihood and are not observations.
    """

    def __init__(
        self,
        players: int,
        pairings: Sequence[PairingCounts],
        grounds: Sequence[int],
        advantage: bool,
        prior: float = 0.0,
    ) -> None:
        """Arrange pooled pairings. ``advantage`` says whether moving first is estimated."""
        imagined = [_against_average(player, players, prior) for player in range(players) if prior]
        grounds = [players] if prior else grounds
        players += bool(prior)
        self.players = players
        self.parameters = players + 2
        #: The parameters that are zero by definition.
        self.held = np.array([*grounds, *([] if advantage else [players])], dtype=np.int64)
        every = [*pairings, *imagined]
        self._a = np.array([pairing.a for pairing in every])
        self._b = np.array([pairing.b for pairing in every])
        self._arrange_terms(every, advantage)
        #: The addend of log nu: no imagined game is drawn.
        self._drawless = np.where(self._pairing < len(pairings), 0.0, -np.inf)
        self._arrange_cells(pairings)
        ends = np.concatenate([self._a, self._b])
        self._by_player = np.argsort(ends, kind="stable")
        self._met, self._starts = np.unique(ends[self._by_player], return_index=True)
        #: The number of independent observations.
        self.observations = float(self._times.sum())

    def _arrange_terms(self, pairings: Sequence[PairingCounts], advantage: bool) -> None:
        """Count the games of every term: those of one pairing in one order."""
        counts: dict[tuple[int, int], list[float]] = {}
        for place, pairing in enumerate(pairings):
            orders = sorted({game.moved for cell, _ in pairing.cells for game in cell})
            counts |= {(place, moved): [0.0, 0.0, 0.0] for moved in orders}
            for cell, times in pairing.cells:
                for moved, points in cell:
                    counts[place, moved][points] += times
        self._term = {key: number for number, key in enumerate(counts)}
        self._pairing = np.array([place for place, _ in counts])
        self._first_term = np.unique(self._pairing, return_index=True)[1]
        self._moved = np.array([float(moved) for _, moved in counts]) * advantage
        self.counts: Array = np.array(list(counts.values()))
        self._games = self.counts.sum(1)

    def _arrange_cells(self, pairings: Sequence[PairingCounts]) -> None:
        """List the games of every kind of observation, for the sandwich."""
        cells = [(place, cell, n) for place, m in enumerate(pairings) for cell, n in m.cells]
        self._times = np.array([float(times) for _, _, times in cells])
        self._cell_pairing = np.array([place for place, _, _ in cells])
        games = [
            (number, self._term[place, game.moved], game.points)
            for number, (place, cell, _) in enumerate(cells)
            for game in cell
        ]
        self._game_cell, self._game_term, self._game_points = np.array(games).T

    def start(self) -> Array:
        """Return the point of even players that draw as often as was seen."""
        losses, draws, wins = self.counts.sum(0)
        point = np.zeros(self.parameters)
        point[-1] = np.log((draws + 0.5) / ((losses + wins) / 2 + 0.5))
        return point

    def look(self, points: Array) -> PenalisedLikelihood:
        """Evaluate at points of shape (..., parameters)."""
        odds = self._odds(points)
        blocks = self._variances(odds)
        information = self._assembled(*(self._per_pairing(block) for block in blocks))
        inverse: Array = np.linalg.inv(information)
        inverse[..., self.held, self.held] = 0
        leverage = self._leverage(inverse)
        weight = 1 + self._bend(odds, leverage)
        losses, draws, wins = self.counts.T
        likelihood = (
            (wins - losses) * odds.y / 2 + draws * points[..., -1, None] - self._games * odds.norm
        ).sum(-1)
        return PenalisedLikelihood(
            likelihood + np.linalg.slogdet(information)[1] / 2,
            self._gradient(odds, leverage),
            self._assembled(*(self._per_pairing(block * weight) for block in blocks)),
            inverse,
        )

    def sandwich(self, point: Array) -> Array:
        """Return the variance by observations: inverse information, squared scores, inverse.

        White (Econometrica 50, 1982). Games of one pair may depend on each other, and draws may
        differ between pairings: it holds all the same.
        """
        odds, inverse = self._odds(point), self.look(point).inverse
        mean, draw = (odds.win - odds.loss) / 2, odds.draw
        term = self._game_term
        along = (self._game_points - 1) / 2 - mean[term]
        drawn = (self._game_points == 1) - draw[term]
        parts = (along, self._moved[term] * along, drawn)
        r, a, n = (_sums(self._game_cell, part, len(self._times)) for part in parts)
        products = (r * r, r * a, r * n, a * a, a * n, n * n)
        meat = self._assembled(
            *(
                _sums(self._cell_pairing, self._times * product, len(self._a))
                for product in products
            )
        )
        variance: Array = inverse @ meat @ inverse
        return variance

    def steepest(self, steps: Array) -> Array:
        """Return how far steps move the logarithm of a chance, up to a factor of 2."""
        y = self._differences(steps)
        most: Array = np.maximum(np.abs(y).max(-1) / 2, np.abs(steps[..., -1]))
        return most

    def _differences(self, points: Array) -> Array:
        a, b = self._a[self._pairing], self._b[self._pairing]
        differences: Array = points[..., a] - points[..., b] + self._moved * points[..., -2, None]
        return differences

    def _odds(self, points: Array) -> _TermOdds:
        y, log_nu = self._differences(points), points[..., -1, None] + self._drawless
        top = np.maximum(np.abs(y) / 2, log_nu)
        win, draw, loss = np.exp(y / 2 - top), np.exp(log_nu - top), np.exp(-y / 2 - top)
        total = win + draw + loss
        return _TermOdds(win / total, draw / total, loss / total, top + np.log(total), y)

    def _variances(self, odds: _TermOdds) -> _Products:
        """Return Fisher's information of every term, as sums of products to keep all digits."""
        win, draw, loss, games = odds.win, odds.draw, odds.loss, self._games
        rr = games * (win * loss + draw * (win + loss) / 4)
        rn = games * draw * (loss - win) / 2
        nn = games * draw * (win + loss)
        ra, an = self._moved * rr, self._moved * rn
        return rr, ra, rn, self._moved * ra, an, nn

    def _leverage(self, inverse: Array) -> tuple[Array, Array, Array]:
        """Return the variances and covariance of y and log nu in every term."""
        diagonal = np.diagonal(inverse, axis1=-2, axis2=-1)
        a, b, moved = self._a[self._pairing], self._b[self._pairing], self._moved
        row, nu = inverse[..., -2, :], inverse[..., -1, :]
        difference = diagonal[..., a] + diagonal[..., b] - 2 * inverse[..., a, b]
        with_order = row[..., a] - row[..., b]
        yy = difference + moved * (2 * with_order + moved * row[..., -2, None])
        return yy, nu[..., a] - nu[..., b] + moved * nu[..., -2, None], nu[..., -1, None]

    def _deviations(self, odds: _TermOdds) -> tuple[tuple[Array, Array, Array], ...]:
        """Return the chance of a loss, a draw and a win, and how far its score is from the mean."""
        win, draw, loss = odds.win, odds.draw, odds.loss
        return (
            (loss, -win - draw / 2, -draw),
            (draw, (loss - win) / 2, win + loss),
            (win, loss + draw / 2, -draw),
        )

    def _bend(self, odds: _TermOdds, leverage: tuple[Array, Array, Array]) -> Array:
        """Return the prior's share of the curvature: a game for a term that alone tells of y."""
        yy, yn, nn = leverage
        rr, _, rn, _, _, n = self._variances(odds)
        share: Array = (rr * yy + 2 * rn * yn + n * nn) / self._games
        return share

    def _gradient(self, odds: _TermOdds, leverage: tuple[Array, Array, Array]) -> Array:
        """Return Firth's score: that of the likelihood, with the games that the prior adds."""
        yy, yn, nn = leverage
        y_part, nu_part = np.zeros_like(odds.y), np.zeros_like(odds.y)
        for counted, (chance, dy, dn) in zip(self.counts.T, self._deviations(odds), strict=True):
            added = self._games * chance * (dy * dy * yy + 2 * dy * dn * yn + dn * dn * nn) / 2
            y_part += (counted + added) * dy
            nu_part += (counted + added) * dn
        gradient = np.zeros((*odds.y.shape[:-1], self.parameters))
        gradient[..., self._met] = self._net(self._per_pairing(y_part))
        gradient[..., -2] = (self._moved * y_part).sum(-1)
        gradient[..., -1] = nu_part.sum(-1)
        gradient[..., self.held] = 0
        return gradient

    def _per_pairing(self, of_terms: Array) -> Array:
        sums: Array = np.add.reduceat(of_terms, self._first_term, -1)
        return sums

    def _net(self, of_pairings: Array) -> Array:
        """Sum over the pairings of every player that met one, with a minus where it is b."""
        both = np.concatenate([of_pairings, -of_pairings], -1)[..., self._by_player]
        sums: Array = np.add.reduceat(both, self._starts, -1)
        return sums

    def _assembled(self, rr: Array, ra: Array, rn: Array, aa: Array, an: Array, nn: Array) -> Array:
        """Build the matrix over the parameters. One that is held has 1 on the diagonal alone."""
        # This is X'WX. A row of the design X has 1 for player a, -1 for b, the order (1 or -1), and
        # another row 1 for log nu: so nearly empty that the product is built without it.
        a, b, players = self._a, self._b, np.arange(self.players)
        matrix = np.zeros((*rr.shape[:-1], self.parameters, self.parameters))
        matrix[..., a, b] = matrix[..., b, a] = -rr
        matrix[..., players, players] = -matrix[..., :-2, :-2].sum(-1)
        for place, side, terms in ((-2, ra, aa), (-1, rn, nn)):
            matrix[..., place, self._met] = matrix[..., self._met, place] = self._net(side)
            matrix[..., place, place] = terms.sum(-1)
        matrix[..., -2, -1] = matrix[..., -1, -2] = an.sum(-1)
        matrix[..., self.held, :] = 0
        matrix[..., :, self.held] = 0
        matrix[..., self.held, self.held] = 1
        return matrix


def _against_average(player: int, average: int, games: float) -> PairingCounts:
    """Return imagined games against the average player, half of them won and half lost."""
    lost, won = ((PairingGame(0, points),) for points in (0, 2))
    return PairingCounts(player, average, ((lost, games / 2), (won, games / 2)))


def _sums(places: NDArray[np.int64], numbers: Array, size: int) -> Array:
    """Add the numbers up by their places."""
    return np.bincount(places, numbers, size).astype(np.float64)
