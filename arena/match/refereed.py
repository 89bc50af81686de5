"""Define games that a referee plays as a whole: it starts the players itself.

Arena gives a referee the players and a seed, and gets scores or forfeits. It sees no move, so it
can neither prove anything about such a game nor replay it by rules. To arena a game for two has one
move, which is the referee's verdict: ``1-0``, ``1/2-1/2`` or ``0-1``. One for more has a move of
each seat, which is its place. So results, stores and tables need not know of referees.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import inf, isfinite
from typing import ClassVar, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, quoted, repr_of
from arena.game import WIN_FOR, Game, Outcome, Payoffs, Position, Side
from arena.match.ranked import BEFORE_VERDICT, RankedPosition, ranked, shares_beaten
from arena.player import PlayerInfo

#: The verdicts in chess notation; a move is the place of one.
_VERDICTS = {
    "1-0": Outcome.FIRST_WINS,
    "1/2-1/2": Outcome.DRAW,
    "0-1": Outcome.SECOND_WINS,
}
_TEXTS = tuple(_VERDICTS)
_OUTCOMES = tuple(_VERDICTS.values())


class Verdict(NamedTuple):
    """A referee's answer to one game: the scores of all seats, and the seats that forfeit."""

    #: The higher one wins. Equal ones are a draw. They are None if a side of two forfeits.
    scores: tuple[float, ...] | None = None
    #: The side, or the first seat, that forfeits, and why.
    forfeits: Side | None = None
    reason: str = ""
    #: The other seats of more than two that forfeit, in their order, each with the reason.
    later: tuple[tuple[Side, str], ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The end of a game for two."""
        if self.forfeits is not None:
            return WIN_FOR[1 - self.forfeits]
        first, second = self.scores or (0, 0)
        if first == second:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if first > second else Outcome.SECOND_WINS

    @property
    def out(self) -> tuple[tuple[Side, str], ...]:
        """All seats that forfeit, each with the reason."""
        return () if self.forfeits is None else ((self.forfeits, self.reason), *self.later)

    @property
    def seats_out(self) -> list[Side]:
        """All seats that forfeit."""
        return [seat for seat, _ in self.out]


def misfit_of_verdict(verdict: object, seats: int) -> str:
    """Return why an answer of a referee is not a verdict. The result is empty if it is one."""
    if type(verdict) is not Verdict:
        return f"returned {repr_of(verdict)}, not a Verdict"
    if not _are_forfeits(verdict, seats):
        return f"returned {repr_of(verdict)}, whose forfeits are not different seats with reasons"
    scores = verdict.scores
    if seats == 2 and verdict.forfeits is not None:
        return ""
    is_whole = type(scores) is tuple and len(scores) == seats
    if not is_whole or not all(type(s) in (int, float) and isfinite(s) for s in scores or ()):
        number = "two" if seats == 2 else seats
        return f"returned {repr_of(verdict)}, whose scores are not {number} finite numbers"
    return ""


def _are_forfeits(verdict: Verdict, seats: int) -> bool:
    """Return whether the forfeits of a verdict are of seats, each one at most."""
    _, forfeits, reason, later = verdict
    if type(later) is not tuple or (later and (seats == 2 or forfeits is None)):
        return False
    if forfeits is None:
        return True
    if not all(type(each) is tuple and len(each) == 2 for each in later):
        return False
    out = [(forfeits, reason), *later]
    named = [seat for seat, _ in out if isinstance(seat, int) and 0 <= seat < seats]
    return len({*named}) == len(out) and all(type(words) is str for _, words in out)


def pays_by_place(seats: int) -> Payoffs:
    """Return the payoffs of a game in which only the order of the scores counts."""
    return Payoffs(0, 1, "points", Fraction(seats, 2))


class RefereedGame(Game):
    """A game of which arena knows the referee's verdict alone.

    The scores of a game that says nothing of ``payoffs`` are an order: a player gets the share of
    the others that it beats, an equal one for half. With ``payoffs`` they are what it pays.
    """

    kinds = ("refereed",)
    is_refereed: ClassVar[bool] = True
    features = ("a referee",)

    def __init__(self, name: str, seats: int = 2, payoffs: Payoffs | None = None) -> None:
        self.name, self.seats = name, seats
        self.max_plies = 1 if seats == 2 else seats
        #: Whether the order of the scores counts alone.
        self.pays_places = payoffs is None and self.payoffs == Payoffs()
        self.payoffs = pays_by_place(seats) if self.pays_places else payoffs or self.payoffs

    @abstractmethod
    def referee(self, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
        """Play one game of these players, in the order of their seats, and return the verdict.

        The players are programs: ``player.command`` starts one. The same ``seed``, from 0 to
        2**31 - 1, should give the same game. Raises GameFault if the referee itself fails.
        """

    def paid(self, scores: Sequence[float], out: Sequence[int] = ()) -> tuple[Fraction, ...]:
        """Return what these scores pay, as exactly as they are written, if these seats forfeit.

        A seat that forfeits is behind all others and gets the least.
        """
        if self.pays_places:
            paid = shares_beaten(_behind(scores, out))
        else:
            paid = tuple(Fraction(str(score)) for score in scores)
        least = Fraction(self.payoffs.least)
        return tuple(least if seat in out else each for seat, each in enumerate(paid))

    def start(self) -> RefereedPosition | RankedPosition:
        """Return the position before the verdict."""
        return RefereedPosition(self, None) if self.seats == 2 else RankedPosition(self, ())

    def parse(self, text: str) -> RefereedPosition | RankedPosition:
        """Return the position that has this verdict. ``start`` is before it."""
        if text == BEFORE_VERDICT:
            return self.start()
        if self.seats > 2:
            return ranked(self, text)
        if text not in _VERDICTS:
            raise PositionError(
                f"{quoted(text)} is neither {BEFORE_VERDICT} nor {', '.join(_TEXTS)}"
            )
        return RefereedPosition(self, _VERDICTS[text])

    def format_move(self, move: int) -> str:
        """Return the verdict, or the place of a seat."""
        return _TEXTS[move] if self.seats == 2 else str(move + 1)

    def parse_move(self, text: str) -> int:
        """Return the place of the verdict, or of a seat less one."""
        if self.seats == 2:
            if text not in _VERDICTS:
                raise MoveError(f"{quoted(text)} is not a verdict: {', '.join(_TEXTS)}")
            return _TEXTS.index(text)
        places = list(map(str, range(1, self.seats + 1)))
        if text not in places:
            raise MoveError(f"{quoted(text)} is not a place: 1 to {self.seats}")
        return places.index(text)


def moves_to(verdict: Verdict, seats: int) -> tuple[int, ...]:
    """Return the moves that are this verdict. A seat that forfeits is behind all others."""
    if seats == 2:
        return (_OUTCOMES.index(verdict.outcome),)
    scores = _behind(verdict.scores or (), verdict.seats_out)
    return tuple(sum(other > score for other in scores) for score in scores)


def _behind(scores: Sequence[float], out: Sequence[int]) -> list[float]:
    """Return scores in which these seats are behind all others."""
    return [-inf if seat in out else score for seat, score in enumerate(scores)]


class _RefereedFields(NamedTuple):
    game: Game
    ended: Outcome | None


class RefereedPosition(_RefereedFields, Position):
    """A game for two before the verdict, or after it: ``game``, and how it ``ended``."""

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
        return BEFORE_VERDICT if self.ended is None else _TEXTS[_OUTCOMES.index(self.ended)]
