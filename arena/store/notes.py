"""Read and write what a store keeps of a game besides its result."""

from __future__ import annotations

import json
from fractions import Fraction

from arena.clock import LAST_SECOND
from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.game import as_seat
from arena.match.record import UNMEASURED, Forfeit, GameRecord, MoveTimes
from arena.model.codec import decode
from arena.records.adjudication import BY_SCORES
from arena.records.base import Json, Record
from arena.records.completions import Completions, require_completions
from arena.records.prints import Printed
from arena.records.refereed import Refereed
from arena.records.thoughts import Thoughts, require_thoughts
from arena.seats import MAX_SEATS


@dataclass(frozen=True)
class SeatForfeit(Record):
    """The forfeit of one seat of more than two."""

    seat: int
    #: The number of moves before it.
    ply: int
    reason: str
    message: str
    where: str = ""
    remedy: str = ""

    @property
    def forfeit(self) -> Forfeit:
        """The forfeit as the record of the game has it."""
        words = self.reason, self.message, self.where, self.remedy
        return Forfeit(as_seat(self.seat), *words, self.ply)


@dataclass(frozen=True)
class GameNote(Record):
    """The facts about a game besides its result, each only if there is one.

    Raises UsageError if they make no sense.
    """

    KEYS = (
        "where? remedy? printed? move_seconds=measured? referee? adjudicated? thoughts? luck?"
        " forfeits? completions? ended?"
    )

    #: The innermost frame of the code of a player that forfeited, and what to do about it.
    where: str = ""
    remedy: str = ""
    #: The prints of the players, by move.
    printed: tuple[Printed, ...] = ()
    #: Seconds of the moves of the sides that have a clock.
    move_seconds: MoveTimes = UNMEASURED
    #: The referee's words on a game that it played.
    referee: Refereed | None = None
    #: ``resign`` or ``draw`` if the scores of engines ended the game.
    adjudicated: str = ""
    #: The thoughts of engines on their moves.
    thoughts: Thoughts = ()
    #: What luck brought the first seat.
    luck: Fraction | None = None
    #: All forfeits of a game for more than two.
    forfeits: tuple[SeatForfeit, ...] = ()
    #: What language models were asked for their moves.
    completions: Completions = ()
    #: The seconds since 1970 at the end of a game in which the seconds of moves are measured.
    ended: float | None = None

    def __post_init__(self) -> None:
        if any(each.side not in range(MAX_SEATS) for each in self.printed):
            raise UsageError("a print is of neither side")
        if self.adjudicated not in ("", *BY_SCORES):
            raise UsageError(f"{quoted(self.adjudicated)} is not an adjudication")
        if any(
            seconds is not None and seconds < 0 for side in self.move_seconds for seconds in side
        ):
            raise UsageError("a move took negative seconds")
        if self.ended is not None and not 0 <= self.ended < LAST_SECOND:
            raise UsageError("a game ended at no time")
        require_thoughts(self.thoughts)
        require_completions(self.completions)

    @property
    def measured(self) -> MoveTimes | None:
        """The seconds of the moves, or None if no side has a clock."""
        return self.move_seconds if any(self.move_seconds) else None


def note_of(record: GameRecord) -> Json:
    """Return the note to keep of a game, or empty for most games."""
    forfeit = record.forfeit
    note = GameNote(
        where="" if forfeit is None else forfeit.where,
        remedy="" if forfeit is None else forfeit.remedy,
        printed=record.printed,
        move_seconds=record.move_times,
        referee=record.referee,
        adjudicated=record.adjudicated,
        thoughts=record.thoughts,
        luck=record.luck,
        forfeits=tuple(
            SeatForfeit(int(each.side), each.ply, *each[1:5])
            for each in record.forfeits
            if each.ply is not None
        ),
        completions=record.completions,
        ended=record.ended,
    )
    return note.as_json()


def read_note(text: str | None) -> GameNote:
    """Return a note. Raises ValueError for one that arena did not write."""
    if text is None:
        return GameNote()
    try:
        return decode(GameNote, json.loads(text))
    except UsageError as error:
        raise ValueError(f"the note of a game: {error}") from error


def noted(record: GameRecord, text: str | None) -> GameRecord:
    """Return the record of a game with its note. Raises ValueError as :func:`read_note` does."""
    if text is None:
        return record
    note, forfeit = read_note(text), record.forfeit
    later: tuple[Forfeit, ...] = ()
    if note.forfeits:
        forfeit, *others = (each.forfeit for each in note.forfeits)
        later = tuple(others)
    elif forfeit is not None:
        forfeit = forfeit._replace(where=note.where, remedy=note.remedy)
    return record._replace(
        forfeit=forfeit,
        printed=note.printed,
        move_times=note.move_seconds,
        referee=note.referee,
        thoughts=note.thoughts,
        adjudicated=note.adjudicated,
        luck=note.luck,
        later=later,
        completions=note.completions,
        ended=note.ended,
    )
