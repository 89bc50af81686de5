"""Pig: roll a die as often as you like, and hold to keep the sum. A one loses the sum.

The side that has enough points when it holds wins. The rules are those of Neller and Presser,
"Optimal play of the dice game Pig" (2004). The text of a position has the points of both sides, the
sum of the turn, who is to move, ``?`` while the die rolls, and the moves so far: ``20-34+5o@41``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, numeral, quoted
from arena.game import CHANCE, Outcome, Position, Side
from arena.games.sealed import SealedGame
from arena.games.words import evenly

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

HOLD, ROLL = 0, 1

#: The words of the moves: hold and roll, and the faces of the die, which chance moves.
_WORDS = ("hold", "roll", "1", "2", "3", "4", "5", "6")
FACES = range(2, 8)

#: The points that win the usual game, and the most that a game may ask for.
USUAL_GOAL = 100
MAX_GOAL = 1000

#: A game of so many moves, those of chance among them, is a draw.
MAX_PLIES = 10_000

_TEXT = re.compile(r"(\d{1,4})-(\d{1,4})\+(\d{1,4})([xo])(\??)@(\d{1,5})", re.ASCII)


class _PigFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Pig
    points: tuple[int, int] = (0, 0)
    #: The sum of the turn, whose turn it is, and whether the die rolls.
    sum: int = 0
    side: int = 0
    rolls: bool = False
    ply: int = 0


class PigPosition(_PigFields, Position):
    """The points of both sides, and those of the turn."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """The side whose turn it is, or chance while the die rolls."""
        return CHANCE if self.rolls and self.outcome() is None else Side(self.side)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the faces of the die."""
        return evenly(tuple(FACES))

    def legal_moves(self) -> tuple[int, ...]:
        """Return hold and roll, or the faces of the die."""
        if self.outcome() is not None:
            return ()
        return tuple(FACES) if self.rolls else (HOLD, ROLL)

    def play(self, move: int) -> Self:
        """Return the position after the side holds or rolls, or the die shows a face."""
        if move not in self.legal_moves():
            raise IllegalMove(f"move {quoted(numeral(move))} is not legal in {str(self)!r}")
        after = self._replace(ply=self.ply + 1, rolls=move == ROLL)
        if move == ROLL:
            return after
        face = 0 if move == HOLD else move - FACES[0] + 1
        if face > 1:
            return after._replace(sum=self.sum + face)
        first, second = self.points
        won = self.sum if move == HOLD else 0
        points = (first + won, second) if self.side == 0 else (first, second + won)
        return after._replace(points=points, sum=0, side=1 - self.side)

    def outcome(self) -> Outcome | None:
        """Return the side that has the points, or a draw of a game that is too long."""
        for points, outcome in zip(self.points, _WINS, strict=True):
            if points >= self.game.goal:
                return outcome
        return Outcome.DRAW if self.ply >= MAX_PLIES else None

    def estimate(self) -> int:
        """Return the lead of the first side in hundredths of a point, after a turn by the rule.

        A side that begins a turn leads by half of what it brings.
        """
        first, second = self.points
        rolled = [_turn(self.sum + face) for face in range(2, 7)]
        turn = sum(rolled, Fraction(0)) / 6 if self.rolls else _turn(self.sum)
        ahead = turn - _turn(0) / 2
        return round(100 * (first - second + (-ahead if self.side else ahead)))

    def picture(self) -> str:
        """Write the points of both sides, and the sum of the turn."""
        marks = [f"  + {self.sum}" if side == self.side else "" for side in Side]
        rows = zip(Side, self.points, marks, strict=True)
        return "\n".join(f"{side.letter} {points:>4}{mark}" for side, points, mark in rows)

    def tabletop(self) -> Tabletop:
        """Return the points of both sides, the sum of the turn, and the die while it rolls."""
        from arena.pictures.tabletop import Tabletop, die, words

        rows = [("first", [words(str(self.points[0]))]), ("second", [words(str(self.points[1]))])]
        turn = [words(f"{('first', 'second')[self.side]}: {self.sum}")]
        return Tabletop([*rows, ("turn", [die(None), *turn] if self.rolls else turn)])

    def __str__(self) -> str:
        first, second = self.points
        turn = f"{Side(self.side).letter}{'?' * self.rolls}"
        return f"{first}-{second}+{self.sum}{turn}@{self.ply}"


