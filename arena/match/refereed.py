"""Define games that a referee plays as a whole: it starts the players itself.

Arena gives a referee the two players and a seed, and gets scores or a forfeit. It sees no move, so
it can neither prove anything about such a game nor replay it by rules. To arena the game has one
move, which is the referee's verdict: ``1-0``, ``1/2-1/2`` or ``0-1``. So results, stores and tables
need not know of referees.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import isfinite
from typing import ClassVar, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, quoted, shown
from arena.game import WIN_FOR, Game, Outcome, Position, Side
from arena.player import PlayerInfo

#: The verdicts in chess notation; a move is the place of one.
_VERDICTS = {
    "1-0": Outcome.FIRST_WINS,
    "1/2-1/2": Outcome.DRAW,
    "0-1": Outcome.SECOND_WINS,
}
_TEXTS = tuple(_VERDICTS)
_OUTCOMES = tuple(_VERDICTS.values())

#: The text of the position before the verdict.
_START = "start"


class Verdict(NamedTuple):
    """A referee's answer to one game: the scores of both sides, or the side that forfeits."""

    #: The higher one wins; equal ones are a draw.
    scores: tuple[float, float] | None = None
    #: The side that forfeits, and why.
    forfeits: Side | None = None
    reason: str = ""

    @property
    def outcome(self) -> Outcome:
        """The end of the game."""
        if self.forfeits is not None:
            return WIN_FOR[1 - self.forfeits]
        first, second = self.scores or (0, 0)
        if first == second:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if first > second else Outcome.SECOND_WINS


def misfit_of_verdict(verdict: object) -> str:
    """Return why an answer of a referee is not a verdict. The result is empty if it is one."""
    if type(verdict) is not Verdict:
        return f"returned {shown(verdict)}, not a Verdict"
    scores, forfeits, reason = verdict
    if forfeits is not None:
        return "" if forfeits in (0, 1) and type(reason) is str else f"returned {shown(verdict)}"
    is_pair = type(scores) is tuple and len(scores) == 2
    if not is_pair or not all(type(s) in (int, float) and isfinite(s) for s in scores or ()):
        return f"returned {shown(verdict)}, whose scores are not two finite numbers"
    return ""


class RefereedGame(Game):
    """A game of which arena knows the referee's verdict alone."""

    kinds = ("refereed",)
    max_plies = 1
    is_refereed: ClassVar[bool] = True
    features = ("a referee",)

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def referee(self, players: tuple[PlayerInfo, PlayerInfo], seed: int) -> Verdict:
        """Play one game of the first and the second player, and return the verdict.

        The players are programs: ``player.command`` starts one. The same ``seed``, from 0 to
        2**31 - 1, should give the same game. Raises GameFault if the referee itself fails.
        """

    def start(self) -> RefereedPosition:
        """Return the position before the verdict."""
        return RefereedPosition(self, None)

    def parse(self, text: str) -> RefereedPosition:
        """Return the position that has this verdict. ``start`` is before it."""
        if text == _START:
            return self.start()
        if text not in _VERDICTS:
            raise PositionError(f"{quoted(text)} is neither {_START} nor {', '.join(_TEXTS)}")
        return RefereedPosition(self, _VERDICTS[text])

    def format_move(self, move: int) -> str:
        """Return the verdict."""
        return _TEXTS[move]

    def parse_move(self, text: str) -> int:
        """Return the place of the verdict."""
        if text not in _VERDICTS:
            raise MoveError(f"{quoted(text)} is not a verdict: {', '.join(_TEXTS)}")
        return _TEXTS.index(text)


def payoffs_by(scores: tuple[float, float]) -> tuple[Fraction, ...]:
    """Return scores as payoffs, as exactly as they are written.

    >>> payoffs_by((3, 0.1))
    (Fraction(3, 1), Fraction(1, 10))
    """
    return tuple(Fraction(str(score)) for score in scores)


def move_to(outcome: Outcome) -> int:
    """Return the move that is this verdict."""
    return _OUTCOMES.index(outcome)


class _Fields(NamedTuple):
    game: Game
    ended: Outcome | None


class RefereedPosition(_Fields, Position):
    """A game before the verdict, or after it: ``game``, and how it ``ended``."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """1 after the verdict."""
        return int(self.ended is not None)

    def legal_moves(self) -> tuple[int, ...]:
        """Return every verdict before there is one."""
        return () if self.ended else tuple(range(len(_OUTCOMES)))

    def play(self, move: int) -> Self:
        """Return the position after the verdict."""
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} is not a verdict")
        return type(self)(self.game, _OUTCOMES[move])

    def outcome(self) -> Outcome | None:
        """Return the verdict."""
        return self.ended

    def picture(self) -> str:
        """Return the verdict, as there is no board."""
        return str(self)

    def __str__(self) -> str:
        return _START if self.ended is None else _TEXTS[move_to(self.ended)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RefereedPosition):
            return NotImplemented
        return (self.game.name, self.ended) == (other.game.name, other.ended)

    def __hash__(self) -> int:
        return hash((self.game.name, self.ended))
