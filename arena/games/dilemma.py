"""The prisoner's dilemma over some rounds: both sides cooperate or defect at once.

Noise turns a move into the other one now and then. Chance decides for each move after both sides
made theirs, and no side sees it before the round is over. Then both see what was played. Each side
also remembers what it meant to play, so that a round is three words of an observation: its own
move, and what the first and the second side played.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena.game import CHANCE, Side
from arena.games.repeated import (
    PayoffMatrix,
    RepeatedGame,
    RepeatedPosition,
    require_rounds,
    rows_of_rounds,
)
from arena.games.rounds import COOPERATE, DEFECT, KIND
from arena.games.view import View

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

_WORDS = ("cooperate", "defect")

#: The moves of chance: it lets a move stand, or turns it into the other one.
_STANDS, _TURNS = 2, 3

#: The payoffs of Axelrod's tournament: for a side that defects alone, for both if both cooperate,
#: for both if both defect, and for a side that cooperates alone.
USUAL_PAYS = (5, 3, 1, 0)

#: The most per cent of moves that noise turns, and the most that a round pays.
MAX_NOISE, MAX_PAY = 50, 1000


class NoisyPosition(RepeatedPosition):
    """The moves of both sides and what chance made of them, round by round."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """The first side in each round, the second, and chance once for each of them."""
        step = self.ply % 4
        return Side(step) if step < 2 else CHANCE

    def legal_moves(self) -> tuple[int, ...]:
        """Return both moves, or those of chance, until the last round is over."""
        if self.ply == self.game.max_plies:
            return ()
        return (COOPERATE, DEFECT) if self.ply % 4 < 2 else (_STANDS, _TURNS)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return whether the move stands or turns into the other one."""
        noise = Fraction(self.game.noise, 100)
        return (_STANDS, 1 - noise), (_TURNS, noise)

    def rounds(self) -> list[tuple[int, int]]:
        """Return what both sides played in the rounds that are over."""
        steps = (self.moves[i::4] for i in range(4))
        return [
            (one ^ (first == _TURNS), other ^ (second == _TURNS))
            for one, other, first, second in zip(*steps, strict=False)
        ]

    def observation(self, seat: int) -> View:
        """Return what the side meant to play in each round, and what both played."""
        moves = self.moves[seat::4]
        seen = [
            word for mine, both in zip(moves, self.rounds(), strict=False) for word in (mine, *both)
        ]
        return self.view(seat, (*seen, *moves[self.ply // 4 :]))


class Dilemma(RepeatedGame):
    """The rules of the dilemma. Get a game from :func:`prisoners_dilemma`."""

    kinds = (KIND,)
    #: The events of a round in an observation. The last two are what both sides played.
    events_of_round = 2


class NoisyDilemma(Dilemma):
    """The rules with noise."""

    plies_of_round = 4
    events_of_round = 3

    def __init__(self, noise: int, *rules: Any) -> None:
        #: The per cent of moves that chance turns.
        self.noise = noise
        super().__init__(*rules)

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"{super().guide} Each move is turned into the other one with a chance of {self.noise}"
            " per cent. Both see what was played so, and each knows what it meant itself."
        )

    def start(self) -> NoisyPosition:
        """Return the position before the first round."""
        return NoisyPosition(self)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop:
        """Return the last rounds: what was meant and what was played, as far as it was seen."""
        if seat is None:
            return rows_of_rounds(words, ("first", "second", "chance", "chance"))
        return rows_of_rounds(words, ("you mean", "first", "second"))


def prisoners_dilemma(rounds: int = 1, noise: int = 0, *pays: int) -> Dilemma:
    """Return the prisoner's dilemma over these rounds, with this per cent of noise.

    A round pays the temptation, the reward, the punishment, or what a side gets that cooperates
    alone. By default it pays what it did in Axelrod, "Effective choice in the prisoner's dilemma"
    (1980).

    >>> prisoners_dilemma(2).parse("cooperate defect defect defect").payoffs()
    (Fraction(1, 1), Fraction(6, 1))
    >>> print(prisoners_dilemma(1, 5).parse("cooperate defect turns stands").observation(0))
    0: cooperate defect defect |
    """
    require_rounds(rounds)
    if not 0 <= noise <= MAX_NOISE:
        raise UsageError(f"noise of {noise} per cent: must be 0 to {MAX_NOISE}")
    t, r, p, s = pays or USUAL_PAYS
    if not (MAX_PAY >= t > r > p > s and 2 * r > t + s):
        raise UsageError(
            f"payoffs {t}-{r}-{p}-{s} make no dilemma: each must be more than the next, twice the"
            f" second more than the first and the last together, and the first {MAX_PAY} at most"
        )
    return _dilemma(rounds, noise, t, r, p, s)


def paid_dilemma(rounds: int, *pays: int) -> Dilemma:
    """Return the dilemma with these payoffs and without noise.

    >>> paid_dilemma(1, 6, 4, 2, 1).parse("defect cooperate").payoffs()
    (Fraction(6, 1), Fraction(1, 1))
    """
    return prisoners_dilemma(rounds, 0, *pays)


@cache
def _dilemma(*numbers: int) -> Dilemma:
    rounds, noise, *pays = numbers
    t, r, p, s = pays
    matrix: PayoffMatrix = {(0, 0): (r, r), (0, 1): (s, t), (1, 0): (t, s), (1, 1): (p, p)}
    name = f"{KIND}-{rounds}"
    name += f"-noise-{noise}" if noise else ""
    name += "" if (t, r, p, s) == USUAL_PAYS else f"-{t}-{r}-{p}-{s}"
    maker = prisoners_dilemma, numbers
    if noise:
        words = (*_WORDS, "stands", "turns")
        return NoisyDilemma(noise, name, words, matrix, rounds, "points", maker)
    return Dilemma(name, _WORDS, matrix, rounds, "points", maker)
