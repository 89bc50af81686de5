"""Hold how players did in an exam, as frozen records."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.spending import Spending


@dataclass(frozen=True)
class Answer(Record):
    """An answer to a question, and what it cost."""

    KEYS = "observation move chance? better regret right fault?"

    #: What the player was asked with, as text.
    observation: str
    #: The answer in the game's notation, None for a fault. Of several moves that a player may make,
    #: that which costs most on average.
    move: str | None
    #: The first of the best moves.
    better: str
    #: How much less the answer is worth than the best move, in the game's unit. Of several moves
    #: the mean.
    regret: Fraction
    #: How probable it is that it is a best move.
    right: Fraction
    #: The probability of the move; None if the player was asked once.
    chance: Fraction | None = None
    #: The reason if the player did not answer with a legal move; empty if it did.
    fault: str = ""
    #: The picture of the question, as text and as SVG. Not in JSON.
    picture: str = field(default="", repr=False)
    svg: str = field(default="", repr=False)


@dataclass(frozen=True)
class Exam(Record):
    """The mean regret of a player in an exam."""

    SCHEMA = "arena.exam/1"
    KEYS = (
        "player game game_version unit seed questions distinct is_whole regret low high exact?"
        " right faults worst spent?"
    )

    player: str
    game: str
    game_version: int
    #: The unit of regret.
    unit: str
    seed: int
    #: The number of drawn questions, and how many of them are different.
    questions: int
    distinct: int
    #: Whether these are all questions of the game, each with its weight.
    is_whole: bool
    #: The mean regret per question, and its 95 % interval over what other questions could have been
    #: drawn.
    regret: float
    low: float
    high: float
    #: The mean regret as a fraction.
    exact: Fraction
    #: The share of questions that it answered with a best move.
    right: float
    #: The number of different questions that it did not answer with a legal move.
    faults: int
    #: The answers that cost most, the dearest first.
    worst: tuple[Answer, ...]
    #: The requests of a language model, and what they cost; None for another player.
    spent: Spending | None = None


@dataclass(frozen=True)
class Difference(Record):
    """How much less a player regrets than another one in the same exam."""

    player: str
    other: str
    #: Its mean regret less than the other's per question, and the 95 % interval of that.
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Exams(Record):
    """How several players did in the same exam."""

    SCHEMA = "arena.exams/1"
    KEYS = "exams differences"

    #: The player with the least regret comes first.
    exams: tuple[Exam, ...]
    #: Each player compared with each one below it.
    differences: tuple[Difference, ...]
