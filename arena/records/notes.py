"""Hold what is noted of a game besides its moves and its result.

A fact of this kind is declared here: as a run has it, and as JSON shows it to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any, Literal

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.completions import (
    Completions,
    MoveCompletion,
    completions_from,
    move_completions,
)
from arena.records.prints import Printed, PrintedText, printed_texts
from arena.records.refereed import Refereed
from arena.records.thoughts import MoveThought, Thoughts, move_thoughts, thoughts_by_ply


@dataclass(frozen=True)
class GameNotes(Record):
    """What players, engines, models and referees added to a game. Most games have none of it."""

    KEYS = "printed? referee? adjudicated? thoughts? completions?"

    #: The prints of the players, by move.
    printed: tuple[Printed, ...] = field(default=(), kw_only=True)
    #: The referee's words on a game that it played; None for another game.
    referee: Refereed | None = field(default=None, kw_only=True)
    #: ``resign`` or ``draw`` if the scores of engines ended the game.
    adjudicated: str = field(default="", kw_only=True)
    #: The thoughts of engines on their moves.
    thoughts: Thoughts = field(default=(), kw_only=True)
    #: What language models were asked for their moves, and what they answered.
    completions: Completions = field(default=(), kw_only=True)


#: The notes on most games.
NO_NOTES = GameNotes()

_NAMES = tuple(each.name for each in fields(GameNotes))


def by_name(noted: GameNotes | WrittenNotes) -> dict[str, Any]:
    """Return the notes alone by the names of their fields, for a record that has them too."""
    return {name: getattr(noted, name) for name in _NAMES}


def notes_of(noted: GameNotes) -> GameNotes:
    """Return the notes alone of a record that has more fields."""
    return GameNotes(**by_name(noted))


@dataclass(frozen=True)
class WrittenNotes(Record):
    """Notes on a game as JSON has them: by the names of players, and by moves from 1."""

    KEYS = GameNotes.KEYS

    #: The prints of the players, by move.
    printed: tuple[PrintedText, ...] = field(default=(), kw_only=True)
    #: The referee's words on a game that it played.
    referee: Refereed | None = field(default=None, kw_only=True)
    #: ``resign`` or ``draw``, if the engines' scores ended the game.
    adjudicated: Literal["", "resign", "draw"] = field(default="", kw_only=True)
    #: The thoughts of engines on their moves.
    thoughts: tuple[MoveThought, ...] = field(default=(), kw_only=True)
    #: The requests to language models for their moves, and the answers.
    completions: tuple[MoveCompletion, ...] = field(default=(), kw_only=True)

    def read(self, players: Sequence[str]) -> GameNotes:
        """Return the notes as a run has them. Raises UsageError if they name another player."""
        return GameNotes(
            printed=tuple(each.printed(players) for each in self.printed),
            referee=self.referee,
            adjudicated=self.adjudicated,
            thoughts=thoughts_by_ply(self.thoughts),
            completions=completions_from(players, self.completions),
        )


def written_notes(notes: GameNotes, players: Sequence[str]) -> WrittenNotes:
    """Return the notes on a game of these players, in the order of seats, as JSON has them."""
    return WrittenNotes(
        printed=printed_texts(players, notes.printed),
        referee=notes.referee,
        adjudicated=notes.adjudicated,  # type: ignore[arg-type]  # a run writes no other word
        thoughts=move_thoughts(notes.thoughts),
        completions=move_completions(players, notes.completions),
    )
