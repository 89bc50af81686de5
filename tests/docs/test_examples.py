"""The examples of the pages run, and print what the pages say."""

from __future__ import annotations

import doctest
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.reading import PAGES, ROOT, needs_of
from tests.pages import console_examples, files, typed_and_words

if TYPE_CHECKING:
    from tests.conftest import Run


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=needs_of(page.name), id=page.name) for page in PAGES]
)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")  # where pages say that programs are
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For every page a folder of its own to run its examples in, one after the other."""
    results = {}
    for page in PAGES:
        results[page.name] = tmp_path_factory.mktemp(page.stem) / "bots"
        for examples in ("bots", "games", "llm"):
            shutil.copytree(ROOT / "examples" / examples, results[page.name], dirs_exist_ok=True)
        for name, code in files(page.read_text()).items():
            (results[page.name] / name).write_text(code)
    return results


def every_console_example() -> Iterator[tuple[str, str, str]]:
    """Page, command and expected output of every console block."""
    for page in PAGES:
        for command, output in console_examples(page.read_text()):
            yield page.name, command, output


#: The versions of the day in what a proof says.
VERSIONS = r"\barena [\w.+]+, NumPy [\w.+]+, Python [\w.+]+"

#: Words of the examples that take longest; the slow tests run them.
LONG = (
    "arena check",
    "arena exact tictactoe3 monkey --openings random:3",
    "arena fight cfr ./king.py --game leduc -n 500",
    "arena fight tictactoe1 monkey -n 100000",
    "arena fight minimax monkey -n 5 --game connect-5-4-4",
    "arena train lms --seed 1 --curve",
    "arena regress",
    "arena -p ./flips.py solve",
    "arena -p ./heaps.py check",
)


def marks_of(page: str, command: str) -> list[pytest.MarkDecorator]:
    """Return what the example takes: time, or a tier in which a referee starts players."""
    at_kaggle = "--game kaggle:" in command
    is_refereed = "referee:" in command or "referee%3A" in command or at_kaggle
    results = [pytest.mark.slow] * (
        page in ("tutorial.md", "contests.md") or command.startswith(LONG)
    )
    is_solved = bool(re.search(r"solve kuhn|exam .*--game kuhn|solved:", command))
    results += [pytest.mark.needs("highspy")] * is_solved
    results += [pytest.mark.needs("kaggle_environments")] * at_kaggle
    return [*results, *[pytest.mark.needs("bwrap")] * is_refereed]


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
    typed, words = typed_and_words(command, folders[page])
    monkeypatch.chdir(folders[page])
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    ran = run(*words)
    # Which tier is the strongest is the machine's.
    result = re.sub(
        r"^isolated \((locked|process)\)", "isolated (bwrap)", ran.out, flags=re.MULTILINE
    )
    result, output = (re.sub(VERSIONS, "arena", text) for text in (result, output))
    assert (ran.err + result, ran.code) == (output, 0)  # what an observer prints stands first
