"""Measure what the code costs to own: ``python -m benchmarks.house [--base REV] [--rounds N]``.

It prints one table, with a column for a revision of git before that of the working tree if a
``--base`` is named. It reads code and does not import it, so that any revision can be measured.
Only the times of commands run it.
"""

from __future__ import annotations

import ast
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tokenize
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tabulate import tabulate

from arena.lazy import DOORS
from benchmarks.timing import minima

ROOT = Path(__file__).parent.parent

#: A module with one importer could move into it if it has fewer lines than this.
FEW_LINES = 70

#: The facts whose declarations are counted: an option, a public name and the key of a record.
OPTION, NAME, KEY = "keep_going", "fight", "missing_pairs"

#: The module of the command ``fight``, now and before features had folders.
COMMAND = ("arena.features.fight.command", "arena.cli.fight")

#: The rooms that compute a standing; all others that use its parts lay it out.
ENGINE_ROOMS = ("arena.fights.", "arena.stats.")

COMMANDS = {
    "import arena": "import arena",
    **{
        f"arena {line}": f"import sys; sys.argv = {['arena', *line.split()]}\n"
        "from arena.__main__ import main; main()"
        for line in (
            "--help",
            "players",
            "fight tictactoe3 monkey -n 100 -j 1",
            "fight monkey tictactoe2 -n 2000 -j 1 --engine calls --isolation none",
            "fight monkey tictactoe2 -n 200 -j 1 --isolation process",
        )
    },
}

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


@dataclass(frozen=True)
class Module:
    """A file of code."""

    text: str

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of its syntax tree."""
        return list(ast.walk(ast.parse(self.text)))

    @property
    def code_lines(self) -> set[int]:
        """The numbers of the lines with a token that is neither comment nor docstring."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        lines = {
            line
            for token in tokens
            if token.type not in _NO_CODE and token.string
            for line in range(token.start[0], token.end[0] + 1)
        }
        for node in self.nodes:
            if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
                text = node.body[0]
                lines -= set(range(text.lineno, (text.end_lineno or text.lineno) + 1))
        return lines

    @property
    def words(self) -> set[str]:
        """The strings, fields and attributes in it."""
        return {
            str(node.value) if isinstance(node, ast.Constant) else node.attr
            for node in self.nodes
            if isinstance(node, (ast.Constant, ast.Attribute))
        }


Code = dict[str, Module]


def modules(root: Path) -> Code:
    """Read the modules of a tree, by their names; those behind links have the names of arena's."""
    code = {}
    for folder in ("arena", "players", "plugins", "reports"):
        for file in sorted((root / folder).rglob("*.py")):
            if any(part.is_symlink() for part in (file, *file.parents)):
                continue
            parts = file.relative_to(root).with_suffix("").parts
            parts = parts if folder == "arena" else ("arena", *parts)
            code[".".join(parts).removesuffix(".__init__")] = Module(file.read_text())
    return code


def public_homes(root: Path) -> dict[str, str]:
    """Return the module of each public name, such as ``arena.fight``, from the stubs."""
    homes: dict[str, str] = {}
    for door in DOORS:
        stub = root.joinpath(*door.split("."), "__init__.pyi")
        text = stub.read_text() if stub.exists() else ""
        lines = re.findall(r"^from (\S+) import \w+ as (\w+)$", text, re.MULTILINE)
        homes |= {f"{door}.{name}": home for home, name in lines}
    return homes


def imports(code: Code, homes: dict[str, str]) -> dict[str, set[str]]:
    """Return what each module imports, in functions and for types too.

    It imports the home of a public name that it uses, such as ``arena.fight``.
    """
    return {name: set(_imported(name, code, homes)) - {name} for name in code}


def _imported(module: str, code: Code, homes: dict[str, str]) -> Iterator[str]:
    for node in code[module].nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in code)
        elif isinstance(node, ast.ImportFrom) and node.module in code:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in code else node.module for name in names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in DOORS:
            home = homes.get(ast.unparse(node), "")
            yield from [home] * (home in code)


def depth(graph: dict[str, set[str]], start: str) -> int:
    """Count the modules in the longest chain of imports from one; circles are not followed."""
    depths: dict[str, int] = {}

    def measured(name: str) -> int:
        if name not in depths:
            depths[name] = 0  # for a circle
            depths[name] = max((1 + measured(other) for other in graph[name]), default=1)
        return depths[name]

    return measured(start)


def option_places(code: Code, option: str) -> int:
    """Count the places where an option is a key, a field, a parameter or in a list of flags.

    Lines next to each other are one place.
    """
    count = 0
    for module in code.values():
        lines = sorted({line for node in module.nodes for line in _lines_with(node, option)})
        count += sum(line - 1 not in lines for line in lines)
    return count


def _lines_with(node: ast.AST, option: str) -> Iterator[int]:
    spellings = {option, option.replace("_", "-")}
    if isinstance(node, (ast.AnnAssign, ast.arg)):
        name = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
        yield from [node.lineno] * (name == option)
    elif isinstance(node, ast.Dict):
        keys = [key for key in node.keys if isinstance(key, ast.Constant)]
        yield from (key.lineno for key in keys if key.value in spellings)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        if ast.unparse(node.slice) == repr(option):
            yield node.lineno
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        flags = node.value.split()
        if f"--{option.replace('_', '-')}" in flags and all(flag[:2] == "--" for flag in flags):
            yield node.lineno


