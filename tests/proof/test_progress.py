"""How far a long calculation has come, on a terminal."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

import arena
from arena import clock
from arena.main import main
from arena.proof import distribution, progress
from arena.testing import FakeClock
from tests.golden import Wording


def test_a_line_is_written_over_and_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    time = FakeClock()
    monkeypatch.setattr(clock, "source", time)
    monkeypatch.setattr(progress, "_due", 0.0)
    time.sleep(1.0)
    with progress.display(on=True):
        progress.tell(312_000, 1_000_000, "positions", "at most")
        progress.tell(312_001, 1_000_000, "positions", "at most")
        time.sleep(1.0)
        progress.tell(7, 9, "answers")
    written = capsys.readouterr().err.split("\r\033[K")
    wording(written, "312,000 ", " 1,000,000 ", "7 of 9 ")


def test_nothing_is_written_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    progress.tell(1, 2, "answers")
    with progress.display():
        assert not progress.is_on()
        progress.tell(1, 2, "answers")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("told", ["1 of .*20,000 ", "8 of 9 "])
def test_a_move_tells_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], told: str
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(distribution, "MIN_SHOWN_SECONDS", -1.0)
    monkey = arena.get_player("monkey")
    with progress.display(on=True):
        arena.move(monkey, "_" * 9)
    assert any(re.match(told, line) for line in capsys.readouterr().err.split("\r\033[K"))


def test_a_position_that_is_quick_does_not_hide_how_many_there_were(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(distribution, "MIN_SHOWN_SECONDS", 60.0)
    monkey = arena.get_player("monkey")
    with progress.display(on=True):
        arena.move(monkey, "_" * 9)
    lines = capsys.readouterr().err
    assert "moves valued" in lines
    assert "answers" not in lines


class Terminal(io.TextIOWrapper):
    """A file that says that it is a terminal; the process that works writes to it too."""

    def __init__(self, file: Path) -> None:
        super().__init__(io.FileIO(file, "a"))

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("exact", "triples", "monkey"), "positions"),
        (("certify", "triples"), "positions"),
        pytest.param(("check", "triples"), "answers", marks=pytest.mark.slow),
        (("move", "monkey", "_" * 9), "answers"),
        (("explain", "tictactoe/monkey/triples/7/1.1"), "moves"),
        (("verify", "s.db"), "fight 1 of run 1"),
        (("report", "s.db", "-o", "s.html"), "fight 1 of run 1"),
        (("export", "s.db", "--output", "s.json"), "fight 1 of run 1"),
        (("copy", "s.db", "t.db"), "run 1"),
    ],
)
def test_a_command_tells_it_on_a_terminal_and_erases_the_line(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: tuple[str, ...],
    told: str,
) -> None:
    file = tmp_path / "shown"
    monkeypatch.chdir(tmp_path)
    if "s.db" in command:
        arena.fight("tictactoe1", "monkey", n=2, store="s.db", executor="serial")
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(distribution, "MIN_SHOWN_SECONDS", -1.0)
    with Terminal(file) as terminal, monkeypatch.context() as context:
        context.setattr(sys, "stderr", terminal)
        assert main(command) == 0
    nothing, *lines, last = file.read_bytes().decode().split("\r\033[K")
    assert (nothing, last) == ("", "")
    assert [line for line in lines if f" {told}" in line], lines
