"""Hold trained players, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.commands import command_line, with_plugins

#: Name of the learner as its own opponent.
SELF = "self"

#: Name of the learner.
LEARNER = "lms"


@dataclass(frozen=True)
class Course:
    """The settings of a training: all that the result depends on."""

    KEYS = "command features against start rate games seed at_once=lockstep?"

    #: Features as the user named them: sets of them or single ones.
    features: tuple[str, ...]
    #: The opponent's name, or ``self``.
    against: str
    #: Start of games: ``empty`` or ``random``.
    start: str
    #: The learning rate, eta in the rule.
    rate: float
    games: int
    seed: int
    #: Games that are played by the same weights, in lockstep; 1 for one game after the other.
    at_once: int = 1
    #: The plugins in files that its command needs.
    plugins: tuple[str, ...] = ()

    @property
    def lockstep(self) -> int | None:
        """Games that were played by the same weights, or None for one game after the other."""
        return self.at_once if self.at_once > 1 else None

    @property
    def command(self) -> str:
        """The command that repeats this training."""
        words = ["--features", ",".join(self.features), "--against", self.against]
        words += ["--start", self.start, "--rate", str(self.rate)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        words += ["--at-once", str(self.at_once)] if self.at_once > 1 else []
        return with_plugins(command_line("train", LEARNER, options=words), self.plugins)


@dataclass(frozen=True)
class CurvePoint(Record):
    """The strength after a number of games."""

    games: int
    #: Exact score against every opponent, over both starting orders.
    scores: Mapping[str, Fraction]


@dataclass(frozen=True)
class Training(Record):
    """A trained player."""

    SCHEMA = "arena.train/1"
    KEYS = "learner game game_version *course first second curve?"

    #: ``lms``.
    learner: ClassVar[str] = LEARNER

    course: Course
    game: str
    game_version: int
    #: Weight of every feature, ``constant`` first, moving first and moving second.
    first: Mapping[str, float]
    second: Mapping[str, float]
    #: By ascending games; empty without a request.
    curve: tuple[CurvePoint, ...] = ()
