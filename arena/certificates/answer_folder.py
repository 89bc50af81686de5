"""Keep what a player answered, ply by ply, so that a walk can go on after it was interrupted."""

from __future__ import annotations

import io
import os
from pathlib import Path
from zipfile import BadZipFile

from arena.arrays import Keys
from arena.errors import UsageError, quoted
from arena.files import problem_of, read_bytes, write_atomically
from arena.game import Side

#: The file that says whose answers they are.
_HEAD = "walk.txt"


class AnswerFolder:
    """A folder with the answers of one player at one game. The caller names the player."""

    def __init__(self, folder: str | os.PathLike[str], whose: str) -> None:
        self._folder = Path(folder)
        name, head = quoted(str(folder)), self._folder / _HEAD
        try:
            self._folder.mkdir(exist_ok=True)
            if not any(self._folder.iterdir()):
                write_atomically(head, whose)
            if not head.exists() or read_bytes(head, 1 << 16) != whose.encode():
                raise UsageError(f"checkpoint {name} belongs to another walk, or is not one")
        except OSError as error:
            raise UsageError(f"checkpoint {name}: {problem_of(error)}") from error

    def load(self, side: Side, ply: int, keys: Keys) -> Keys | None:
        """Return the squares of the moves at these positions, or None if they are not kept."""
        import numpy as np

        try:
            with np.load(self._file(side, ply), allow_pickle=False) as arrays:
                is_same = np.array_equal(arrays["keys"], keys)
                squares: Keys = arrays["squares"]
        except (OSError, ValueError, KeyError, BadZipFile):
            return None
        return squares if is_same and squares.dtype == keys.dtype else None

    def keep(self, side: Side, ply: int, keys: Keys, squares: Keys) -> None:
        """Keep the squares of the moves at these positions."""
        import numpy as np

        content = io.BytesIO()
        np.savez(content, keys=keys, squares=squares)
        write_atomically(self._file(side, ply), content.getvalue())

    def _file(self, side: Side, ply: int) -> Path:
        return self._folder / f"{side.letter}-{ply}.npz"
