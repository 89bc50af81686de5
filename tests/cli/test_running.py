"""A command of a plugin that raises or returns nonsense: one line, and an exit code that is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.main import main
from tests.golden import Wording

PLUGIN = """
from enum import IntEnum
from arena.plugin.markers import hookimpl

class Code(IntEnum):
    LOST = 1

class Hostile:
    def __repr__(self):
        raise ValueError

def deep():
    return deep()

def run(arguments, catalogue):
    {body}

@hookimpl
def arena_add_command(commands):
    commands.add("mine", "does it", lambda parser: None, run)
"""

Mine = Callable[..., tuple[int, str]]


@pytest.fixture
def mine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Mine:
    info = tmp_path / "mine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arena]\nmine = arena_test_mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "arena_test_mine", raising=False)

    def run(body: str, *words: str) -> tuple[int, str]:
        (tmp_path / "arena_test_mine.py").write_text(PLUGIN.format(body=body))
        return main(["mine", *words]), capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('no\\nway')",
        "return 1 / 0",
        "deep()",
        "raise MemoryError",
        "return 'garbage'",
        "return float('nan')",
        "return [1]",
        "return 2.7",
        "return 999",
        "return 256",
        "return -1",
        "return True",
        "return Hostile()",
    ],
)
def test_a_breach_is_one_line_and_exit_code_4(mine: Mine, body: str, wording: Wording) -> None:
    code, err = mine(body)
    assert code == 4
    [line] = err.splitlines()
    wording(line)


def test_the_log_has_the_traceback(mine: Mine) -> None:
    assert "ZeroDivisionError" in mine("return 1 / 0", "-v")[1]
    assert "Traceback" in mine("return 1 / 0", "-v")[1]


@pytest.mark.parametrize(
    ("returned", "code"), [("None", 0), ("0", 0), ("3", 3), ("255", 255), ("Code.LOST", 1)]
)
def test_what_is_an_exit_code_is_passed_on(mine: Mine, returned: str, code: int) -> None:
    assert mine(f"return {returned}") == (code, "")


def test_an_error_of_the_system_without_a_number_is_named(mine: Mine) -> None:
    assert mine("raise OSError('no errno')") == (4, "arena: output: OSError: no errno\n")


def test_memory_that_is_used_up_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("arena.fight", refuse)
    assert main(["fight", "monkey", "monkey", "-n", "1"]) == 4
    wording(capsys.readouterr().err)
