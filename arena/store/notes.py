"""Read and write what a store keeps of a game beside its result."""

from __future__ import annotations

import json

from arena.match import GameRecord
from arena.records.base import Json
from arena.records.prints import Printed
from arena.records.refereed import Refereed, refereed_json


def note_of(record: GameRecord) -> Json:
    """Return what to keep of a game; empty for most games."""
    note: Json = {}
    if record.forfeit is not None:
        note = {"where": record.forfeit.where, "remedy": record.forfeit.remedy}
    note["printed"] = [list(printed) for printed in record.printed]
    note |= refereed_json(record.referee)
    return {key: value for key, value in note.items() if value}


def read_note(text: str | None) -> Json:
    """Return a note. Raises TypeError or ValueError for one that arena did not write."""
    note = {} if text is None else json.loads(text)
    if not isinstance(note, dict):
        raise TypeError(f"{note!r} is not a note")
    return note


def noted(record: GameRecord, text: str | None) -> GameRecord:
    """Return the record of a game with what was kept of it.

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
    referee = Refereed.read(note.get("referee"))
    return record._replace(forfeit=forfeit, printed=printed_of(note), referee=referee)


def printed_of(note: Json) -> tuple[Printed, ...]:
    """Return what players printed. Raises TypeError or ValueError for garbage."""
    return tuple(Printed.read(entry) for entry in note.get("printed", ()))
