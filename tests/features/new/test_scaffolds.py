"""Projects that ``arena new`` begins: whole or absent, and green at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import arena
from arena.features.new.scaffolds import KINDS, LAYOUTS, MAX_PROJECT_NAME
from tests.conftest import Run
from tests.golden import Wording

ROOT = Path(__file__).parents[3]
PROJECTS = tuple(LAYOUTS)
MYPY = ("-m", "mypy", "--strict", "--follow-imports=silent")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("kind", PROJECTS)
def test_a_project_is_what_the_record_says_and_no_word_is_left_to_fill_in(
    kind: str, folder: Path
) -> None:
    made = arena.new(kind, "my-bot")
    there = everything(folder)
    assert set(made.files) == set(there)
    assert len(there) == len(LAYOUTS[kind])
    assert not [name for name, data in there.items() if re.search(rb"@[a-z]+@", data)]
    assert b"my-bot" in there["my-bot/README.md"]
    assert all(data.endswith(b"\n") for data in there.values())


def test_a_hidden_game_is_a_game_of_cards_and_nothing_else_is_hidden(
    run: Run, folder: Path
) -> None:
    ran = run("new", "game", "--hidden", "poker")
    assert (ran.code, "arena fight cfr monkey --game poker" in ran.out) == (0, True)
    assert "WordPosition" in (folder / "poker" / "arena_poker.py").read_text()
    assert not re.search(
        r"@[a-z]+@", "".join(p.read_text() for p in folder.rglob("*.*") if p.is_file())
    )
    ran = run("new", "player", "--hidden", "bot")
    problem = "--hidden is for a game, not for a player: arena new game --hidden bot"
    assert (ran.code, ran.err.strip()) == (2, f"arena: {problem}")
    assert not (folder / "bot").exists()


def test_a_name_that_is_taken_changes_nothing(run: Run, folder: Path, wording: Wording) -> None:
    (folder / "bot").mkdir()
    (folder / "link").symlink_to("nowhere")
    before = everything(folder)
    for name in ("bot", "link"):
        ran = run("new", "player", name)
        assert ran.code == 2
        wording(ran.err, f"{name}")
    ran = run("new", "player", "monkey")
    assert ran.code == 2
    wording(ran.err, "'monkey'")
    assert everything(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == ["bot", "link"]


@pytest.mark.parametrize(
    "words", [("game", "tictactoe"), ("game", "mnk-3-3"), ("game", "--hidden", "kuhn")]
)
def test_the_name_of_an_installed_game_is_refused(run: Run, words: tuple[str, ...]) -> None:
    ran = run("new", *words)
    assert ran.code == 2
    assert "installed already" in ran.err
    assert not Path(words[-1]).exists()


def test_a_keyword_is_not_a_name(run: Run) -> None:
    ran = run("new", "player", "class")
    assert (ran.code, "keyword" in ran.err) == (2, True)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-x",
        "Bot",
        "a_b",
        "a--b",
        "1a",
        "../up",
        "a/b",
        "a\nb",
        "é",
        "x" * (MAX_PROJECT_NAME + 1),
    ],
)
def test_what_is_not_a_name_is_one_line(name: str, folder: Path, wording: Wording) -> None:
    with wording.raises(arena.UsageError) as refused:
        arena.new("player", name)
    assert "\n" not in str(refused.value)
    assert not everything(folder)


def test_an_unknown_kind_names_the_nearest(run: Run, folder: Path, wording: Wording) -> None:
    ran = run("new", "playr", "bot")
    assert ran.code == 2
    wording(ran.err, "'playr'")
    assert "player" in ran.err


def test_a_folder_that_is_not_there_or_cannot_be_written_is_one_line(
    run: Run, folder: Path
) -> None:
    (folder / "file").write_text("")
    for where in ("nowhere", "file"):
        ran = run("new", "game", "heap", "--folder", where)
        assert (ran.code != 0, ran.err.count("\n"), where in ran.err) == (True, 1, True)


def test_a_project_that_cannot_be_finished_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with wording.raises(OSError):
        arena.new("contest", "spring")
    assert list(folder.iterdir()) == []


def test_ci_adds_one_workflow_to_a_project_and_never_overwrites(
    run: Run, folder: Path, wording: Wording
) -> None:
    wording(run("new", "ci", "night").err)
    arena.new("player", "bot")
    before = everything(folder)
    assert run("new", "ci", "night", "--folder", "bot").code == 0
    assert everything(folder).keys() - before.keys() == {"bot/.github/workflows/night.yml"}
    ran = run("new", "ci", "night", "--folder", "bot")
    assert (ran.code, "night.yml" in ran.err) == (2, True)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a virtual environment that sees arena, pytest and what is installed into it."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    here = [path for path in sys.path if path.endswith("site-packages")]
    root = str(Path(__file__).parents[3])
    (site / "arena.pth").write_text("\n".join([root, *here]) + "\n")
    return folder


@pytest.mark.outside
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("kind", "hidden"),
    [
        ("player", False),
        *(pytest.param(kind, False, marks=pytest.mark.nightly) for kind in PROJECTS[1:]),
        ("game", True),
    ],
)
def test_a_project_is_green_once_it_is_installed(
    kind: str, hidden: bool, environment: Path, folder: Path
) -> None:
    """Do what the README of the project says; building depends on the network."""
    name = f"fresh-hidden-{kind}" if hidden else f"fresh-{kind}"
    arena.new(kind, name, hidden=hidden)
    project = folder / name
    python = environment / "bin" / "python"
    done_in(
        project,
        python,
        *["-m", "pip", "install", "-q", "--no-deps", "-e", "."],
    )
    assert " passed" in done_in(project, python, *["-m", "pytest", "-q", "-p", "no:cacheprovider"])
    for module in project.glob("arena_*.py"):
        done_in(project, sys.executable, *["-m", "ruff", "check", "--isolated"], module)
        done_in(project, sys.executable, *MYPY, module)
    if kind == "game":
        a_file_plays_the_game(folder / "bots", python, name if hidden else f"{name}-21")
    if kind == "player":
        the_workflow_of_ci_is_green(project, python)


@pytest.mark.outside
@pytest.mark.timeout(300)
def test_a_module_in_c_is_green_once_it_is_compiled(environment: Path, folder: Path) -> None:
    if find_spec("ziglang") is None:
        pytest.skip("needs ziglang: pip install ziglang")
    arena.new("player", "fresh-module", wasm="c")
    project, python = folder / "fresh-module", environment / "bin" / "python"
    done_in(project, python, "build.py")
    assert " passed" in done_in(project, python, *["-m", "pytest", "-q", "-p", "no:cacheprovider"])
    done_in(project, sys.executable, *["-m", "ruff", "check", "--isolated", "build.py"])


def test_a_module_in_c_is_a_project_of_its_own(run: Run, folder: Path, wording: Wording) -> None:
    assert run("new", "player", "--wasm", "c", "my-bot").code == 0
    there = everything(folder)
    assert not [name for name, data in there.items() if re.search(rb"@[a-z]+@", data)]
    header = ROOT / "examples" / "wasm" / "player.h"
    assert there["my-bot/player.h"] == header.read_bytes()
    for words in (("player", "--wasm", "cobol", "bot"), ("game", "--wasm", "c", "heap")):
        ran = run("new", *words)
        assert ran.code == 2
        wording(ran.err)


def a_file_plays_the_game(folder: Path, python: Path, game: str) -> None:
    """Play the editable game with a player in a file, which is isolated."""
    folder.mkdir()
    (folder / "bot.py").write_text("def choose(position, rng): return position.legal_moves()[0]\n")
    fight = ["fight", "./bot.py", "monkey", "--game", game, "-n", "3"]
    assert "forfeited" not in done_in(folder, python, "-m", "arena", *fight)


def the_workflow_of_ci_is_green(project: Path, python: Path) -> None:
    """Add the nightly workflow, call what it says is next, then what it calls by night."""
    made = arena.new("ci", "night", project)
    workflow = (project / made.files[0]).read_text()
    (nightly,) = re.findall(r"- run: (arena regress .*)", workflow)
    for line in (*made.next, nightly):
        command, *words = line.split()
        assert command == "arena"
        done_in(project, python, "-m", "arena", *words)
    assert (project / "arena-baseline.json").is_file()


def done_in(project: Path, *command: str | Path) -> str:
    """Return what a command prints that must succeed."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    variables["MYPYPATH"] = str(Path(__file__).parents[3])
    done = subprocess.run(
        command, cwd=project, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_every_kind_has_its_line_in_the_docs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "new.md").read_text()
    assert {*re.findall(r"^arena new ([a-z]+) ", page, re.MULTILINE)} == set(KINDS)
