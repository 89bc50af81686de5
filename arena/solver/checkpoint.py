"""Keep the state of a long search in a folder, so that a killed one goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys, KeyStrategy
from arena.clock import now
from arena.errors import UsageError, quoted
from arena.files import open_file, problem_of, read_bytes, replacing, write_atomically
from arena.game import Position

#: Seconds between two states.
STATE_SECONDS = 60.0

#: The largest file that is read, in bytes.
MAX_STATE_BYTES = 4 << 30

#: The file that says whose search it is.
HEAD_FILE = "search.txt"


class SearchCheckpoint:
    """A folder of named states of one search, each in a file that is whole or absent."""

    def __init__(self, folder: str | os.PathLike[str], position: Position) -> None:
        self._folder = Path(folder)
        self._due = now() + STATE_SECONDS
        game = position.game
        self._open(f"{game.name} version {game.version} from {position}\n".encode())

    def _open(self, head: bytes) -> None:
        """Make the folder. Raises UsageError for one of another search, or of other files."""
        file = self._folder / HEAD_FILE
        name = f"checkpoint {quoted(str(self._folder))}"
        try:
            self._folder.mkdir(exist_ok=True)
            others = any(self._folder.iterdir())
            if not others:
                write_atomically(file, head)
        except OSError as error:
            raise UsageError(f"{name}: {problem_of(error)}") from error
        try:
            content = read_bytes(file, 1 << 16)
        except UsageError as error:
            raise UsageError(f"{name} is not one: its {HEAD_FILE} {error}") from error
        if content != head:
            search = content.decode(errors="replace").strip()
            raise UsageError(f"{name} belongs to another search: {search}")

    def is_due(self) -> bool:
        """Return whether it is time for the next state."""
        return now() >= self._due

    def save(self, name: str, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """Write a state over the last one of its name."""
        with replacing(self._folder / f"{name}.npz") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        self._due = now() + STATE_SECONDS

    @contextmanager
    def reading(self, name: str) -> Iterator[dict[str, Any] | None]:
        """Yield the last state of a name, or None without one.

        Raises UsageError for a broken one, and for one with which the caller cannot go on.
        """
        file = self._folder / f"{name}.npz"
        if not file.exists():
            yield None
            return
        try:
            with open_file(file, MAX_STATE_BYTES) as content, np.load(content) as state:
                yield dict(state)
        except Exception as error:  # whatever NumPy, or the caller, makes of another file
            problem = f"checkpoint {quoted(str(self._folder))}: its {name}.npz is broken"
            raise UsageError(problem) from error

    def keeping(self, strategy: KeyStrategy, name: str) -> KeyStrategy:
        """Return the same strategy, whose answers outlive the process."""
        numbers = count(1)

        def moves(ply: int, keys: Keys) -> NDArray[np.uint64]:
            state = f"moves-{name}-{next(numbers)}"
            with self.reading(state) as arrays:
                if arrays is not None and np.array_equal(arrays["keys"], keys):
                    return cast("NDArray[np.uint64]", arrays["moves"])
            answers = strategy(ply, keys)
            self.save(state, {"keys": keys, "moves": answers})
            return answers

        return moves
