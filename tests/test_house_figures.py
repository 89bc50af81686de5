"""The benchmark of the house counts what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import house
from benchmarks.house import Module

ROOT = Path(__file__).parent.parent


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a small tree in which one option, name and key are declared more than once."""
    files = {
        "arena/__init__.py": "",
        "arena/__init__.pyi": "from arena.b import fight as fight\n",
        "arena/a.py": "import arena\n\ndef run():\n    return arena.fight()\n",
        "arena/b.py": "def fight(keep_going: bool):\n    from arena import c\n    return c\n",
        "arena/c.py": "USUAL = {\n    'keep_going': 1,\n    'x': '--keep-going',\n}\n",
        "arena/d.py": "FLAGS = '--seed --keep-going'\nHINT = 'try --keep-going'\n",
        "arena/rows.py": "def row(it):\n    return {'rank': 1, 'missing_pairs': it.missing}\n",
        "arena/store/schema.py": "A = Table('a', m)\nB = 'CREATE TABLE b (x)'\n".replace("'", '"'),
        "players/p.py": "from arena.c import USUAL\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "arena" / "players").symlink_to("../players")
    return tmp_path


def test_modules_have_arenas_names_and_links_are_not_followed(tree: Path) -> None:
    names = {f"arena.{name}" for name in ("a", "b", "c", "d", "rows", "store.schema", "players.p")}
    assert set(house.modules(tree)) == names | {"arena"}


def test_lines_of_code_are_those_of_tokens() -> None:
    text = '"""A\n\nB"""\n\n# c\nx = """d\ne"""  # f\n\n\ndef g():\n  """H."""\n  return (\n  )\n'
    assert Module(text).code_lines == {6, 7, 10, 12, 13}


def test_a_chain_of_imports_goes_through_functions_and_public_names(tree: Path) -> None:
    code = house.modules(tree)
    graph = house.imports(code, house.public_homes(tree))
    assert graph["arena.a"] == {"arena", "arena.b"}
    assert house.depth(graph, "arena.a") == 3


def test_a_circle_of_imports_has_a_depth() -> None:
    assert house.depth({"a": {"b"}, "b": {"a"}}, "a") == 2


def test_declarations_are_counted_and_mentions_are_not(tree: Path) -> None:
    code = house.modules(tree)
    assert house.option_places(code, "keep_going") == 3
    assert house.name_places(tree, "fight") == 1
    assert house.key_places(tree, code, "missing_pairs") == 1
    assert house.standings(code) == 1
    assert house.tables(tree) == 2


@pytest.mark.nightly  # it installs both
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout of git")
def test_a_revision_is_a_column_beside_the_working_tree() -> None:
    command = [sys.executable, "-m", "benchmarks.house", "--base", "HEAD", "--rounds", "0"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    header, _, *rows = [line.strip("|").split("|") for line in ran.stdout.splitlines()]
    assert [cell.strip() for cell in header] == ["", "HEAD", "working tree"]
    assert len(rows) == len(house.measure(ROOT)) + len(house.COMMANDS)
