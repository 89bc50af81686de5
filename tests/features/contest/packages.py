"""Zips to hand in, good and bad."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

BOT = b"def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
FIRST = b"def choose(position, rng):\n    return min(position.legal_moves())\n"


def zipped(files: Mapping[str, bytes], mode: int = 0, method: int = ZIP_DEFLATED) -> bytes:
    """Return a zip with these files; all have this mode."""
    made = BytesIO()
    with ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, method
            archive.writestr(entry, content)
    return made.getvalue()


def lying_about_its_size(content: bytes) -> bytes:
    """Return a zip whose headers say that its one file has a single byte."""
    made = bytearray(zipped({"bot.py": content}))
    one = struct.pack("<I", 1)
    made[22:26] = one
    central = made.index(b"PK\x01\x02")
    made[central + 24 : central + 28] = one
    return bytes(made)
