"""Everything that an author needs is in ``arena``, and comes when it is asked for."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import arena

ROOT = Path(__file__).parent.parent

#: The functions that do what a command does; the others are for authors of plugins.
FUNCTIONS = [
    name
    for name in arena.__all__
    if inspect.isfunction(getattr(arena, name))
    and getattr(arena, name).__module__.startswith("arena.features.")
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


def test_the_list_gives_each_name_with_the_module_that_defines_it() -> None:
    lines = (ROOT / "arena" / "__init__.pyi").read_text().splitlines()
    imports = [line for line in lines if line.startswith("from ")]
    names = [re.fullmatch(r"from ([\w.]+) import (\w+) as \2", line) for line in imports]
    homes = {match[2]: match[1] for match in names if match}
    assert len(homes) == len(imports)
    assert [name for name, home in homes.items() if home != "arena"] == sorted(
        arena.__all__, key=list(homes).index
    )
    for name in arena.__all__:
        value = getattr(arena, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__module__ == homes[name]


def test_a_star_import_gives_all_public_names_and_no_other() -> None:
    names: dict[str, object] = {}
    exec("from arena import *", names)
    assert set(names) - {"__builtins__"} == set(arena.__all__)
    assert set(arena.__all__) <= set(dir(arena))


def test_importing_arena_imports_no_module_of_it() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['arena']"


def test_a_misspelt_name_gets_the_nearest() -> None:
    command = [sys.executable, "-c", "import arena; arena.fite"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].endswith("has no attribute 'fite', did you mean 'fight'?")


def test_two_players_that_are_not_in_a_list_are_told_so() -> None:
    with pytest.raises(arena.UsageError, match=r"one list: \['monkey', 'triples'\]"):
        arena.tournament("monkey", "triples")  # type: ignore[arg-type]
