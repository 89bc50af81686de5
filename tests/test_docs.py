"""The documentation is under test: its examples run, and its lists are complete."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import io
import json
import pkgutil
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.plugin import hookspecs
from arena.plugin.catalogue import Catalogue
from arena.records.fights import ForfeitedGame
from arena.records.prints import Printed
from tests import needs
from tests.observing import observed_by
from tests.pages import console_examples, files

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
#: Pages whose examples need optional libraries and programs.
NEEDS = {"openspiel.md": ["open_spiel"], "engines.md": ["stockfish", "gnugo", "open_spiel"]}
MODULES = ["arena", *(m.name for m in pkgutil.walk_packages(arena.__path__, "arena."))]


def source_of(name: str) -> str:
    """Return the text of a module, which is not imported: some need optional libraries."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text()


WITH_EXAMPLES = [name for name in MODULES if ">>> " in source_of(name)]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def needs_of(page: str) -> list[pytest.MarkDecorator]:
    """Return what the examples of a page need."""
    return [pytest.mark.needs(name) for name in NEEDS.get(page, ())]


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=needs_of(page.name), id=page.name) for page in PAGES]
)
def test_python_examples_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For every page a folder of its own to run its examples in, one after the other."""
    found = {}
    for page in PAGES:
        found[page.name] = tmp_path_factory.mktemp(page.stem) / "bots"
        for examples in ("bots", "games"):
            shutil.copytree(ROOT / "examples" / examples, found[page.name], dirs_exist_ok=True)
        for name, code in files(page.read_text()).items():
            (found[page.name] / name).write_text(code)
    return found


def every_console_example() -> Iterator[tuple[str, str, str]]:
    """Page, command and expected output of every console block."""
    for page in PAGES:
        for command, output in console_examples(page.read_text()):
            yield page.name, command, output


def typed_and_command(example: str) -> tuple[str, str]:
    """Return what ``printf '5\\n3\\n' | arena play`` reads, and the command alone."""
    pipe = re.fullmatch(r"printf '([^'%]*)' \| (.*)", example)
    return (pipe[1].replace("\\n", "\n"), pipe[2]) if pipe else ("", example)


#: The versions of the day in what a proof says.
VERSIONS = r"\barena [\w.+]+, NumPy [\w.+]+, Python [\w.+]+"

#: Words of the examples that take longest; the slow tests run them.
LONG = (
    "arena check",
    "arena exact tictactoe3 monkey --openings random:3",
    "arena fight tictactoe1 monkey -n 100000",
    "arena train lms --seed 1 --curve",
    "arena regress",
    "arena -p ./flips.py solve",
    "arena -p ./heaps.py check",
)


def marks_of(page: str, command: str) -> list[pytest.MarkDecorator]:
    """Return what the example takes: time, or a tier in which a referee starts players."""
    is_refereed = "referee:" in command or "referee%3A" in command
    found = [pytest.mark.slow] * (
        page in ("tutorial.md", "contests.md") or command.startswith(LONG)
    )
    return [*found, *[pytest.mark.needs("bwrap")] * is_refereed]


@pytest.mark.parametrize(
    ("page", "command", "output"),
    [
        pytest.param(*example, marks=[*needs_of(example[0]), *marks_of(*example[:2])])
        for example in every_console_example()
    ],
)
def test_commands_print_what_the_page_says(
    folders: dict[str, Path],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    page: str,
    command: str,
    output: str,
) -> None:
    typed, command = typed_and_command(command)
    words = shlex.split(command)
    assert words[0] == "arena", f"{page}: an example is a command of arena's"
    monkeypatch.chdir(folders[page])
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    ran = run(*words[1:])
    # Which tier is the strongest is the machine's.
    found = re.sub(
        r"^isolated \((locked|process)\)", "isolated (bwrap)", ran.out, flags=re.MULTILINE
    )
    found, output = (re.sub(VERSIONS, "arena", text) for text in (found, output))
    assert (ran.err + found, ran.code) == (output, 0)  # what an observer prints stands first


def test_the_tutorials_commands_are_examples_unless_they_wait_for_a_person() -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text()
    blocks = re.findall(r"^```(\w*)\n.*?^```", page, re.DOTALL | re.MULTILINE)
    assert {*blocks} == {"python", "console"}
    assert {*re.findall(r"`arena ([^`]*)`", page)} == {"play tictactoe1", "serve first.db"}


def test_the_readme_is_short_and_leaves_long_tables_to_pages() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(lines) <= 170
    assert len(rows) <= 15


def test_the_readme_has_exactly_two_set_up_commands_and_ci_runs_the_second() -> None:
    set_up = (ROOT / "README.md").read_text().split("## Set up")[1].split("\n## ")[0]
    install, test = re.findall(r"```sh\n(.*?)\n```", set_up, re.DOTALL)
    assert install == "pip install . && arena fight tictactoe3 monkey -n 1000"
    assert test in (ROOT / ".ci" / "run").read_text().splitlines()
    assert test in (ROOT / "CONTRIBUTING.md").read_text()


def test_ci_hides_and_installs_what_tests_may_miss() -> None:
    text = (ROOT / ".ci" / "run").read_text()
    programs, libraries = (
        dict(word.split(":") for word in text.split(f'{name}="')[1].split('"')[0].split())
        for name in ("optional", "libraries")
    )
    assert programs == needs.OUTSIDE
    assert libraries == needs.LIBRARIES
    assert f" apt-get -qq install -y {needs.LZMA} || true" in text


def test_every_hook_is_documented_with_its_arguments() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text()
    hooks = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("arena_")}
    headings = re.findall(r"^### (.*)$", page, re.MULTILINE)
    assert headings == [
        f"{name}({', '.join(inspect.signature(hook).parameters)})" for name, hook in hooks.items()
    ]


def test_every_attribute_of_a_finished_game_is_documented() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text()
    rows = page.split("| `game.` |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [row.split("|")[1:3] for row in rows]
    named = {name for cell, _ in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named == {own.name for own in fields(arena.GameResult)} | {"winner"}
    told = {cell.strip(): set(re.findall(r"`(\w+)`", text)) for cell, text in cells}
    assert told["`printed`"] == {*Printed._fields}
    assert told["`forfeit`"] == {own.name for own in fields(ForfeitedGame)} - {"game_id"}


@pytest.mark.slow
def test_the_observer_of_the_page_writes_games_that_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = ModuleType("arena_log")
    exec(files((ROOT / "docs" / "plugins.md").read_text())["arena_log.py"], vars(plugin))
    monkeypatch.chdir(tmp_path)
    result = arena.fight(
        "monkey", "tictactoe1", 20, seed=1, workers=2, catalogue=observed_by(plugin)
    )
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(games) == 40
    assert all(arena.replay(game["game_id"]).as_json() == game for game in games)
    assert capsys.readouterr().err == f"monkey against tictactoe1: {result.total.score:.1%}\n"


def test_every_player_and_game_is_documented(catalogue: Catalogue) -> None:
    players, games = ((ROOT / "docs" / f"{p}.md").read_text() for p in ("players", "games"))
    own = {name for name, info in catalogue.players if info.package == "proving-arena"}
    assert set(re.findall(r"^\| (\w+) \| [\w*]", players, re.MULTILINE)) == own | {"player"}
    rows = set(re.findall(r"^\| `(.*?)` ", games.partition("## Notation")[0], re.MULTILINE))
    families = {name for name, _ in catalogue.families}
    miseres = {f"{name}-misere" for name in families} & families  # a sentence is about them all
    assert rows == families - miseres


def test_every_relative_link_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def generator() -> dict[str, Any]:
    """Return the names of the script that writes pages."""
    return runpy.run_path(str(ROOT / "docs" / "generate.py"))


def test_every_generated_page_is_compared() -> None:
    pages = {"api.md", "json.md", "schemas.json"}
    pages |= {"commands.md", "certified.md", "variants.md", "openspiel.md"}
    assert generator()["PAGES"].keys() == pages


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse's layout differs by version")
@pytest.mark.parametrize(
    "name",
    [
        "api.md",
        "json.md",
        "schemas.json",
        "commands.md",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("certified.md", "variants.md")),
        pytest.param("openspiel.md", marks=needs_of("openspiel.md")),
    ],
)
def test_generated_pages_are_up_to_date(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert text == generator()["PAGES"][name](), (
        f"run: python docs/generate.py ({name} has changed)"
    )


def test_the_page_of_values_names_the_sources_of_published_ones() -> None:
    text = (ROOT / "docs" / "values.md").read_text(encoding="utf-8")
    head = runpy.run_path(str(ROOT / "docs" / "values.py"))["head_of"](830)
    assert text.startswith(head)
    assert "*Games solved: now and in" in head
    assert "https://tromp.github.io/c4/c4.html" in head


@pytest.mark.slow
def test_the_values_of_small_boards_are_those_that_arena_finds() -> None:
    text = (ROOT / "docs" / "values.md").read_text(encoding="utf-8")
    rows_of = runpy.run_path(str(ROOT / "docs" / "values.py"))["rows_of"]
    rows = [f"| {' | '.join(map(str, row))} |" for row in rows_of({1: 6, 2: 3})]
    assert len(rows) == 49
    assert [row for row in rows if row not in text] == []


def test_the_public_names_are_sorted_and_exist() -> None:
    assert sorted(arena.__all__) == arena.__all__
    for name in arena.__all__:
        assert getattr(arena, name).__doc__, f"arena.{name} has no docstring"
