"""Every complete example of docs/plugins.md, installed as a distribution installs it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import arena
from arena.plugin import hookspecs
from arena.plugin.manager import load_catalogue
from arena.testing import check_game
from tests.conftest import Run
from tests.pages import console_examples, files
from tests.plugin.test_manager import Site, check_the_rest, site  # noqa: F401  (a fixture)

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text()
FILES = files(PAGE)
COMMANDS = console_examples(PAGE)


def test_the_tutorial_has_an_example_of_every_hook_that_registers_or_adds() -> None:
    assert len(FILES) >= 6
    hooks = {name for name in vars(hookspecs) if re.match("arena_(register|add)_", name)}
    assert hooks == set(re.findall(r"def (arena_(?:register|add)_\w+)", "".join(FILES.values())))


@pytest.mark.parametrize("file", FILES)
def test_a_complete_example_runs_when_it_is_installed(
    site: Site,  # noqa: F811
    run: Run,
    file: str,
) -> None:
    name = Path(file).stem
    site.install(name, name, **{name: FILES[file]})
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert [info.name for info in catalogue.plugins if info.package == name] == [name]
    check_the_rest(catalogue)
    word = f"arena -p ./{file} "
    own = [(command, output) for command, output in COMMANDS if command.startswith(word)]
    assert own, f"docs/plugins.md has no command with {file}"
    for command, output in own:
        without = output.replace(word, "arena ")  # an installed plugin is not named again
        assert run(*shlex.split(command.removeprefix(word))) == (0, without, "")


@pytest.mark.parametrize("counters", [1, 7])
def test_the_game_of_the_tutorial_keeps_the_contract(
    site: Site,  # noqa: F811
    counters: int,
) -> None:
    site.install("take", "take", take=FILES["take.py"])
    report = check_game(arena.get_game(f"take-{counters}"))
    assert report.headline.endswith("conforms: no failures, no warnings")


def test_every_name_of_the_tutorials_table_is_in_arena() -> None:
    table = PAGE.split("## What to import")[1].split("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", table)) - {"arena"}
    assert len(named) >= 30
    assert named <= set(arena.__all__)
