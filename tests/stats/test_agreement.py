"""Compare ratings with other programs and with the likelihood."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from arena.stats.bradley_terry import ELO, rate
from arena.stats.interval import Z95
from arena.stats.pairings import PairingCounts, PairingGame
from tests.golden import Wording
from tests.stats.pairings import DECIDED, GAMES, OFTEN, Array, by_games, ends, names, values


class Witness:
    """The penalised likelihood once more, game by game, from the definitions.

    The information is the covariance of the scores, from all three outcomes of every game. The
    parameters are the ratings of all but the last player, the advantage and log nu.
    """

    def __init__(self, players: int, pairings: Sequence[PairingCounts]) -> None:
        from scipy.optimize import minimize  # type: ignore[import-untyped]

        self.seen = [
            ([(self._scores(players, pairing, game), game.points) for game in cell], times)
            for pairing in pairings
            for cell, times in pairing.cells
        ]
        self.size = players + 1
        optimum = minimize(self.loss, np.zeros(self.size), method="BFGS", options={"gtol": 1e-6})
        self.best: Array = np.asarray(optimum.x)

    def _scores(self, players: int, pairing: PairingCounts, game: PairingGame) -> Array:
        y = np.zeros(players + 2)
        y[pairing.a], y[pairing.b], y[players] = 0.5, -0.5, game.moved / 2
        drawn = np.zeros(players + 2)
        drawn[-1] = 1
        return np.delete(np.array([-y, drawn, y]), players - 1, 1)

    def _summed(self, point: Array) -> tuple[float, Array, Array]:
        """Return the log-likelihood, the information, and the sum of squared scores."""
        total, squares = 0.0, np.zeros((2, self.size, self.size))
        for games, times in self.seen:
            score = np.zeros(self.size)
            for scores, points in games:
                logs = scores @ point
                logs = logs - np.logaddexp.reduce(logs)
                total += times * logs[points]
                squares[0] += times * np.cov(scores.T, aweights=np.exp(logs), bias=True)
                score += scores[points] - np.exp(logs) @ scores
            squares[1] += times * np.outer(score, score)
        return total, squares[0], squares[1]

    def loss(self, point: Array) -> float:
        """Less the penalised log-likelihood."""
        total, information, _ = self._summed(point)
        return -float(total + np.linalg.slogdet(information)[1] / 2)

    def fall(self, way: Array, value: float) -> float:
        """How far the profile along a combination of the parameters has fallen at a value."""
        from scipy.optimize import minimize

        rest, along = np.linalg.svd(way[None, :])[2][1:], way * value / (way @ way)
        optimum = minimize(lambda free: self.loss(along + free @ rest), rest @ self.best)
        return float(optimum.fun) - self.loss(self.best)

    def factor(self, way: Array) -> float:
        """Kent's factor."""
        _, information, meat = self._summed(self.best)
        observations = sum(times for _, times in self.seen)
        model = np.linalg.inv(information)
        ratio = (way @ model @ meat @ model @ way) / (way @ model @ way)
        return max(1.0, float(ratio) * observations / (observations - self.size))


@pytest.mark.slow
def test_agree_with_choix_without_draws(wording: Wording) -> None:
    """Both fit the most likely strengths; without an order there is no advantage."""
    import choix

    data = [(b, a) for (a, b), (lost, _, _) in DECIDED.items() for _ in range(lost)]
    data += [(a, b) for (a, b), (_, _, won) in DECIDED.items() for _ in range(won)]
    theirs = ELO * np.asarray(choix.ilsr_pairwise(4, data, tol=1e-10))
    ours = rate(names(4), by_games(DECIDED, OFTEN))
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-3)
    assert ours.draws.value == pytest.approx(0, abs=1e-6)
    assert ours.draws.low == 0
    wording(ours.draws.reason)


@pytest.mark.slow
def test_agree_with_evalica_on_draws() -> None:
    """Newman's model (JMLR 24, 2023) has ties as Davidson's: its v is half of nu."""
    import evalica
    from evalica import Winner

    played = [
        (a, b, winner)
        for (a, b), counts in GAMES.items()
        for winner, games in zip((Winner.Y, Winner.Draw, Winner.X), counts, strict=True)
        for _ in range(games)
    ]
    xs, ys, winners = zip(*played, strict=True)
    result = evalica.newman(xs, ys, winners, tolerance=1e-13, limit=100_000)
    theirs = 400 * np.log10(result.scores.sort_index().to_numpy())
    ours = rate(names(4), by_games(GAMES, OFTEN))
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-3)
    assert ours.draws.value == pytest.approx(2 * result.v, rel=1e-5)


@pytest.mark.slow
def test_agree_with_the_penalised_likelihood_as_defined() -> None:
    """Of pairs that were mostly won by the first mover, mostly level, and mostly the same."""
    joints = {
        (0, 1): [[1, 0, 0], [2, 3, 0], [5, 2, 0]],
        (0, 2): [[4, 0, 0], [0, 1, 0], [1, 0, 6]],
        (1, 2): [[0, 0, 1], [0, 9, 0], [2, 1, 0]],
    }
    pairings = [PairingCounts.of_pairs(a, b, joint) for (a, b), joint in joints.items()]
    table, witness = rate(names(3), pairings), Witness(3, pairings)
    strengths = np.array([*witness.best[:2], 0.0])
    assert values(table) == pytest.approx(list(ELO * (strengths - strengths.mean())), abs=0.01)
    assert table.advantage.value == pytest.approx(ELO * witness.best[2], abs=0.01)
    assert table.draws.value == pytest.approx(math.exp(witness.best[3]), rel=1e-4)
    ways = np.array([[2, -1, 0, 0], [-1, 2, 0, 0], [-1, -1, 0, 0], [0, 0, 3, 0], [0, 0, 0, 3]]) / 3
    results = [ends(parameter) for parameter in (*table.ratings, table.advantage)]
    results.append((ELO * math.log(table.draws.low or 0), ELO * math.log(table.draws.high or 0)))
    factors = [witness.factor(way) for way in ways]
    assert max(factors) > 1.2
    for way, factor, both in zip(ways, factors, results, strict=True):
        falls = [witness.fall(way, end / ELO) for end in both]
        assert falls == pytest.approx([factor * Z95**2 / 2] * 2, rel=1e-3)
