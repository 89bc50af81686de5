"""Hold the findings of a conformance check: a certificate with one finding per check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from arena.dataclass import dataclass
from arena.errors import counted
from arena.records.base import Record


class Level(StrEnum):
    """The meaning of a finding."""

    PASS = "pass"  # noqa: S105 (no password)
    #: A fact that is neither good nor bad.
    INFO = "info"
    #: A weakness that breaks no promise.
    WARNING = "warning"
    #: A broken promise of the contract.
    FAIL = "fail"
    #: Not checked, for a reason.
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Finding(Record):
    """The finding of one check."""

    KEYS = "check level message reproduction fault position moves remedy"

    check: str
    level: Level
    #: One line.
    message: str
    #: A command or a line of Python that shows it; empty where there is nothing to show.
    reproduction: str = ""
    #: The way in which the player broke its contract, as the reason of a forfeit has it:
    #: ``illegal``, ``exception``, ``timeout``, ``crash``, ``memory``, …; empty for other findings.
    fault: str = ""
    #: The position in the game's notation, or else the moves of the game that led there; empty
    #: where the finding is about neither.
    position: str = ""
    moves: str = ""
    #: What the author can do about it, in a sentence or two; empty if nothing is wrong.
    remedy: str = ""
    #: Answers that were looked at, where the message does not tell their number. Not in JSON.
    answers: int = field(default=0, compare=False)

    def __str__(self) -> str:
        hint = f"\n  see it with: {self.reproduction}" if self.reproduction else ""
        return f"{self.check}: {self.message}{hint}"


@dataclass(frozen=True)
class CheckReport(Record):
    """The findings about a player at a game, or about a game."""

    SCHEMA = "arena.check/1"
    KEYS = "player game game_version seed extent conforms findings"

    #: None if the check was of the game itself.
    player: str | None
    game: str
    game_version: int
    seed: int
    #: The questions, in words: ``all 4520 positions, 10 games``.
    extent: str
    findings: tuple[Finding, ...]

    def at(self, level: Level) -> list[Finding]:
        """Return the findings of that level."""
        return [finding for finding in self.findings if finding.level == level]

    @property
    def conforms(self) -> bool:
        """Whether every check that must pass does."""
        return not self.at(Level.FAIL)

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        what = self.game if self.player is None else f"{self.player} at {self.game}"
        failures, warnings = len(self.at(Level.FAIL)), len(self.at(Level.WARNING))
        verdict = "conforms" if self.conforms else "does not conform"
        return f"{what} {verdict}: {_count(failures, 'failure')}, {_count(warnings, 'warning')}"


@dataclass(frozen=True)
class Leak(Record):
    """A difference between two histories that a seat must not see, or must not forget."""

    seat: int
    problem: str
    #: The moves of a history, chance moves among them, in the game's notation, and those of another
    #: if it takes two to show it.
    history: tuple[str, ...]
    other: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Secrecy(Record):
    """The findings about what the seats of a game see, and how much of the game was followed."""

    leaks: tuple[Leak, ...]
    histories: int
    is_complete: bool


@dataclass(frozen=True)
class Answers(Record):
    """The answers of a player that was asked the same again, each time in a process of its own."""

    SCHEMA = "arena.answers/1"
    KEYS = "game player position seed moves faults noticed"

    game: str
    player: str
    position: str
    picture: str
    seed: int
    #: Number of times that it made each move, in the game's notation.
    moves: Mapping[str, int]
    #: Number of times that it failed in each way.
    faults: Mapping[str, int]
    #: Sightings of what it does beside its moves.
    noticed: tuple[str, ...]

    @property
    def times(self) -> int:
        """Number of times that it was asked."""
        return sum(self.moves.values()) + sum(self.faults.values())

    @property
    def is_one(self) -> bool:
        """Whether it answered the same every time."""
        return len(self.moves) + len(self.faults) == 1


def _count(number: int, noun: str) -> str:
    return counted(number, noun) if number else f"no {noun}s"
