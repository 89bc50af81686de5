"""Games of rounds in which both sides choose at once, such as rock, paper, scissors.

The first side moves, then the second, which does not see it. Both see a round when it is over. The
payoff of a game is the sum over its rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena.game import Payoffs, Side
from arena.games.sealed import SealedGame
from arena.games.view import View
from arena.games.words import WordGame, WordPosition

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

#: Most rounds of a game.
MAX_ROUNDS = 1000

#: A picture has so many rounds, the last ones.
_SHOWN = 8

#: The payoffs of both sides by their moves.
PayoffMatrix = Mapping[tuple[int, int], tuple[int, int]]


class RepeatedPosition(WordPosition):
    """The moves of both sides, round by round."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """The first side in each round, then the second."""
        return Side(self.ply & 1)

    def legal_moves(self) -> tuple[int, ...]:
        """Return every move until the last round is over."""
        return () if self.ply == self.game.max_plies else tuple(range(len(self.game.words)))

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the sum of each side's payoffs."""
        if self.ply < self.game.max_plies:
            return None
        paid = [self.game.matrix[pair] for pair in self.rounds()]
        return tuple(Fraction(sum(side)) for side in zip(*paid, strict=True))

    def rounds(self) -> list[tuple[int, int]]:
        """Return the moves of both sides in the rounds that are over."""
        return list(zip(self.moves[::2], self.moves[1::2], strict=False))

    def observation(self, seat: int) -> View:
        """Return the rounds that are over, and the first side's own move in this one."""
        is_hidden = self.ply & 1 and seat == Side.SECOND
        return self.view(seat, self.moves[:-1] if is_hidden else self.moves)


class RepeatedGame(SealedGame, WordGame):
    """The rules: the moves, what two of them pay, and the number of rounds."""

    telling = ()
    #: The moves of a round.
    plies_of_round = 2

    def __init__(
        self,
        name: str,
        words: tuple[str, ...],
        matrix: PayoffMatrix,
        rounds: int,
        unit: str,
        maker: tuple[Callable[..., RepeatedGame], tuple[int, ...]],
    ) -> None:
        self.name = name
        self.words, self.matrix = words, matrix
        self.max_plies = self.plies_of_round * rounds
        paid = [payoff for pair in matrix.values() for payoff in pair]
        sums = {sum(pair) for pair in matrix.values()}
        total = Fraction(rounds * sums.pop()) if len(sums) == 1 else None
        least, most = Fraction(rounds * min(paid)), Fraction(rounds * max(paid))
        self.payoffs = Payoffs(least, most, unit, total)
        self._maker = maker
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        rounds = self.max_plies // self.plies_of_round
        many = "one round" if rounds == 1 else f"{rounds} rounds"
        moves = self.words[: max(map(max, self.matrix)) + 1]
        pays = "; ".join(
            f"{self.words[a]} and {self.words[b]} {first} and {second}"
            for (a, b), (first, second) in self.matrix.items()
        )
        return (
            f"A game of {many}. In each, two players choose a move at once: {', '.join(moves)}."
            f" The moves of the first and the second player pay them {self.payoffs.unit}: {pays}."
            f" Then both see what the other chose. The game pays the sum of its rounds."
        )

    def start(self) -> RepeatedPosition:
        """Return the position before the first round."""
        return RepeatedPosition(self)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop:
        """Return the moves of the last rounds, those of each side in a row."""
        return rows_of_rounds(words, ("first", "second"))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._maker


def rows_of_rounds(words: Sequence[str], names: Sequence[str]) -> Tabletop:
    """Return the words of the last rounds: each round has one for each of the named rows."""
    from arena.pictures.tabletop import Tabletop, lined

    step, width = len(names), max(map(len, words), default=0)
    latest = words[step * max(0, -(-len(words) // step) - _SHOWN) :]
    rows = (" ".join(word.ljust(width) for word in latest[row::step]) for row in range(step))
    return Tabletop([(name, [lined(row)]) for name, row in zip(names, rows, strict=True)])


def require_rounds(rounds: int) -> None:
    """Raise UsageError unless a game may have this number of rounds."""
    if not 1 <= rounds <= MAX_ROUNDS:
        raise UsageError(f"{rounds} rounds: must be 1 to {MAX_ROUNDS}")


def rock_paper_scissors(rounds: int = 1) -> RepeatedGame:
    """Return rock, paper, scissors over these rounds. A round that is won pays a point.

    >>> print(rock_paper_scissors(2).parse("rock paper rock").observation(1))
    1: rock paper | rock paper scissors
    """
    require_rounds(rounds)
    return _rock_paper_scissors(rounds)


@cache
def _rock_paper_scissors(rounds: int) -> RepeatedGame:
    words = ("rock", "paper", "scissors")
    pays = {0: (0, 0), 1: (1, -1), 2: (-1, 1)}
    matrix = {(a, b): pays[(a - b) % 3] for a in range(3) for b in range(3)}
    name, maker = f"rock-paper-scissors-{rounds}", (rock_paper_scissors, (rounds,))
    return RepeatedGame(name, words, matrix, rounds, "points", maker)
