"""The rules of the house: types, style, layers, sizes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from statistics import median

import grimp
import pytest

from tests.golden import texts_of

ROOT = Path(__file__).parent.parent
CODE = ("arena", "players", "plugins", "reports", "benchmarks")


@pytest.mark.timeout(360)  # mypy begins without a cache
@pytest.mark.parametrize(
    "command",
    [
        ["mypy", "arena", "tests", "benchmarks"],
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["importlinter.cli", "lint"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_checker_is_content(command: list[str]) -> None:
    if command[0] == "importlinter.cli":
        command = ["-c", "from importlinter.cli import lint_imports_command as c; c()"]
    else:
        command = ["-m", *command]
    ran = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def sources() -> list[Path]:
    files = chain.from_iterable((ROOT / folder).rglob("*.py") for folder in CODE)
    return sorted({file.resolve() for file in files})


def test_files_and_functions_are_short() -> None:
    lines = {file: file.read_text().count("\n") for file in sources()}
    long = {str(file): n for file, n in lines.items() if n > 500}
    assert long == {}, "move a part that stands alone into a file of its own"
    functions = {
        f"{file.name}:{node.name}": (node.end_lineno or 0) - node.lineno
        for file in lines
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {name: n for name, n in functions.items() if n > 60} == {}
    assert median(functions.values()) <= 10


def test_files_of_tests_are_short() -> None:
    lines = {file: file.read_text().count("\n") for file in (ROOT / "tests").rglob("*.py")}
    assert {str(file): n for file, n in lines.items() if n > 400} == {}


def test_only_clock_reads_clocks_and_nothing_seeds_the_global_generator() -> None:
    for file in sources():
        text = file.read_text()
        if file.parts[-2] == "benchmarks":
            continue
        reads = re.search(r"^\s*(import time|from (time|datetime) import)\b", text, re.MULTILINE)
        # The referee is a program that stands alone: its box may lack arena.
        has_clock = file.name in ("clock.py", "agent_referee.py")
        assert has_clock or not reads, f"{file}: take the time and the waits from arena.clock"
        # Agents and environments draw from the shared generators, in a process of their own.
        seeds = "random.seed(" in text
        assert file.name in ("agent_file.py", "agent_referee.py") or not seeds, file


def test_benchmarks_run_without_the_tests_and_what_these_need() -> None:
    wrong = re.compile(r"^\s*(?:from|import) (?:tests|pytest|hypothesis)\b.*", re.MULTILINE)
    files = (ROOT / "benchmarks").rglob("*.py")
    matches = {file.name: wrong.findall(file.read_text()) for file in files}
    assert {name: lines for name, lines in matches.items() if lines} == {}


def test_no_constant_has_two_meanings() -> None:
    """A public name in capitals is defined in one module, so that a search finds what it means."""
    homes: dict[str, set[str]] = {}
    for file in sources():
        if "benchmarks" in file.parts:  # each is a program of its own
            continue
        for node in ast.parse(file.read_text()).body:
            for name in constants(node):
                homes.setdefault(name, set()).add(str(file.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def constants(node: ast.stmt) -> Iterator[str]:
    """Yield the public names in capitals that a statement assigns, type variables left out."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return
    made = node.value.func if isinstance(node.value, ast.Call) else None
    if isinstance(made, ast.Name) and made.id in ("TypeVar", "ParamSpec"):
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for name in ast.walk(target):
            if isinstance(name, ast.Name) and name.id.isupper() and not name.id.startswith("_"):
                yield name.id


def test_no_class_and_no_alias_has_two_meanings() -> None:
    """A class or an alias of a type is the only one of its name, with or without an underscore."""
    homes: dict[str, list[str]] = {}
    for file in sources():
        if "benchmarks" in file.parts:  # each is a program of its own
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            for name in types_named_by(node):
                homes.setdefault(name.lstrip("_"), []).append(str(file.relative_to(ROOT)))
    assert len(homes) > 1000
    shared = {name: files for name, files in homes.items() if len(files) > 1}
    # The schema names the record by its class, and authors of games import the observation.
    assert shared == {"View": ["arena/games/view.py", "arena/records/replays.py"]}


def types_named_by(node: ast.AST) -> Iterator[str]:
    """Yield the names of the class, or of the alias, that a node is: no type variable's."""
    if isinstance(node, ast.ClassDef):
        yield node.name
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return
    made = node.value.func if isinstance(node.value, ast.Call) else None
    if isinstance(made, ast.Name) and made.id in ("TypeVar", "ParamSpec"):
        return
    for name in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(name, ast.Name) and re.fullmatch(r"_*[A-Z]\w*[a-z]\w*", name.id):
            yield name.id


def test_layers_are_few_and_the_page_for_contributors_names_every_room() -> None:
    [layers, *_] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    assert len(layers["layers"]) <= 17
    page = (ROOT / "CONTRIBUTING.md").read_text()
    rooms = [file.parent.name for file in (ROOT / "arena").glob("*/__init__.py")]
    assert [room for room in rooms if not re.search(rf"`(arena/)?{room}/`", page)] == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    """A package and what is in it count too, which no contract of import-linter's sees."""
    graph = grimp.build_graph("arena", exclude_type_checking_imports=False, cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert len(imports) > 500
    TopologicalSorter(imports).prepare()  # raises CycleError, with the circle


def test_every_text_in_a_file_is_of_a_test() -> None:
    for file in (ROOT / "tests").rglob("golden/test_*.txt"):
        test = file.parents[1] / f"{file.stem}.py"
        assert test.exists(), f"{file} has texts of no test"
        source = test.read_text()
        names = {re.split(r"\W", name)[0] for name in texts_of(file)}
        tests = {
            name: re.search(rf"def {name}\([^)]*\bwording\b", source) for name in sorted(names)
        }
        gone = [name for name, test in tests.items() if not test]
        assert gone == [], f"delete the texts of these tests in {file}"


def test_the_links_lead_to_the_folders() -> None:
    for name in ("players", "plugins", "reports"):
        assert (ROOT / "arena" / name).is_symlink()
        assert (ROOT / "arena" / name).resolve() == (ROOT / name).resolve()
