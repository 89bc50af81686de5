"""Find hand-ins of different entrants with the same code but for names, comments and docstrings."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from arena.features.hand_in.record import HandIn

#: Names that are not the author's: to change one changes what the code does.
_BUILTINS = frozenset(dir(builtins))

#: Fields of syntax that name something, and those that have several names.
_NAMES, _LISTS = ("id", "arg", "name", "attr", "asname", "rest"), ("names", "kwd_attrs")

#: Syntax that may begin with a docstring.
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def same_code(hand_ins: Iterable[tuple[HandIn, Mapping[str, bytes]]]) -> list[list[HandIn]]:
    """Return the groups of hand-ins, each with its files, whose code is the same.

    A group has at least two entrants. Code that Python cannot read is in none.
    """
    groups = defaultdict(list)
    for hand_in, files in hand_ins:
        if digest := code_digest(files):
            groups[digest].append(hand_in)
    return [group for group in groups.values() if len({each.entrant for each in group}) > 1]


def code_digest(files: Mapping[str, bytes]) -> str:
    """Return a digest of the Python files of a hand-in, or nothing if one cannot be read.

    It does not depend on the names that the author gives, on docstrings, comments and layout.

    >>> one = b"def choose(position, rng):\\n    return min(position.legal_moves())"
    >>> other = b"def choose(board, dice):  # mine\\n    return min(board.legal_moves())"
    >>> code_digest({"bot.py": one}) == code_digest({"mine.py": other})
    True
    """
    code = (content for path, content in files.items() if path.endswith(".py"))
    try:
        dumps = sorted(map(_normalised, code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return blake2b("\n".join(dumps).encode(errors="replace"), digest_size=16).hexdigest()


def _normalised(code: bytes) -> str:
    """Return the syntax of a file in which the author's names are numbers."""
    tree = ast.parse(code)
    nodes = list(ast.walk(tree))
    defined = {name for node in nodes for name in _defined(node)} - _BUILTINS
    numbers: dict[str, str] = {}

    def number(name: str) -> str:
        return numbers.setdefault(name, f"_{len(numbers)}") if name in defined else name

    for node in nodes:
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        for field, value in ast.iter_fields(node):
            if field in _NAMES and isinstance(value, str):
                setattr(node, field, number(value))
            elif field in _LISTS and all(isinstance(name, str) for name in value):
                setattr(node, field, list(map(number, value)))
    return ast.dump(tree)


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a part of a file's syntax defines."""
    is_used = isinstance(getattr(node, "ctx", None), ast.Load)
    is_import_or_word = isinstance(node, (ast.alias, ast.keyword))
    for field in ("asname",) if is_import_or_word else () if is_used else _NAMES:
        if isinstance(name := getattr(node, field, None), str):
            yield name
