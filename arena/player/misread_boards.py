"""Find where a player's code takes a position for a board.

``len(position)`` and ``position[4]`` raise nothing where a position is a tuple, and mean nothing.
The code is read when a game is lost already, so no move takes longer.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator
from types import CodeType
from typing import Any

#: Longer sources are not read.
MAX_CHARACTERS = 200_000

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def misread_board(player: object) -> str:
    """Say in which line the file of a player's function or class does so, or return nothing.

    It is foreign code, so this may raise anything.
    """
    function: Any = getattr(player, "choose", player)
    code = getattr(function, "__code__", None)
    return misread_board_of(code) if isinstance(code, CodeType) else ""


def misread_board_of(code: CodeType) -> str:
    """Say in which line the file of some code does so, or return nothing."""
    source = "".join(linecache.getlines(code.co_filename))
    if not source or len(source) > MAX_CHARACTERS:
        return ""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, _Function))
    found = sorted(place for function in functions for place in _places(function))
    if not found:
        return ""
    line, name = found[0]
    file = os.path.basename(code.co_filename)
    return f"{file}:{line}: {name} is not a board: str({name}) has a letter a square"


def _places(function: _Function) -> Iterator[tuple[int, str]]:
    """Yield the lines of a function that do so, each with the name of the position."""
    names = _positions(function)
    for node in ast.walk(function):
        match node:
            case ast.Subscript(ast.Name(name), ctx=ast.Load()) | ast.Call(
                ast.Name("len"), [ast.Name(name)]
            ) if name in names:
                yield node.lineno, name


def _positions(function: _Function) -> set[str]:
    """Return the parameters that have a position, unless something else is assigned to them."""
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    names = {"position"} & {*parameters}
    if function.name == "choose":
        names |= {*[name for name in parameters if name != "self"][:1]}
    stored = (n for n in ast.walk(function) if isinstance(n, ast.Name))
    return names - {node.id for node in stored if isinstance(node.ctx, ast.Store)}
