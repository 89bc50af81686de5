"""CFR+: counterfactual regret minimization, for small games of two with luck and secrets.

It plays against itself for some iterations. In each, the two sides in turn compare what every move
of an information set would have brought with what the set brought. Moves with a positive sum of
such regrets are played in proportion to it, and the sum never falls below 0. The player plays the
average strategy, in which the k-th iteration counts k times. It is that of Tammelin, "Solving large
imperfect information games using CFR+" (2014).

Where the payoffs have a constant sum, that strategy comes close to an equilibrium. Elsewhere the
two sides together regret nothing in the end (a coarse correlated equilibrium), which need not make
the strategy of one of them good: Hart and Mas-Colell, "A simple adaptive procedure leading to
correlated equilibrium" (2000).

A player gets what its seat knows. So the tree is that of the rules alone, ``observation.game``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arena.game import CHANCE, Game, Observation, Position
from arena.kinds import whole
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

if TYPE_CHECKING:
    from arena.arrays import Floats, Ints


#: The most histories of a game, those of chance among them. Leduc has 9457.
MAX_SOLVED_HISTORIES = 20_000

DEFAULT_ITERATIONS = 1000

#: The parts of a probability, so that exact results are fractions of few digits. It divides by 2 to
#: 10, so equal shares stay equal.
SHARE_PARTS = 50_400

#: The probability of each legal move in parts, by what a seat knows.
SharesByState = Mapping[Any, Sequence[int]]


def choose(
    observation: Observation, rng: random.Random, iterations: int = DEFAULT_ITERATIONS
) -> int:
    """Play near an equilibrium that it computes by playing against itself: CFR+."""
    shares = average_strategy(observation.game, iterations).get(observation)
    if shares is None:
        raise ValueError(f"no history of {observation.game.name} leads to {str(observation)!r}")
    return rng.choices(observation.legal_moves(), shares)[0]


@lru_cache(maxsize=256)
def refuses(game: Game) -> str:
    """Return why it cannot compute a strategy for the game, empty if it can."""
    if game.seats != 2:
        return f"it is for two, and the game has {game.seats} seats"
    start, count = game.start(), 1
    waiting = [(start, move) for move in start.legal_moves()]
    while waiting:
        position, move = waiting.pop()
        after, count = position.play(move), count + 1
        waiting += [(after, each) for each in after.legal_moves()]
        if count + len(waiting) > MAX_SOLVED_HISTORIES:  # known before they are played
            return f"it has more than {MAX_SOLVED_HISTORIES} histories"
    return ""


@lru_cache(maxsize=8)
def average_strategy(game: Game, iterations: int = DEFAULT_ITERATIONS) -> SharesByState:
    """Return the average strategy of both sides after this number of iterations."""
    tree = HistoryTree(game)
    for weight in range(1, iterations + 1):
        for seat in (0, 1):
            tree.update(seat, weight)
    return tree.average()


class Edges:
    """The moves from the histories of one length to the next ones, as parallel arrays."""

    def __init__(self, rows: Sequence[tuple[int, int, int, int, float]]) -> None:
        import numpy as np

        columns = list(zip(*rows, strict=True))
        #: The numbers of the histories before and after the move.
        self.before, self.after = np.array(columns[0]), np.array(columns[1])
        #: The seat that moves, -1 for chance; the number of its move in its set; its probability.
        self.seats, self.moves = np.array(columns[2]), np.array(columns[3])
        self.luck = np.array(columns[4])


class HistoryTree:
    """All histories of a game, and what the iterations so far found.

    The moves of all information sets have numbers: those of a set follow each other.
    """

    def __init__(self, game: Game) -> None:
        import numpy as np

        #: The number of the first move, by information set.
        self.sets: dict[Any, int] = {}
        self.levels: list[Edges] = []
        set_of: list[int] = []
        payoffs = self._grow(game, set_of)
        self._set_of: Ints = np.array(set_of)
        self._payoffs: Floats = np.array(payoffs).T
        self._regrets, self._totals = np.zeros(len(set_of)), np.zeros(len(set_of))

    def _grow(self, game: Game, set_of: list[int]) -> list[tuple[float, float]]:
        """Walk through all histories by length. Return what each pays the two sides."""
        middle = float(game.payoffs.total or 0) / 2
        payoffs, level = [(0.0, 0.0)], [(0, game.start())]
        while level:
            rows, deeper = [], []
            for number, position in level:
                for move, seat, index, share in self._moves(position, set_of):
                    after = position.play(move)
                    paid = after.payoffs()
                    rows.append((number, len(payoffs), seat, index, share))
                    deeper.append((len(payoffs), after))
                    first, second = paid or (middle, middle)
                    payoffs.append((float(first) - middle, float(second) - middle))
            if rows:
                self.levels.append(Edges(rows))
            level = deeper
        return payoffs

    def _moves(self, position: Position, set_of: list[int]) -> list[tuple[int, int, int, float]]:
        """Return each move with its seat, its number and its probability, if chance makes it."""
        moves, seat = position.legal_moves(), position.to_move
        if moves and seat == CHANCE:
            return [(move, -1, 0, float(share)) for move, share in position.chance_moves()]
        if not moves:
            return []
        first = self.sets.setdefault(position.observation(seat), len(set_of))
        if first == len(set_of):
            set_of += [first] * len(moves)
        return [(move, seat, first + i, 1.0) for i, move in enumerate(moves)]

    def update(self, seat: int, weight: int) -> None:
        """Add an iteration of one side. It counts ``weight`` times in the average."""
        import numpy as np

        size = len(self._set_of)
        shares = self._in_proportion(self._regrets)
        worth = self._payoffs[seat]
        own_reach, other_reach = np.ones(len(worth)), np.ones(len(worth))
        played = []
        for edges in self.levels:
            likely = np.where(edges.seats < 0, edges.luck, shares[edges.moves])
            is_own = edges.seats == seat
            own_reach[edges.after] = own_reach[edges.before] * np.where(is_own, likely, 1)
            other_reach[edges.after] = other_reach[edges.before] * np.where(is_own, 1, likely)
            played.append((edges, likely, is_own))
        gains, reach = np.zeros(size), np.zeros(size)
        for edges, likely, is_own in reversed(played):
            before, moves = edges.before[is_own], edges.moves[is_own]
            gained = other_reach[before] * worth[edges.after[is_own]]
            gains += np.bincount(moves, gained, size)
            reach += np.bincount(moves, own_reach[before], size)
            worth = worth + np.bincount(edges.before, likely * worth[edges.after], len(worth))
        average = np.bincount(self._set_of, shares * gains, size)[self._set_of]
        self._regrets = np.maximum(self._regrets + gains - average, 0)
        self._totals += weight * reach * shares

    def average(self) -> SharesByState:
        """Return the average strategy."""
        shares = self._in_proportion(self._totals)
        firsts = [*self.sets.values(), len(shares)]
        return {
            seen: _in_parts(shares[first:end])
            for seen, first, end in zip(self.sets, firsts, firsts[1:], strict=False)
        }

    def _in_proportion(self, amounts: Floats) -> Floats:
        """Return the share of each move in the sum of its set. Moves of an empty sum are equal."""
        import numpy as np

        size = len(self._set_of)
        sums = np.bincount(self._set_of, amounts, size)[self._set_of]
        numbers = np.bincount(self._set_of, minlength=size)[self._set_of]
        return np.where(sums > 0, amounts / np.where(sums > 0, sums, 1), 1 / numbers)


def _in_parts(shares: Floats) -> tuple[int, ...]:
    """Round the shares of a set's moves to parts, which add up to SHARE_PARTS."""
    import numpy as np

    parts = np.rint(shares * SHARE_PARTS).astype(int)
    parts[parts.argmax()] += SHARE_PARTS - parts.sum()
    return tuple(parts.tolist())


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    options = {"iterations": whole(1, 10**6)}
    register("cfr", choose, only_named=True, refuses=refuses, options=options)
