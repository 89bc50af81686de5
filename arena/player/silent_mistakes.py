"""Read a player's code for what runs and never does what its author meant.

Such code raises nothing. Only names that hold a position are looked at: the first parameter of
``choose``, any parameter ``position``, and what is assigned from their ``play``. A name that is
assigned anything else too is left alone.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator
from types import CodeType
from typing import Any

#: The most bytes of a file that are read.
MAX_SOURCE = 200_000

#: Functions of Python that take a position for a board.
_OF_BOARDS = ("enumerate", "len", "list", "max", "min", "reversed", "sorted", "tuple")

_METHODS = ("legal_moves", "outcome")

_NO_BOARD = "is not a board: str"

#: The function that players have. Others may call something else a position.
_CHOOSE = "choose"

#: A mistake: its line, and what to write.
SilentMistake = tuple[int, str]

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def misread_board(player: object) -> str:
    """Say in which line the code of a player's function or class takes a position for a board.

    The text is empty if none does. It is foreign code, so this may raise anything.
    """
    function: Any = getattr(player, _CHOOSE, player)
    code = getattr(function, "__code__", None)
    return misread_board_of(code) if isinstance(code, CodeType) else ""


def misread_board_of(code: CodeType) -> str:
    """Say in which line the file of some code does so, or return nothing.

    ``len(position)`` and ``position[4]`` raise nothing where a position is a tuple. The file is
    read when a game is lost already, so no move takes longer.
    """
    source = "".join(linecache.getlines(code.co_filename))
    if len(source) > MAX_SOURCE:
        return ""
    mistakes = (each for each in silent_mistakes(source) if _NO_BOARD in each[1])
    line, text = next(mistakes, (0, ""))
    return f"{os.path.basename(code.co_filename)}:{line}: {text}" if text else ""


def silent_mistakes(code: str | bytes) -> list[SilentMistake]:
    """Return the silent mistakes in a file, by line.

    >>> silent_mistakes("def choose(p, rng):\\n    if p.to_move == 'x':\\n        p.play(0)")
    ... # doctest: +NORMALIZE_WHITESPACE
    [(2, "to_move is never 'x': compare it with arena.Side.FIRST or arena.Side.SECOND"),
     (3, 'play() leaves p as it is: write p = p.play(move)')]
    """
    functions = (node for node in ast.walk(ast.parse(code)) if isinstance(node, _FunctionNode))
    return sorted({mistake for function in functions for mistake in _mistakes(function)})


def _mistakes(function: _FunctionNode) -> Iterator[SilentMistake]:
    names = _positions(function)
    for node in ast.walk(function):
        place = node.iter if isinstance(node, ast.comprehension) else node
        for text in _texts(node, names):
            yield getattr(place, "lineno", function.lineno), text
        match node:
            case ast.Subscript(ast.Name(name), ctx=ast.Load()):
                if name in names and function.name == _CHOOSE:
                    yield node.lineno, _no_board(name)


def _positions(function: _FunctionNode) -> set[str]:
    """Return the names that hold a position wherever the function has them."""
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    firsts = [name for name in parameters if name != "self"][:1]
    names = {*firsts} if function.name == _CHOOSE else set()
    names |= {"position"} & {*parameters}
    assigned = [*_assigned(function)]
    while new := {name for name, value in assigned if _is_played(value, names)} - names:
        names |= new
    return names - {name for name, value in assigned if not _is_played(value, names)}


def _assigned(function: _FunctionNode) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield each name that is assigned, with its value, or None where that is not one by itself."""
    values: dict[ast.Name, ast.expr | None] = {}
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign([ast.Name() as target], value)
                | ast.AnnAssign(ast.Name() as target, _, value)
                | ast.NamedExpr(ast.Name() as target, value)
            ):
                values[target] = value
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, values.get(node)


def _is_played(value: ast.expr | None, names: set[str]) -> bool:
    """Return whether a value is a position: another name of one, or the result of its play."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr == "play" and _is_played(value.func.value, names)
    return isinstance(value, ast.Name) and value.id in names


def _texts(node: ast.AST, names: set[str]) -> Iterator[str]:
    """Yield what is wrong with a node."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "play"))) if name in names:
            yield f"play() leaves {name} as it is: write {name} = {name}.play(move)"
        case ast.Compare():
            yield from _of_comparison(node, names)
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.UnaryOp(ast.Not(), test):
            yield from _of_test(test, names)
        case ast.BoolOp(_, values):
            for value in values:
                yield from _of_test(value, names)
        case ast.Call(ast.Name(function), [ast.Name(name)]):
            if function in _OF_BOARDS and name in names:
                yield _no_board(name)
        case ast.For(_, ast.Name(name)) | ast.comprehension(_, ast.Name(name)) if name in names:
            yield _no_board(name)


def _of_comparison(node: ast.Compare, names: set[str]) -> Iterator[str]:
    values = [node.left, *node.comparators]
    words = [*filter(None, map(_word, values))]
    for value in values:
        match value:
            case ast.Attribute(ast.Name(name), "to_move") if name in names and words:
                sides = "arena.Side.FIRST or arena.Side.SECOND"
                yield f"to_move is never {words[0]}: compare it with {sides}"
            case ast.Call(ast.Attribute(ast.Name(name), "outcome")) if name in names and words:
                yield f"outcome() is never {words[0]}: compare it with arena.Outcome.DRAW, ..."
            case _:
                yield from _of_test(value, names)
    match node:
        case ast.Compare(_, [ast.In() | ast.NotIn()], [ast.Name(name)]) if name in names:
            yield _no_board(name)


def _word(value: ast.expr) -> str:
    """Return the text that is compared, or the first of several, or empty for another value."""
    match value:
        case ast.Constant(str(word)) | ast.Tuple([ast.Constant(str(word)), *_]):
            return repr(word)
        case ast.List([ast.Constant(str(word)), *_]) | ast.Set([ast.Constant(str(word)), *_]):
            return repr(word)
        case _:
            return ""


def _of_test(value: ast.expr, names: set[str]) -> Iterator[str]:
    match value:
        case ast.Attribute(ast.Name(name), method) if name in names and method in _METHODS:
            yield f"{name}.{method} is a method, always true: write {name}.{method}()"


def _no_board(name: str) -> str:
    return f"{name} {_NO_BOARD}({name}) has a letter a square"
