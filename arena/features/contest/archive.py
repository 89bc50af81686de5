"""Write all hand-ins of a contest into a zip, by entrant and time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.features.hand_in.record import HandIn


def write_archive(file: IO[bytes], hand_ins: Iterable[tuple[HandIn, bytes]]) -> None:
    """Write hand-ins with their contents, as the entrants have sent them.

    An entrant has a folder. The name of a hand-in begins with its number and its time.
    """
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for hand_in, content in hand_ins:
            archive.writestr(_entry(hand_in), content)


def _entry(hand_in: HandIn) -> ZipInfo:
    """Return the entry of a hand-in. No system refuses a colon in its name, for it has none."""
    date, _, time = hand_in.received.rstrip("Z").partition("T")
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, time.split(":"))
    name = f"{hand_in.number:03} {date} {time.replace(':', '.')} {hand_in.filename}"
    entry = ZipInfo(f"{hand_in.entrant}/{name}", (year, month, day, hour, minute, second))
    entry.compress_type = ZIP_DEFLATED
    return entry
