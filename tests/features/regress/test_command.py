"""``arena regress`` as its user and a CI see it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

import arena
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording
from tests.processes import ended

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[3]
SCHEMA = Path(__file__).parent / "junit.xsd"
STYLES = ("table", "markdown", "csv", "junit")
SUMMARY = "GITHUB_STEP_SUMMARY"

GOOD = "from arena.players.tictactoe3 import choose\n"
BROKEN = """
import random
from arena.players.tictactoe3 import choose as good


def choose(position, rng):
    forks = position.forking_moves(position.to_move.other)
    if len(forks) == 2 and not position.winning_moves(position.to_move.other):
        return forks[0]
    return good(position, rng)
"""
STATEFUL = (ROOT / "examples" / "bots" / "remembers.py").read_text()
WEAKENED = STATEFUL.replace("return min(legal", "return 0  # min(legal")
CARELESS = """
from arena.players.triples import choose as good


def choose(position, rng):
    return good(position, rng) if position.ply % 4 else position.legal_moves()[-1]
"""


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> str:
    """Return what a baseline says of the player in the file, whatever the folder."""
    folder = tmp_path_factory.mktemp("baseline")
    (folder / "bot.py").write_text(GOOD)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        arena.regress(
            ["./bot.py"], panel=["heuristic", "tictactoe1"], update=True, catalogue=catalogue
        )
    return (folder / "arena-baseline.json").read_text()


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, baseline: str) -> Path:
    """Return a player in a file, in a folder with its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arena-baseline.json").write_text(baseline)
    file = tmp_path / "bot.py"
    rewrite(file, GOOD)
    return file


def rewrite(bot: Path, text: str) -> None:
    """Another player in the file: one that this process has not loaded yet."""
    bot.write_text(text)
    for name in [name for name in sys.modules if name.startswith("arena_file_")]:
        del sys.modules[name]


@pytest.mark.slow
def test_as_strong_and_then_weaker(run: Run, bot: Path) -> None:
    ran = run("regress", "./bot.py")
    assert (ran.code, ran.err) == (0, "")
    assert "1 comparison" in ran.out.splitlines()[0]
    rewrite(bot, BROKEN)
    ran = run("regress", "./bot.py")
    assert (ran.code, ran.err) == (1, "")
    assert "./bot.py at tictactoe" in ran.out.splitlines()[0]
    assert "\n---+---+---\n" in ran.out
    commands = re.findall(r"arena (move .*)", ran.out)
    assert commands
    assert [run(*command.split()).code for command in commands] == [0] * len(commands)


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_every_format_presents_a_failure(run: Run, bot: Path, style: str) -> None:
    rewrite(bot, BROKEN)
    ran = run("regress", "./bot.py", "--format", style)
    assert (ran.code, ran.err) == (1, "")
    assert "./bot.py" in ran.out


def test_the_junit_format_is_for_this_record_alone(run: Run, wording: Wording) -> None:
    ran = run("players", "--format", "junit")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'junit'")


