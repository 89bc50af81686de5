"""Play files of a training run: ``checkpoint,by=./net.py%3Amake:runs/10.pt``.

The factory ``make`` of ``net.py`` is called with the file in a process of the player's own. It
returns a function ``choose(position, rng)``, or a class or an object that plays a game.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.errors import UsageError, quoted, repr_of
from arena.game import Game, Outcome, Side
from arena.player_file.code import add_folder
from arena.sandbox.side_modules import find_side_modules

#: The option that names the factory.
BY = "by"


class CheckpointPlayer:
    """The stateful player that plays one game with what the factory makes of a file."""

    def __init__(
        self, path: str, _is_isolated: bool, options: Mapping[str, str], files: tuple[str, ...]
    ) -> None:
        _, _, function = options[BY].rpartition(":")
        self._make, self._path = factory_in(files[0], function), path
        self._player: Any = None
        self._rng = random.Random()

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Let the factory make the player of the game."""
        player = self._make(self._path)
        if not callable(player) and not hasattr(player, "choose"):
            raise TypeError(f"the factory made no player, but {repr_of(player)}")
        self._player = player() if inspect.isclass(player) else player
        self._rng = rng
        self._call("start", game, side, rng)

    def choose(self, position: Any) -> Any:
        """Return the answer of the player."""
        if hasattr(self._player, "choose"):
            return self._player.choose(position)
        return self._player(position, self._rng)

    def observe(self, move: int) -> None:
        """Tell the player the move of another, if it listens."""
        self._call("observe", move)

    def finish(self, outcome: Outcome) -> None:
        """Tell the player how the game ended, if it listens."""
        self._call("finish", outcome)

    def _call(self, name: str, *arguments: object) -> None:
        if (method := getattr(self._player, name, None)) is not None:
            method(*arguments)


def files_of(options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files that the factory is made of: its own, and the modules next to it.

    ``net:make`` is the function ``make`` of ``./net.py``, as ``./net.py:make``. Raises UsageError
    if the options name no factory, or there is no such function.
    """
    where, colon, function = options.get(BY, "").rpartition(":")
    if not colon or not where or not function.isidentifier() or set(options) != {BY}:
        raise UsageError("a checkpoint needs the option by=./FILE.py%3AFUNCTION, and no other")
    file = where if where.endswith(".py") else f"{where.replace('.', os.sep)}.py"
    if not os.path.isfile(file):
        raise UsageError(f"the factory {quoted(f'{where}:{function}')}: there is no file {file}")
    if not _has(Path(file), function):
        raise UsageError(f"the factory {quoted(f'{where}:{function}')}: {file} has no {function}")
    return os.path.abspath(file), *find_side_modules(Path(os.path.abspath(file)))


def _has(file: Path, function: str) -> bool:
    """Return whether a file defines or imports a name. A file that Python cannot read may."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
        return True
    names = {getattr(node, "name", None) for node in ast.walk(tree)}
    names |= {getattr(node, "asname", None) for node in ast.walk(tree)}
    return function in names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def factory_in(file: str, function: str) -> Callable[[str], Any]:
    """Execute the file and return its function. Raises AttributeError if it has none."""
    add_folder(os.path.join(os.path.dirname(file), ""))
    name = f"factory_{os.path.basename(file).removesuffix('.py')}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    factory: Callable[[str], Any] = getattr(module, function)
    return factory
