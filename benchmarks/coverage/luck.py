"""Draw corrected payoffs of pairs from their exact law, and see how often the interval holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import arena
from arena.game import CHANCE, Game, Observation, Position
from arena.player import PlayerInfo
from arena.proof.policy import Policy
from arena.records.intervals import fixed
from arena.runs.luck import OWN_VALUE, strategies_of
from arena.stats.independence import Observations
from arena.trees.correction import LuckOfGame, Strategies
from benchmarks.coverage.table import Row, coverage

GAMES = ("leduc", "liars-dice-1-3")
SIZES = (20, 100, 500)
SEED = 1

Floats = NDArray[np.float64]


def best_hand(observation: Observation, rng: random.Random) -> int:
    """Make the last legal move with a king or with the highest face, and any move otherwise."""
    moves = observation.legal_moves()
    hand = str(observation).split()[1]
    return moves[-1] if hand in ("K1", "K2", "hand-3") else rng.choice(moves)


#: Players, and how a table names them.
PLAYERS = {
    "cfr": arena.get_player("cfr"),
    "monkey": arena.get_player("monkey"),
    "cfr of five iterations": arena.get_player("cfr:iterations=5"),
    "an honest player": PlayerInfo("honest", best_hand),
}

PAIRINGS = (
    ("cfr", "an honest player"),
    ("monkey", "an honest player"),
    ("cfr", "cfr of five iterations"),
    ("an honest player", "cfr of five iterations"),
)


class Law(NamedTuple):
    """The payoffs of the first seat in a game, as they are and without luck, and how probable."""

    raw: Floats
    corrected: Floats
    chances: Floats
    #: How far corrected ones can be from an even share.
    reach: float


def rows(replicates: int) -> Iterator[Row]:
    """Yield the interval of corrected payoffs, and how many games they save."""
    for name in GAMES:
        game = arena.get_game(name)
        value = strategies_of(game, OWN_VALUE, arena.get_game)
        policies = {who: Policy(player, game) for who, player in PLAYERS.items()}
        for a, b in PAIRINGS:
            for is_known in (False, True):
                known = (policies[a] if is_known else None, None)
                both = (policies[a], policies[b])
                first = law(game, both, known, value)
                second = law(game, both[::-1], known[::-1], value)
                what = f"{a} known" if is_known else "both black boxes"
                yield from _rows(f"{name}, {a} against {b}, {what}", first, second, replicates)


def law(
    game: Game,
    players: tuple[Policy, ...],
    known: tuple[Policy | None, ...],
    value: Strategies,
) -> Law:
    """Return the law of the payoffs of a game of these players, of whom some are known."""
    luck = LuckOfGame(game, (known[0], known[1]), value)
    raw, corrected, chances = list[float](), list[float](), list[float]()
    waiting: list[tuple[Position, float, tuple[int, ...]]] = [(game.start(), 1.0, ())]
    while waiting:
        position, chance, moves = waiting.pop()
        paid = position.payoffs()
        if paid is not None:
            raw.append(float(paid[0]))
            corrected.append(float(paid[0] - luck.luck[moves]))
            chances.append(chance)
            continue
        seat = position.to_move
        shares = (
            dict(position.chance_moves())
            if seat == CHANCE
            else players[seat](position.observation(seat))
        )
        for move, share in shares.items():
            waiting.append((position.play(move), chance * float(share), (*moves, move)))
    weights = np.array(chances)
    return Law(np.array(raw), np.array(corrected), weights / weights.sum(), float(luck.reach[0]))


def _rows(under: str, first: Law, second: Law, replicates: int) -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    truth = (first.raw @ first.chances - second.raw @ second.chances) / 2
    reach = max(first.reach, second.reach)
    half = float(np.abs(first.raw).max())
    for size in SIZES:
        shape = (replicates, size)
        one = rng.choice(len(first.chances), shape, p=first.chances)
        other = rng.choice(len(second.chances), shape, p=second.chances)
        means = (first.corrected[one] - second.corrected[other]) / 2
        hits = [_holds(each, float(truth), reach, half) for each in means]
        yield coverage("corrected payoff of a fight", f"{under}, {size} pairs", hits)
    saved = _variance(first.raw, second.raw, first, second) / _variance(
        first.corrected, second.corrected, first, second
    )
    yield Row("games that the correction saves", under, 0, "", f"{saved:.1f}")


def _variance(first: Floats, second: Floats, one: Law, other: Law) -> float:
    """Return the variance of the payoff per game in pairs of independent games."""
    variances = (
        law.chances @ values**2 - (law.chances @ values) ** 2
        for law, values in ((one, first), (other, second))
    )
    return float(sum(variances)) / 4


def _holds(payoffs: Floats, truth: float, reach: float, half: float) -> bool:
    """Return whether the interval that arena prints for these pairs holds the truth.

    ``half`` is the half of the range of payoffs, which are even at 0.
    """
    values, counts = np.unique(0.5 + payoffs / (2 * half), return_counts=True)
    furthest = max(0.5, reach / (2 * half)) + 1e-9
    scores = [0.5 - furthest, *map(float, values), 0.5 + furthest]
    interval = fixed(Observations((0, *map(int, counts), 0), tuple(scores)))
    assert interval is not None
    return interval.low <= 0.5 + truth / (2 * half) <= interval.high
