"""Everything that an author needs is in ``arena``, and comes when it is asked for."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import arena

FUNCTIONS = [
    name
    for name in arena.__all__
    if inspect.isfunction(value := getattr(arena, name))
    and value.__module__.startswith("arena.features.")
]


def classes_in(annotation: Any) -> Iterator[type]:
    """Return the classes of arena's that an annotation names, whatever they are in."""
    if isinstance(annotation, type) and annotation.__module__.split(".")[0] == "arena":
        yield annotation
    for part in typing.get_args(annotation):
        yield from classes_in(part)


def names_in(module: ModuleType) -> dict[str, Any]:
    """All names of a module, with those that it imports for its types alone."""
    names = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), "types", "exec"), names)
    return names


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_type_that_a_public_function_returns_is_public(name: str) -> None:
    function = getattr(arena, name)
    module = sys.modules[function.__module__]
    returned = eval(inspect.signature(function).return_annotation, names_in(module))
    for kind in classes_in(returned):
        assert getattr(arena, kind.__name__) is kind


def test_the_registers_of_all_hooks_are_public() -> None:
    from arena.plugin.manager import Installed

    for _, register, _ in Installed().hooks:
        assert getattr(arena, register.__name__) is register


SCRIPT = """
import collections.abc, importlib, typing, sys
before = set(sys.modules)
import arena
print(sorted(set(sys.modules) - before))
"""


def test_importing_arena_imports_no_module_of_it() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['arena']"
