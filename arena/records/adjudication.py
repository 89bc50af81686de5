"""Hold the rules that end games early: ``--adjudicate``, ``--resign`` and ``--draw``."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from arena.dataclass import dataclass
from arena.errors import UnknownName, UsageError, quoted
from arena.model.defaults import ADJUDICATE
from arena.records.base import Json

#: The ends of a game by the scores that engines gave it.
BY_SCORES = ("resign", "draw")

#: The largest score, in centipawns, and number of moves that an option takes.
MAX_SCORE, MAX_SCORED_MOVES = 100_000, 1000

#: The forms of the options, for messages.
RESIGN_FORM = (
    f"SCORE:MOVES such as 600:3, in centipawns from 1 to {MAX_SCORE} and moves from 1 to"
    f" {MAX_SCORED_MOVES}"
)
DRAW_FORM = (
    f"SCORE:MOVES:FROM such as 10:8:40, in centipawns from 0 to {MAX_SCORE} and moves from 1 to"
    f" {MAX_SCORED_MOVES}"
)


class ResignRule(NamedTuple):
    """A side loses whose scores of its last moves say so: ``600:3``."""

    #: Centipawns that it is behind by.
    score: int
    #: Moves of its own, in a row.
    moves: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the rule that a text means. Raises UsageError for anything else.

        >>> ResignRule.read("600:3")
        ResignRule(score=600, moves=3)
        """
        score, moves = _numbers(text, 2, "resign", RESIGN_FORM)
        if not score:
            raise UsageError(f"resign must be {RESIGN_FORM}, not {quoted(text)}")
        return cls(score, moves)

    def __str__(self) -> str:
        """Return the text that is read as the same rule."""
        return ":".join(map(str, self))


class DrawRule(NamedTuple):
    """A game is drawn in which the scores of both sides' last moves are level: ``10:8:40``."""

    #: Centipawns that either side may be ahead by.
    score: int
    #: Moves of each side, in a row.
    moves: int
    #: Moves of each side before which no game is drawn.
    begin: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the rule that a text means. Raises UsageError for anything else.

        >>> DrawRule.read("10:8:40")
        DrawRule(score=10, moves=8, begin=40)
        """
        return cls(*_numbers(text, 3, "draw", DRAW_FORM))

    def __str__(self) -> str:
        """Return the text that is read as the same rule."""
        return ":".join(map(str, self))


def _numbers(text: object, count: int, option: str, form: str) -> list[int]:
    """Return the score and the numbers of moves in a text."""
    digits = ":".join([r"[0-9]{1,6}", *[r"[0-9]{1,4}"] * (count - 1)])
    if isinstance(text, str) and re.fullmatch(digits, text):
        numbers = list(map(int, text.split(":")))
        if numbers[0] <= MAX_SCORE and all(1 <= moves <= MAX_SCORED_MOVES for moves in numbers[1:]):
            return numbers
    raise UsageError(f"{option} must be {form}, not {quoted(str(text))}")


@dataclass(frozen=True)
class Adjudication:
    """Everything that ends games before their rules do."""

    KEYS = "adjudicate resign=resign_text? draw=draw_text?"

    #: Whether games end when they can only end as a draw.
    draws: bool = False
    resign: ResignRule | None = None
    draw: DrawRule | None = None

    @classmethod
    def read(cls, adjudicate: str, resign: str | None, draw: str | None) -> Self:
        """Return what three options mean. Raises UsageError if one has another form."""
        if adjudicate not in ADJUDICATE:
            raise UnknownName("adjudication", adjudicate, ADJUDICATE)
        return cls(
            adjudicate == "draws",
            None if resign is None else ResignRule.read(resign),
            None if draw is None else DrawRule.read(draw),
        )

    @classmethod
    def from_json(cls, fields: Json) -> Self:
        """Return what the keys of a fight's JSON mean. Raises UsageError for another form."""
        options = (fields.get(name) for name in ("resign", "draw"))
        return cls.read(str(fields.get("adjudicate")), *options)

    def __bool__(self) -> bool:
        """Return whether anything ends games early."""
        return self.draws or self.resign is not None or self.draw is not None

    @property
    def adjudicate(self) -> str:
        """``draws`` if games end when they can only end as a draw, else ``none``."""
        return ADJUDICATE[self.draws]

    @property
    def resign_text(self) -> str:
        """The rule of ``--resign``, or empty without one."""
        return "" if self.resign is None else str(self.resign)

    @property
    def draw_text(self) -> str:
        """The rule of ``--draw``, or empty without one."""
        return "" if self.draw is None else str(self.draw)

    @property
    def rules(self) -> Json:
        """The rules about scores, by their options."""
        rules = {"resign": self.resign_text, "draw": self.draw_text}
        return {name: rule for name, rule in rules.items() if rule}

    @property
    def options(self) -> Json:
        """The options that are not usual, as :meth:`read` takes them."""
        return ({"adjudicate": self.adjudicate} if self.draws else {}) | self.rules


#: Games end by their rules alone.
NO_ADJUDICATION = Adjudication()
