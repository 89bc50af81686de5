"""The workflow stands once: in the package, and word for word on its page."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def workflow() -> str:
    return files("arena.features.regress").joinpath("nightly.yml").read_text(encoding="utf-8")


def test_the_page_has_the_workflow_of_the_package(workflow: str) -> None:
    page = (ROOT / "docs" / "regression.md").read_text()
    assert page.count(f"```yaml\n{workflow}```\n") == 1
    assert len(workflow.splitlines()) <= 20


def test_the_command_of_the_workflow_is_one_and_its_files_are_kept(
    run: Run, workflow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = re.findall(r"^ +- run: arena (.*)$", workflow, re.MULTILINE)
    words = line.split()
    ran = run(*words)  # it is understood, and refused for the one thing that is not here
    assert ran.code == 2
    wording(ran.err, "'arena-baseline.json'")
    saved = re.findall(r"if: always\(\)\n +with: (.*)$", workflow, re.MULTILINE)
    assert len(saved) == 2, "a run that fails is kept too"
    assert all(words[words.index("--store") + 1] in step for step in saved)
    assert words[words.index("--junit") + 1] in saved[1]


def test_the_nightly_workflow_of_this_project_runs_the_same_check() -> None:
    own = (ROOT / ".github" / "workflows" / "nightly.yml").read_text()
    assert "arena regress --baseline arena-baseline.json" in own
