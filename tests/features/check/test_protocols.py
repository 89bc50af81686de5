"""The walk through the protocol of an engine, step by step."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import arena
from arena.features.check.protocols import walk_protocol
from arena.features.check.questions import set_exam
from arena.features.check.record import Finding, Level
from tests.golden import Wording
from tests.needs import python_of_all

ENGINE = Path(__file__).parents[2] / "plugins" / "engines" / "chess.py"
#: The last step.
LAST = "uci: quit"


def engine(fault: str = "") -> str:
    return f"uci:{shlex.join([python_of_all(), str(ENGINE), fault])}"


def walk(player: str, patience: float = 0.5) -> list[Finding]:
    """Return the findings of the steps."""
    info = arena.get_player(player, isolation="process")
    return list(walk_protocol(set_exam(info, arena.get_game("chess"), 1, 1, patience)))


@pytest.mark.slow
def test_an_engine_that_keeps_the_protocol_passes_every_step() -> None:
    report = arena.check(engine(), seed=1, positions=1, isolation="process")
    assert report.game == "chess"
    findings = [finding for finding in report.findings if finding.check.startswith("uci: ")]
    assert {finding.level for finding in findings} == {Level.PASS}
    assert findings[-1].check == LAST
    names = [finding.check for finding in findings]
    assert len(set(names)) == len(names) == 21


@pytest.mark.parametrize(
    ("fault", "step"),
    [
        ("no name", "id name"),
        ("no author", "id author"),
        ("type", "options"),
        ("spin", "options"),
        ("max", "options"),
        ("check", "options"),
        ("combo", "options"),
        ("unasked", "position fen"),
        ("float", "go wtime"),
        ("no score", "go wtime"),
        ("silent", "go with increments"),
        ("illegal", "promotion"),
        ("ends", "isready in a search"),
        ("busy", "isready in a search"),
        ("goes on", "stop"),
        ("wrong", "stop"),
        ("stays", "quit"),
    ],
)
def test_the_first_step_that_fails_is_named(fault: str, step: str, wording: Wording) -> None:
    *passed, failed = walk(engine(fault))
    assert {finding.level for finding in passed} <= {Level.PASS}
    assert (failed.check, failed.level) == (f"uci: {step}", Level.FAIL)
    if fault not in ("silent", "busy", "goes on"):  # how long it waited is another text
        wording(failed.message)


@pytest.mark.slow
def test_an_engine_that_was_stopped_before_it_had_a_move_searches_again() -> None:
    assert {finding.level for finding in walk(engine("slow"), patience=10)} == {Level.PASS}


@pytest.mark.slow
def test_only_a_program_with_a_protocol_of_steps_is_walked_through() -> None:
    report = arena.check("monkey", seed=1, positions=1)
    assert not [finding for finding in report.findings if ": " in finding.check]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("uci,nodes=50:stockfish", marks=pytest.mark.needs("stockfish")),
        pytest.param("uci,depth=1:ethereal-chess", marks=pytest.mark.needs("ethereal-chess")),
    ],
)
def test_real_engines_pass_every_step(name: str) -> None:
    findings = walk(name, patience=10)
    assert not [finding for finding in findings if finding.level == Level.FAIL]
    assert findings[-1].check == LAST


@pytest.mark.needs("gnuchess")
def test_gnu_chess_does_not_keep_to_a_number_of_nodes() -> None:
    *_, failed = walk("uci,depth=1:gnuchess --uci")
    assert (failed.check, failed.level) == ("uci: go nodes", Level.FAIL)
