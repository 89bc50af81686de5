"""Every command, as its user sees it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from itertools import count

import pytest

import arena
from arena.features.commands import COMMANDS
from arena.signatures import TOPIC_PLAYED
from tests.cli.examples import BASELINE, EXAMPLES, PROMISED, SCHEMAS
from tests.conftest import Run
from tests.samples import few


@pytest.fixture(scope="module")
def example(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], tuple[str, ...]]:
    """Return the example of a command; files that it names are there."""
    folder = tmp_path_factory.mktemp("example")
    arena.fight("monkey", "triples", 3, seed=7, store=folder / "arena.db")
    arena.regress(["triples"], baseline=BASELINE, store=folder / "arena.db")
    results = "a,b,wins,draws,losses\nanna,bert,5,3,2\nbert,cleo,4,1,5\n"
    (folder / "results.csv").write_text(results)
    (folder / "games.pgn").write_text('[White "anna"]\n[Black "bert"]\n1. e4 1-0\n')
    new = count()
    return lambda command: tuple(
        word.format(folder=folder, new=next(new)) for word in EXAMPLES[command]
    )


def test_every_command_has_an_example_here() -> None:
    # A script, what does not end, and what needs a server or a repository: see tests/features.
    without_records = {"completion", "hand-in", "league", "serve", "work"}
    assert set(COMMANDS) - without_records == set(EXAMPLES) == set(PROMISED)


#: The commands, with what the example of each needs that few machines have.
COMMANDS_TO_RUN = [
    pytest.param(name, marks=pytest.mark.needs("highspy")) if name == "evaluate" else name
    for name in EXAMPLES
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS_TO_RUN)
def test_json_has_the_promised_keys(
    run: Run, example: Callable[[str], tuple[str, ...]], command: str
) -> None:
    ran = run(*example(command), "--format", "json")
    assert (ran.code, ran.err) in ((0, ""), (int(command == "doctor"), ""))
    record = json.loads(ran.out)
    assert record["schema"] == SCHEMAS.get(command, f"arena.{command}/1")
    assert set(record) >= PROMISED[command]


@pytest.mark.parametrize("command", few(COMMANDS_TO_RUN, 8))
@pytest.mark.parametrize(
    "style",
    ["table", *(pytest.param(style, marks=pytest.mark.slow) for style in ("markdown", "csv"))],
)
def test_every_format_presents_every_record(
    run: Run, example: Callable[[str], tuple[str, ...]], command: str, style: str
) -> None:
    ran = run(*example(command), "--format", style)
    assert (ran.code, ran.err) in ((0, ""), (int(command == "doctor"), ""))
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    if style == "csv":
        rows = list(csv.reader(io.StringIO(ran.out)))
        assert len({len(row) for row in rows}) == 1
    if style == "table":
        assert max(map(len, ran.out.splitlines())) <= 80  # which fit a terminal


@pytest.mark.parametrize("command", EXAMPLES)
def test_every_command_has_help(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: arena {command}")


def test_help_is_there_for_who_asks_in_any_way(run: Run) -> None:
    helped = run("--help")
    assert run() == run("help") == run("-h") == helped
    assert run("help", "fight") == run("fight", "--help")
    assert run("-V") == run("--version")
    named = re.findall(r"^  ([a-z][a-z-]*) ", helped.out, re.MULTILINE)
    assert named == [*COMMANDS]


def test_isolation_is_in_the_long_help_alone(run: Run) -> None:
    brief, whole = run("fight", "--help").out, run("fight", "--help-all").out
    assert "--memory MB" not in brief
    assert "--memory" in brief
    assert "--memory MB" in whole
    assert f"{TOPIC_PLAYED}:" in brief
    assert brief.index("--game GAME") < brief.index("--format FORMAT") < brief.index("--help-all")


def test_the_version_is_the_distributions(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version").out == f"arena {version('proving-arena')}\n"