#: The sum of a turn at which one more roll is expected to add nothing: the rule is to hold there.
_HOLD_AT = 20


@cache
def _turn(total: int) -> Fraction:
    """Return the points that a turn with this sum brings on average by the rule."""
    if total >= _HOLD_AT:
        return Fraction(total)
    return sum((_turn(total + face) for face in range(2, 7)), Fraction(0)) / 6


_WINS = (Outcome.FIRST_WINS, Outcome.SECOND_WINS)


class Pig(SealedGame):
    """The rules of pig with a goal. Get a game from :func:`pig_game`."""

    max_plies = MAX_PLIES

    def __init__(self, goal: int) -> None:
        self.name = "pig" if goal == USUAL_GOAL else f"pig-{goal}"
        self.goal = goal
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            "Pig. Two players take turns with a die of six sides. In a turn a player may roll as"
            " often as it likes. Each roll of 2 to 6 adds to the sum of the turn. A 1 loses the sum"
            " and ends the turn. A player that holds adds the sum to its points and ends the turn."
            f" It wins if it has {self.goal} points or more then. A game that comes to"
            f" {self.max_plies:,} moves and rolls is a draw. A move is roll or hold. A position"
            " such as 20-34+5o@41 has the points of both players, the sum of the turn, whose turn"
            " it is (x is the first player, o the second), and how many moves and rolls there were."
        )

    def start(self) -> PigPosition:
        """Return the position without points."""
        return PigPosition(self)

    def parse(self, text: str) -> PigPosition:
        """Read a position such as ``20-34+5o@41``."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise PositionError(f"position {quoted(text)} is not like {str(self.start())!r}")
        first, second, total, ply = (int(match[group]) for group in (1, 2, 3, 6))
        side = "xo".index(match[4])
        position = PigPosition(self, (first, second), total, side, bool(match[5]), ply)
        if str(position) != text or not self._is_possible(position):
            raise PositionError(f"position {quoted(text)} cannot come about in {self.name}")
        return position

    def _is_possible(self, position: PigPosition) -> bool:
        """Return whether a game may come to this, as far as its numbers can tell."""
        first, second = position.points
        most = max(first, second)
        is_won = most >= self.goal
        in_bounds = most < self.goal + MAX_TURN and min(first, second) < self.goal
        winner_moved = not is_won or (
            position.sum == 0 and not position.rolls and position.points[position.side] < most
        )
        return in_bounds and winner_moved and position.sum < MAX_TURN and position.ply <= MAX_PLIES

    def format_move(self, move: int) -> str:
        """Return the word of the move."""
        return _WORDS[move]

    def parse_move(self, text: str) -> int:
        """Return the move of a word."""
        if text not in _WORDS:
            raise MoveError(f"move {quoted(text)} is none of {', '.join(_WORDS)}")
        return _WORDS.index(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return pig_game, (self.goal,)


#: The sum of a turn is below this.
MAX_TURN = 6 * MAX_PLIES


def pig_game(goal: int = USUAL_GOAL) -> Pig:
    """Return pig to this many points.

    >>> position = pig_game().start().play(ROLL)
    >>> print(position, position.play(FACES[5]), position.play(FACES[0]))
    0-0+0x?@1 0-0+6x@2 0-0+0o@2
    """
    if not 1 <= goal <= MAX_GOAL:
        raise UsageError(f"a goal of {goal} points: must be 1 to {MAX_GOAL}")
    return _pig_game(goal)


@cache
def _pig_game(goal: int) -> Pig:
    return Pig(goal)
