"""Change the code of a file in one place at a time: operators, numbers, conditions, statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

#: Operators, each with those that take its place in turn.
SWAPS = {
    "Lt": "LtE GtE", "LtE": "Lt Gt", "Gt": "GtE LtE", "GtE": "Gt Lt", "Eq": "NotEq", "NotEq": "Eq",
    "Is": "IsNot", "IsNot": "Is", "In": "NotIn", "NotIn": "In", "And": "Or", "Or": "And",
    "Add": "Sub", "Sub": "Add", "Mult": "Div", "Div": "Mult", "FloorDiv": "Mult", "Mod": "Mult",
    "Pow": "Mult", "MatMult": "Mult", "BitAnd": "BitOr", "BitOr": "BitAnd", "BitXor": "BitOr",
    "LShift": "RShift", "RShift": "LShift",
}  # fmt: skip

#: Fields of the syntax tree that are for readers and type checkers.
LEFT_OUT = ("annotation", "returns", "decorator_list")

#: Functions whose first two arguments are not exchanged, because it changes nothing or breaks all.
UNORDERED = ("min", "max", "isinstance", "issubclass", "getattr")


class Mutant(NamedTuple):
    """A change of one file: other code from byte ``start`` to before ``stop``."""

    file: str
    line: int
    start: int
    stop: int
    before: str
    after: str

    def __str__(self) -> str:
        before, after = (" ".join(code.split()) for code in (self.before, self.after))
        return f"{self.file}:{self.line}: {before} -> {after}"


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Yield the changes of a file."""
    code, begins = source.encode(), [0]
    for line in code.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for node, other in _changes(ast.parse(source)):
        start = begins[node.lineno - 1] + node.col_offset
        stop = begins[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        after = ast.unparse(other)
        if after != ast.unparse(node):
            after = after if isinstance(other, (ast.stmt, ast.Constant)) else f"({after})"
            yield Mutant(file, node.lineno, start, stop, code[start:stop].decode(), after)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Yield nodes of a tree, each with one that takes its place."""
    if isinstance(node, ast.JoinedStr):  # Python 3.11 misplaces all that is in it
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    match node:
        case ast.Compare():
            for index, op in enumerate(node.ops):
                for name in SWAPS[type(op).__name__].split():
                    other = deepcopy(node)
                    other.ops[index] = getattr(ast, name)()
                    yield node, other
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            swapped = deepcopy(node)
            swapped.op = getattr(ast, SWAPS[type(node.op).__name__])()
            yield node, swapped
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node, node.operand
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield node, ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield node, ast.Constant(2 * value or 1.0)
        case ast.If() | ast.While() | ast.IfExp():
            if not isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)):
                yield node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Return(value=None):
            yield node, ast.Pass()
        case ast.Break() | ast.Continue():
            yield node, ast.Continue() if isinstance(node, ast.Break) else ast.Break()
        case ast.Attribute(attr="other"):  # the other side
            yield node, node.value
        case ast.Call(args=[ast.expr() as first, second, *others]):
            if ast.unparse(node.func) not in UNORDERED and not isinstance(first, ast.Starred):
                yield node, ast.Call(node.func, [second, first, *others], node.keywords)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in LEFT_OUT:
                yield from _changes(child)
