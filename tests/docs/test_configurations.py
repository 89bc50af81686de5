"""Every configuration file and workflow of the documentation is one that a test runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import arena
from tests.docs.reading import PAGES, ROOT


def configurations() -> Iterator[tuple[str, str]]:
    """Yield the page and the text of each configuration."""
    for page in PAGES:
        for text in re.findall(r"^```(?:toml|ya?ml|ini)\n(.*?)^```", page.read_text(), re.M | re.S):
            yield page.name, text


#: The test that runs the configurations of a page, one entry for each.
RUN_BY = {
    "agents.md": ["docs/test_agents_page.py", "docs/test_agents_page.py"],
    "contest.md": ["docs/test_contest_page.py"],
    "contests.md": ["docs/test_examples.py"],
    "engines.md": ["docs/test_configurations.py"],
    "players.md": ["features/new/test_scaffolds.py"],
    "plugins.md": ["docs/test_configurations.py", "test_fresh_install.py"],
    "regression.md": ["features/new/test_scaffolds.py"],
    "volunteers.md": ["volunteers/test_contests.py"],
    "wasm.md": ["sandbox/wasm/test_contest.py"],
}


def test_every_configuration_has_a_test_that_runs_it() -> None:
    pages = [page for page, _ in configurations()]
    assert {page: pages.count(page) for page in pages} == {
        page: len(tests) for page, tests in RUN_BY.items()
    }
    assert all((ROOT / "tests" / test).is_file() for tests in RUN_BY.values() for test in tests)


def texts(page: str) -> list[str]:
    """Return the configurations of a page."""
    return [text for name, text in configurations() if name == page]


def test_the_entry_point_of_a_player_is_that_of_a_new_project(tmp_path: Path) -> None:
    arena.new("player", "corner", tmp_path)
    [entry_point] = texts("players.md")
    assert entry_point in (tmp_path / "corner" / "pyproject.toml").read_text()


def test_the_entry_point_of_a_plugin_is_that_of_the_example() -> None:
    example = (ROOT / "examples" / "arena-corner" / "pyproject.toml").read_text()
    assert texts("plugins.md")[1] in example


def test_the_workflow_is_that_of_the_package() -> None:
    [workflow] = texts("regression.md")
    assert workflow == files("arena.features.regress").joinpath("nightly.yml").read_text()


@pytest.mark.needs("stockfish")
def test_the_engine_of_a_contest_file_plays(tmp_path: Path) -> None:
    [entrant] = texts("engines.md")
    file = tmp_path / "contest.toml"
    file.write_text(f'game = "chess"\npairs = 1\nseed = 1\nplayers = ["monkey"]\n{entrant}')
    played = arena.tournament(file, store=None)
    assert {row.player: row.forfeits for row in played.standings} == {"fish": 0, "monkey": 0}


@pytest.mark.outside
def test_the_observer_of_the_page_is_called_once_its_project_is_installed(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "plugins.md").read_text()
    [module] = re.findall(r"^`arena_log\.py`:\n\n```python\n(.*?)^```", page, re.M | re.S)
    project, site = tmp_path / "project", tmp_path / "site"
    project.mkdir()
    (project / "arena_log.py").write_text(module)
    (project / "pyproject.toml").write_text(texts("plugins.md")[0])
    install = ["pip", "install", "-q", "--no-deps", "--target", str(site), str(project)]
    subprocess.run([sys.executable, "-m", *install], check=True)
    fought = subprocess.run(
        [sys.executable, "-m", "arena", "fight", "monkey", "triples", "-n", "1"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{site}:{ROOT}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "monkey against triples: " in fought.stderr
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2
