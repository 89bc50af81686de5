"""Find where the code of a player stands."""

from __future__ import annotations

import ast
import inspect
from functools import partial

from arena.errors import ArenaError
from arena.features.regress.record import Origin
from arena.files import MAX_FILE_BYTES, read_bytes
from arena.player import PlayerInfo
from arena.player_file import DEFAULT_FUNCTION


def origin_of(player: PlayerInfo) -> Origin:
    """Return the version of a player, and the file and the line of its code as far as they show."""
    if player.file:
        return Origin(player.version, *_in_file(player.file))
    if player.remote is not None:
        file = next((file for file in player.code if file.endswith(".py")), "")
        return Origin(player.version, file, 1 if file else 0)
    code = player.player
    while isinstance(code, partial):
        code = code.func
    code = code if inspect.isroutine(code) or inspect.isclass(code) else type(code)
    try:
        return Origin(
            player.version, inspect.getsourcefile(code) or "", inspect.getsourcelines(code)[1]
        )
    except (OSError, TypeError):  # it was written in no file, or in another language
        return Origin(player.version, "", 0)


def _in_file(place: str) -> tuple[str, int]:
    """Return the file and the line of ``bot.py:choose``, or line 1 without that function."""
    path, colon, function = place.rpartition(":")
    if not colon or not function.isidentifier():
        path, function = place, DEFAULT_FUNCTION
    try:
        nodes = ast.parse(read_bytes(path, MAX_FILE_BYTES)).body
    except (ArenaError, SyntaxError, ValueError, RecursionError, MemoryError):
        return path, 1
    lines = (
        node.lineno
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == function
    )
    return path, next(lines, 1)