@pytest.mark.slow
def test_a_workflow_has_valid_junit_and_an_annotation_at_the_file(
    run: Run, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    rewrite(bot, BROKEN)
    ran = run("regress", "./bot.py", "--junit", "report.xml", "--format", "json")
    assert ran.code == 1
    wording(ran.err, "file=bot", "line=6", "title=arena", "./bot.py")
    assert ran.err.count("\n") == 1
    record = json.loads(ran.out)
    assert record["comparisons"][0]["examples"][0]["mistakes"]
    assert (record["verdict"], record["exit_code"]) == ("weaker", 1)
    assert record["players"]["./bot.py"]["line"] == 6
    import xmlschema  # takes long to import

    xmlschema.XMLSchema(str(SCHEMA)).validate(str(tmp_path / "report.xml"))
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()[0]
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["1", "1", "0"]
    assert float(suite.get("time", "0")) > 0
    assert suite.find(".//failure[@type='weaker']") is not None


@pytest.mark.slow
def test_the_summary_of_a_workflow(
    run: Run,
    bot: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    monkeypatch.setenv(SUMMARY, str(file))
    assert run("regress", "./bot.py").code == 0
    assert file.read_text().startswith("before\nNot weaker")
    wording(file.read_text(), "./bot.py")
    monkeypatch.setenv(SUMMARY, str(tmp_path))
    ran = run("regress", "./bot.py")
    assert ran.code == 0
    [line] = caplog.messages
    wording(line, "'github'", "arena_run_end", "IsADirectoryError")


@pytest.mark.slow
def test_a_junit_file_that_cannot_be_written_is_a_fault(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.files.write_atomically", full)
    ran = run("regress", "triples", "--junit", "report.xml")
    assert ran.code == 4
    assert ran.out.startswith("1 claim holds")
    [line] = caplog.messages
    wording(line, "'junit'", "arena_run_end", "OSError", "28")


@pytest.mark.slow
def test_a_junit_file_needs_its_plugin(
    run: Run, bot: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("ARENA_DISABLE_PLUGINS", "junit")
    ran = run("regress", "./bot.py", "--junit", "report.xml")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "--junit")


def pytest_on(test: Path, **environment: str) -> int:
    """Return the exit code of pytest run on a file."""
    options = ("-q", "-p", "no:cacheprovider", "-p", "arena.pytest_plugin")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(test)],
        capture_output=True,
        check=False,
        cwd=test.parent,
        env={**os.environ, **environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return ran.returncode


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["policy", "own panel", "games"])
def test_a_written_test_fails_until_it_is_mended(
    run: Run, bot: Path, tmp_path: Path, kind: str, wording: Wording
) -> None:
    good, broken = {
        "policy": (GOOD, BROKEN),
        "own panel": (GOOD, CARELESS),
        "games": (STATEFUL, WEAKENED),
    }[kind]
    if kind == "games":
        rewrite(bot, good)
        assert run("regress", "./bot.py", "--panel", "monkey", "--update").code == 0
    if kind == "own panel":
        assert run("regress", "./bot.py", "--panel", "./bot.py", "--update").code == 0
    rewrite(bot, broken)
    test = tmp_path / "test_mended.py"
    names = ["heuristic", "tictactoe1"] if kind == "policy" else []
    code = run("regress", "./bot.py", *names, "--write-test", str(test)).code
    assert code == (4 if kind == "games" else 1)  # that one makes illegal moves
    assert ("scores_against" in test.read_text()) == (kind == "policy")
    assert pytest_on(test) == 1
    rewrite(bot, good)
    assert pytest_on(test) == 0
    again = run("regress", "./bot.py", "--write-test", str(test))
    assert (again.code, again.out) == (2, "")
    wording(again.err)


@pytest.mark.slow
def test_a_written_test_of_a_broken_claim(run: Run, tmp_path: Path, wording: Wording) -> None:
    """With a plugin that takes the name of tictactoe3, as an edit of its file would."""
    plugin = tmp_path / "plugin"
    (plugin / "mutant-1.dist-info").mkdir(parents=True)
    (plugin / "mutant-1.dist-info" / "METADATA").write_text("Name: mutant\nVersion: 1\n")
    (plugin / "mutant-1.dist-info" / "entry_points.txt").write_text("[arena]\nmutant = mutant\n")
    register = 'register("tictactoe3", choose, games="tictactoe", claims=CLAIMS)'
    (plugin / "mutant.py").write_text(
        f"{BROKEN}\nfrom arena import hookimpl\n\nCLAIMS = ('never-loses:tictactoe',)\n\n\n"
        f"@hookimpl\ndef arena_register_players(register):\n    {register}\n"
    )
    mutated = {"PYTHONPATH": str(plugin), "ARENA_DISABLE_PLUGINS": "tictactoe3"}
    test = tmp_path / "test_mended.py"
    options = ("--game", "tictactoe", "--baseline", str(ROOT / "arena-baseline.json"))
    process = console("tictactoe3", *options, "--write-test", str(test), environment=mutated)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")
    wording.line(out, "tictactoe3 at tictactoe, never-loses")
    assert "never_loses('tictactoe3', game='tictactoe')" in test.read_text()
    assert pytest_on(test, **mutated) == 1
    assert pytest_on(test) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv",
    [
        ("nobody",),
        ("--game", "ludo"),
        ("--baseline", "nowhere.json"),
        ("--baseline", "."),
        ("--level", "0"),
        ("--level", "2"),
        ("--margin", "x"),
        ("--panel", "a,,b"),
        ("--panel", "monkey,monkey"),
        ("--panel", "monkey"),
        ("-n", "0"),
        ("--junit", "/no/such/file.xml"),
        ("--write-test", "test.txt"),
        ("--write-test", "bot.py"),
        ("--update", "--baseline", "/no/such/file"),
        ("--format", "junti"),
        ("--executor", "cereal"),
    ],
)
def test_mistakes_are_one_line(
    run: Run, bot: Path, argv: tuple[str, ...], wording: Wording
) -> None:
    before = sorted(os.listdir())
    ran = run("regress", *argv)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)
    assert sorted(os.listdir()) == before


def console(
    *argv: str, stdout: int = subprocess.PIPE, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    code = "import sys; from arena.main import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "regress", *argv],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )


@pytest.mark.slow
def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = console("triples", stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.slow
def test_an_interrupt_leaves_the_old_baseline(bot: Path, tmp_path: Path) -> None:
    started = tmp_path / "started"
    bot.write_text(
        "import pathlib, time\n\n\ndef choose(position, rng):\n"
        f"    pathlib.Path({str(started)!r}).touch()\n    time.sleep(60)\n"
    )
    before = (tmp_path / "arena-baseline.json").read_bytes()
    with ended(console("./bot.py", "--update", "--isolation", "none")) as process:
        for _ in range(600):
            if started.exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "arena: interrupted\n")
    assert (tmp_path / "arena-baseline.json").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {
        "arena-baseline.json",
        "bot.py",
        "started",
    }


@pytest.mark.slow
def test_the_projects_own_night(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ran = run("regress")
    assert (ran.code, ran.err) == (0, "")
    assert {"0.05:", "3", "12"} <= set(ran.out.splitlines()[0].split())
    assert max(map(len, ran.out.splitlines())) <= 80
