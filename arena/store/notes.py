"""Read and write what a store keeps of a game besides its result."""

from __future__ import annotations

import json

from arena.match.record import UNMEASURED, GameRecord, MoveTimes
from arena.records.adjudication import BY_SCORES
from arena.records.base import Json
from arena.records.prints import Printed
from arena.records.refereed import Refereed, refereed_json
from arena.records.thoughts import Thoughts, thoughts_of


def note_of(record: GameRecord) -> Json:
    """Return the note to keep of a game. The result is empty for most games."""
    note: Json = {}
    if record.forfeit is not None:
        note = {"where": record.forfeit.where, "remedy": record.forfeit.remedy}
    note["printed"] = [list(printed) for printed in record.printed]
    note["move_seconds"] = list(map(list, record.move_times)) if any(record.move_times) else []
    note |= refereed_json(record.referee)
    note["adjudicated"] = record.adjudicated
    note["thoughts"] = [[ply, *thought] for ply, thought in record.thoughts]
    return {key: value for key, value in note.items() if value}


def read_note(text: str | None) -> Json:
    """Return a note. Raises TypeError or ValueError for one that arena did not write."""
    note = {} if text is None else json.loads(text)
    if not isinstance(note, dict):
        raise TypeError(f"{note!r} is not a note")
    return note


def noted(record: GameRecord, text: str | None) -> GameRecord:
    """Return the record of a game with its note.

    Raises TypeError or ValueError for a note that arena did not write.
    """
    if text is None:
        return record
    note = read_note(text)
    forfeit, texts = record.forfeit, [note.get("where", ""), note.get("remedy", "")]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"{note!r} is not a note")
    if forfeit is not None:
        forfeit = forfeit._replace(where=texts[0], remedy=texts[1])
    return record._replace(
        forfeit=forfeit,
        printed=printed_of(note),
        move_times=_read_move_times(note),
        referee=Refereed.read(note.get("referee")),
        thoughts=noted_thoughts(note),
        adjudicated=noted_adjudication(note),
    )


def _read_move_times(note: Json) -> MoveTimes:
    """Return the seconds of the moves of both sides. Raises TypeError or ValueError for garbage."""
    first, second = note.get("move_seconds", UNMEASURED)
    if not all(seconds is None or seconds >= 0 for seconds in (*first, *second)):
        raise ValueError(f"{note!r} is not a note")
    return tuple(first), tuple(second)


def noted_adjudication(note: Json) -> str:
    """Return how scores ended a game, empty if they did not. Raises ValueError for garbage."""
    adjudication = note.get("adjudicated", "")
    if adjudication not in ("", *BY_SCORES):
        raise ValueError(f"{adjudication!r} is not an adjudication")
    return str(adjudication)


def noted_thoughts(note: Json) -> Thoughts:
    """Return the thoughts of engines on their moves. Raises TypeError or ValueError for garbage."""
    return thoughts_of(note.get("thoughts", ()))


def printed_of(note: Json) -> tuple[Printed, ...]:
    """Return the prints of players. Raises TypeError or ValueError for garbage."""
    return tuple(Printed.read(entry) for entry in note.get("printed", ()))
