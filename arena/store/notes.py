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
from arena.records.base import Json
from arena.records.completions import require_completions
from arena.records.exports import SeatForfeit
from arena.records.notes import GameNotes, by_name, notes_of
from arena.records.thoughts import require_thoughts
from arena.seats import MAX_SEATS


@dataclass(frozen=True)
class StoredNotes(GameNotes):
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
    #: Seconds of the moves of the sides that have a clock.
    move_seconds: MoveTimes = UNMEASURED
    #: What luck brought the first seat.
    luck: Fraction | None = None
    #: All forfeits of a game for more than two.
    forfeits: tuple[SeatForfeit, ...] = ()
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
    note = StoredNotes(
        where="" if forfeit is None else forfeit.where,
        remedy="" if forfeit is None else forfeit.remedy,
        move_seconds=record.move_times,
        luck=record.luck,
        forfeits=tuple(
            SeatForfeit(int(each.side), each.ply, *each[1:5])
            for each in record.forfeits
            if each.ply is not None
        ),
        ended=record.ended,
        **by_name(record.notes),
    )
    return note.as_json()


def read_note(text: str | None) -> StoredNotes:
    """Return a note. Raises ValueError for one that arena did not write."""
    if text is None:
        return StoredNotes()
    try:
        return decode(StoredNotes, json.loads(text))
    except UsageError as error:
        raise ValueError(f"the note of a game: {error}") from error


def seat_forfeit(stored: SeatForfeit) -> Forfeit:
    """Return the forfeit of one seat of more than two as the record of the game has it."""
    words = stored.reason, stored.message, stored.where, stored.remedy
    return Forfeit(as_seat(stored.seat), *words, stored.ply)


def noted(record: GameRecord, text: str | None) -> GameRecord:
    """Return the record of a game with its note. Raises ValueError as :func:`read_note` does."""
    if text is None:
        return record
    note, forfeit = read_note(text), record.forfeit
    later: tuple[Forfeit, ...] = ()
    if note.forfeits:
        forfeit, *others = map(seat_forfeit, note.forfeits)
        later = tuple(others)
    elif forfeit is not None:
        forfeit = forfeit._replace(where=note.where, remedy=note.remedy)
    return record._replace(
        forfeit=forfeit,
        move_times=note.move_seconds,
        luck=note.luck,
        later=later,
        ended=note.ended,
        notes=notes_of(note),
    )
