"""Everything that an author needs is in ``arena``, and comes when it is asked for."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
import typing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

import arena
from arena.errors import did_you_mean

ROOT = Path(__file__).parent.parent

#: The packages with public names.
DOORS: tuple[ModuleType, ...] = (arena, arena.records, arena.plugin)

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
        doors = [door for door in DOORS if kind.__name__ in door.__all__]
        assert [getattr(door, kind.__name__) for door in doors] == [kind]


def test_the_registers_of_all_hooks_are_public() -> None:
    from arena.plugin.manager import Installation

    for _, register, _ in Installation().hooks:
        assert getattr(arena.plugin, register.__name__) is register


SCRIPT = """
import collections.abc, importlib, typing, sys
before = set(sys.modules)
import arena
print(sorted(set(sys.modules) - before))
"""


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_the_list_gives_each_name_with_the_module_that_defines_it(door: ModuleType) -> None:
    lines = Path(f"{door.__file__}i").read_text().splitlines()
    imports = [line for line in lines if line.startswith("from ")]
    names = [re.fullmatch(r"from ([\w.]+) import (\w+) as \2", line) for line in imports]
    homes = {match[2]: match[1] for match in names if match}
    assert len(homes) == len(imports)
    assert sorted(name for name, home in homes.items() if home != "arena") == door.__all__
    for name in door.__all__:
        value = getattr(door, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__module__ == homes[name]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_a_star_import_gives_all_public_names_and_no_other(door: ModuleType) -> None:
    names: dict[str, object] = {}
    exec(f"from {door.__name__} import *", names)
    assert set(names) - {"__builtins__"} == set(door.__all__)
    assert set(door.__all__) <= set(dir(door))


def test_a_name_is_public_in_one_place() -> None:
    names = [name for door in DOORS for name in door.__all__]
    assert len(names) == len(set(names))


def test_what_a_user_calls_fits_on_one_screen() -> None:
    lines = textwrap.wrap("  ".join(name.ljust(16) for name in dir(arena)), 80)
    assert len(lines) <= 24


def test_all_records_are_in_one_place() -> None:
    for kind in (getattr(arena.records, name) for name in arena.records.__all__):
        unions = get_args(kind) or (kind,)  # `Played` is any record of games
        assert all(issubclass(each, arena.records.Record) for each in unions)
    for door in (arena, arena.plugin):
        for value in (getattr(door, name) for name in door.__all__):
            assert not (inspect.isclass(value) and issubclass(value, arena.records.Record))


def test_importing_arena_imports_only_what_reads_the_list() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['arena', 'arena.lazy']"


def test_a_misspelt_name_gets_the_nearest() -> None:
    command = [sys.executable, "-c", "import arena; arena.fite"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].endswith(f"'fite'{did_you_mean('fite', ['fight'])}")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("sit", "arena.plugin.sit"), ("FightResult", "arena.records.FightResult")],
)
def test_a_name_of_another_place_leads_there(wrong: str, right: str) -> None:
    with pytest.raises(AttributeError, match=rf"'{wrong}': .* {re.escape(right)}$"):
        getattr(arena, wrong)
    with pytest.raises(AttributeError, match=r"'fight': .* arena\.fight$"):
        getattr(arena.plugin, "fight")  # noqa: B009 (a type checker knows better)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["players", "games", "plugins"])
def test_what_is_installed_is_listed_by_the_word_that_a_user_tries(kind: str) -> None:
    code = f"import arena; print(arena.{kind}() == arena.installed_{kind}(), arena.{kind})"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"True <module 'arena.{kind}'")


def test_two_players_that_are_not_in_a_list_are_told_so() -> None:
    with pytest.raises(arena.UsageError, match=r"\['monkey', 'triples'\]"):
        arena.tournament("monkey", "triples")  # type: ignore[arg-type]
    with pytest.raises(arena.UsageError, match="'monkey'"):
        arena.exact_tournament("monkey")


def test_the_word_of_contest_files_leads_to_the_keyword() -> None:
    wanted = re.escape("did you mean 'n'? (pairs is the key of contest files)")
    with pytest.raises(TypeError, match=wanted):
        arena.fight("monkey", "triples", pairs=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=wanted):
        arena.tournament(["monkey", "triples"], pairs=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", ["players", "games", "plugins"])
def test_a_list_in_one_line_has_its_first_names_and_its_length(kind: str) -> None:
    listing = getattr(arena, f"installed_{kind}")()
    line, first = repr(listing), listing.rows[0]["name"]
    assert line.startswith(f"<Listing {kind} ({len(listing.rows)}): {first}, ")
    assert len(line) <= 101
    assert repr(replace(listing, rows=())) == f"<Listing {kind} (0): >"


def test_a_player_in_one_line_is_its_name_and_its_summary() -> None:
    assert repr(arena.get_player("monkey")) == "<PlayerInfo monkey: Play any legal move.>"
    named = replace(arena.get_player("m=monkey"), summary="", isolation="bwrap")
    assert repr(named) == "<PlayerInfo m=monkey, isolated (bwrap)>"


def test_the_help_of_arena_begins_with_names_that_there_are() -> None:
    table = str(arena.__doc__).partition("lists:")[2].partition("A player is")[0]
    names = re.findall("``(.*?)``", table)
    assert 15 <= len(names) <= 25
    assert set(names) <= set(arena.__all__)
