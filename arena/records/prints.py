"""Hold what players printed in a game."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.records.base import Json


class Printed(NamedTuple):
    """What a player printed from one of its moves to the next."""

    #: Number of moves before the one that it was asked for.
    ply: int
    #: The start of it.
    text: str
    #: How many lines all of it is, and how many characters of it are not in ``text``.
    lines: int
    cut: int = 0

    @classmethod
    def read(cls, entry: Any) -> Printed:
        """Return what a list has. Raises TypeError or ValueError for anything else."""
        ply, text, lines, cut = entry
        if [*map(type, entry)] != [int, str, int, int]:
            raise TypeError(f"{entry!r} is not what a player printed")
        return cls(ply, text, lines, cut)

    def as_json(self) -> Json:
        """Return the fields under their names."""
        return self._asdict()