def name_places(root: Path, name: str) -> int:
    """Count the imports and strings in the packages with public names that are a name.

    ``arena.api`` was one at older revisions.
    """
    folders = [root.joinpath(*door.split(".")) for door in (*DOORS, "arena.api")]
    files = [folder / file for folder in folders for file in ("__init__.py", "__init__.pyi")]
    nodes = [node for file in files if file.exists() for node in Module(file.read_text()).nodes]
    strings = [node.value for node in nodes if isinstance(node, ast.Constant)]
    lists = [text.split() for text in strings if isinstance(text, str) and "\n" not in text]
    imported = [node.name for node in nodes if isinstance(node, ast.alias)]
    return sum(name in words for words in lists) + imported.count(name)


def key_places(root: Path, code: Code, key: str) -> int:
    """Count the files, docs/*.py too, that have a key as a word of a string or as a field."""
    pages = [Module(file.read_text()) for file in (root / "docs").glob("*.py")]
    words = [re.findall(r"\w+", " ".join(_texts(file))) for file in (*code.values(), *pages)]
    return sum(key in each for each in words)


def _texts(file: Module) -> Iterator[str]:
    for node in file.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target)


def standings(code: Code) -> int:
    """Count the modules that use a rank and what a player misses, but for those that compute it."""
    return sum(
        "rank" in module.words and not module.words.isdisjoint(("missing", "missing_pairs"))
        for name, module in code.items()
        if not name.startswith(ENGINE_ROOMS)
    )


def tables(root: Path) -> int:
    """Count the tables that the store declares, as objects or as DDL."""
    pattern = r'\bTable\(\s*"(\w+)"|CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)'
    files = (root / "arena" / "store").rglob("*")
    texts = [file.read_text() for file in files if file.suffix in (".py", ".sql")]
    return len({a or b for text in texts for a, b in re.findall(pattern, text)})


def function_lines(code: Code) -> list[int]:
    """Return the number of lines of each function, after its first."""
    return [
        (node.end_lineno or node.lineno) - node.lineno
        for module in code.values()
        for node in module.nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def startup(roots: Sequence[Path], rounds: int) -> list[dict[str, str]]:
    """Time the commands of each tree against ``import numpy``, all of them in turn.

    Each tree is installed into a folder first, because its plugins come in by its entry points.
    """
    labels = [f"`{name}` against `import numpy`" for name in COMMANDS]
    if not rounds:
        return [dict.fromkeys(labels, "-") for _ in roots]
    with TemporaryDirectory() as folder:
        sites = [Path(folder) / str(number) for number in range(len(roots))]
        for root, site in zip(roots, sites, strict=True):
            install(root, site)
        works = [partial(_run, site, line) for site in sites for line in COMMANDS.values()]
        numpy, *seconds = minima([partial(_run, sites[-1], "import numpy"), *works], rounds)
    ratios = [f"{time / numpy:.2f}" for time in seconds]
    return [dict(zip(labels, batch, strict=True)) for batch in batched(ratios, len(labels))]


def install(root: Path, site: Path) -> None:
    """Install a tree without what it depends on, from a copy, and compile it."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        skipped = shutil.ignore_patterns(".git", "build", "*.egg-info", "__pycache__")
        shutil.copytree(root, copy, symlinks=True, ignore=skipped)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run([*pip, str(site), str(copy)], check=True)


def batched(items: Sequence[str], size: int) -> list[Sequence[str]]:
    """Split a list into parts of one size.

    >>> batched("abcd", 2)
    ['ab', 'cd']
    """
    return [items[start : start + size] for start in range(0, len(items), size)]


def _run(site: Path, code: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(site)
    command = [sys.executable, "-c", code]
    # Without a timeout, because Python would look only every 50 ms whether the process has ended.
    subprocess.run(command, cwd=site, env=environment, check=True, stdout=subprocess.DEVNULL)


def measure(root: Path) -> dict[str, str]:
    """Measure the code of a tree, without running it."""
    code = modules(root)
    graph = imports(code, public_homes(root))
    users = [name for others in graph.values() for name in others]
    single = [name for name in code if users.count(name) == 1]
    sizes = function_lines(code)
    facts = {
        "lines of code, without comments and docstrings": sum(
            len(module.code_lines) for module in code.values()
        ),
        "modules": len(code),
        "import depth from the command `fight`": depth(graph, next(filter(code.get, COMMAND))),
        f"places that declare the option `{OPTION}`": option_places(code, OPTION),
        f"places that list the public name `{NAME}`": name_places(root, NAME),
        f"files that name the key `{KEY}`": key_places(root, code, KEY),
        "modules that lay out a standing": standings(code),
        "tables of the store": tables(root),
        "modules with one importer": len(single),
        f"those under {FEW_LINES} lines": sum(
            code[name].text.count("\n") < FEW_LINES for name in single
        ),
        "lines of a function, median": round(median(sizes)),
        "lines of a function, most": max(sizes),
    }
    return {name: f"{value:,}" for name, value in facts.items()}


def unpacked(revision: str, stack: ExitStack) -> Path:
    """Return a folder with a revision's files, which goes when the stack closes."""
    folder = stack.enter_context(TemporaryDirectory())
    command = ["git", "archive", revision]
    archive = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return Path(folder)


def main() -> None:
    """Measure the working tree, and the base if one is named, and print a table."""
    parser = ArgumentParser(prog="python -m benchmarks.house", description="Measure the code.")
    parser.add_argument("--base", metavar="REV", help="a revision of git to compare with")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of timing, 0 for none")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        trees = {"working tree": ROOT}
        if arguments.base:
            trees = {arguments.base: unpacked(arguments.base, stack), **trees}
        startups = startup([*trees.values()], arguments.rounds)
        columns = {
            name: measure(root) | times
            for (name, root), times in zip(trees.items(), startups, strict=True)
        }
    names = columns["working tree"]
    rows = [[name, *(column[name] for column in columns.values())] for name in names]
    print(tabulate(rows, ["", *columns], tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
