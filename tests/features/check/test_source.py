"""Code of a player that runs, and never does what its author meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.features.check.record import Finding, Level
from arena.features.check.source import MAX_MISTAKES
from arena.player.silent_mistakes import MAX_SOURCE, silent_mistakes
from tests.conftest import Run

SILENT = {
    "if position.to_move == 'x': pass": "to_move is never 'x'",
    "x = 'o' != position.to_move": "to_move is never 'o'",
    "if position.to_move in ('x', 'o'): pass": "to_move is never 'x'",
    "if position.outcome() == 'draw': pass": "outcome() is never 'draw'",
    "position.play(0)": "play() leaves position as it is",
    "for m in position.legal_moves(): position.play(m)": "play() leaves position as it is",
    "after = position.play(0); after.play(1)": "play() leaves after as it is",
    "after = position.play(0).play(1); after.play(2)": "play() leaves after as it is",
    "p = position; p.play(1)": "play() leaves p as it is",
    "if position.outcome: pass": "position.outcome is a method",
    "while not position.outcome: pass": "position.outcome is a method",
    "x = position.outcome is None": "position.outcome is a method",
    "x = position.legal_moves and 1": "position.legal_moves is a method",
    "x = len(position)": "not a board",
    "for c in position: pass": "not a board",
    "x = [c for c in position]": "not a board",
    "x = '_' in position": "not a board",
}

SOUND = [
    "if position.to_move == 0: pass",
    "if str(position)[4] == 'x': pass",
    "if position.outcome() is None: pass",
    "after = position.play(0)",
    "return position.play(0).legal_moves()[0]",
    "mixer.play(0)",
    "position = rows(position); position.play(0); x = len(position); x = position[0]",
    "p = object(); p.play(1)",
    "for position in nexts(position): x = len(position)",
    "x = len(position.legal_moves())",
    "f = position.legal_moves",
]


def code(body: str) -> str:
    return f"def choose(position, rng):\n    {body}\n    return position.legal_moves()[0]\n"


@pytest.mark.parametrize(("body", "words"), SILENT.items())
def test_a_silent_mistake_has_its_line_and_a_remedy(body: str, words: str) -> None:
    [(line, text)] = silent_mistakes(code(body))
    assert line == 2
    assert words in text


@pytest.mark.parametrize("body", SOUND)
def test_sound_code_is_left_alone(body: str) -> None:
    assert silent_mistakes(code(body)) == []


def test_the_first_parameter_of_choose_is_a_position_in_a_class_too() -> None:
    method = "class A:\n    def choose(self, p):\n        p.play(1)\n"
    assert [line for line, _ in silent_mistakes(method)] == [3]
    assert silent_mistakes("def other(p):\n    p.play(1)\n") == []
    assert len(silent_mistakes("def other(position):\n    position.play(1)\n")) == 1


def of_source(bot: Path) -> list[Finding]:
    report = arena.check(str(bot), positions=5, isolation="none", seed=1)
    return [finding for finding in report.findings if finding.check == "source"]


@pytest.mark.slow
def test_the_check_warns_with_file_and_line(tmp_path: Path, run: Run) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code("x = position.to_move == 'x'"))
    checked = run("check", str(bot), "--positions", "5", "--seed", "1")
    assert checked.code == 0
    assert "bot.py:2: to_move " in " ".join(checked.out.split())


@pytest.mark.slow
def test_few_mistakes_are_reported_and_none_where_nothing_is_wrong(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code("\n    ".join(["position.play(0)"] * 20)))
    assert [finding.level for finding in of_source(bot)] == [Level.WARNING] * MAX_MISTAKES
    fine = tmp_path / "fine.py"
    fine.write_text(code("pass"))
    assert of_source(fine) == []


@pytest.mark.slow
@pytest.mark.parametrize("end", ["#" * MAX_SOURCE, "x = " + "(" * 90 + "1" + ")" * 90])
def test_a_file_that_is_hard_to_read_is_checked_as_before(tmp_path: Path, end: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code("pass") + end)
    assert of_source(bot) == []
