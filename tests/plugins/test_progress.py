"""The progress bar: on a terminal, of a command, and of nothing else."""

from __future__ import annotations

import io
import sys

import pytest

import arena
from arena.cli import main
from arena.plugins import progress


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Have a terminal as standard error; a fixture's would be pytest's own again in the test."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


COMMAND = ("fight", "monkey", "triples", "-n", "40", "--seed", "1", "--executor", "serial")


def test_a_command_shows_a_bar_and_removes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = terminal_for(monkeypatch)
    assert main(COMMAND) == 0
    shown = terminal.getvalue()
    assert "0/80" in shown
    assert "games/s" in shown
    assert shown.rpartition("\r")[2].strip() == "", "the line is empty at the end"
    assert progress._bar is None
    assert "games" in capsys.readouterr().out


def test_a_command_without_a_terminal_shows_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    assert capfd.readouterr().err == ""


def test_a_program_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    arena.fight("monkey", "triples", 40, seed=1, executor="serial")
    assert terminal.getvalue() == ""


def test_an_error_removes_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_for(monkeypatch)

    def interrupted(*_: object, **__: object) -> object:
        assert progress._bar is not None
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.fights.play.play_chunks", interrupted)
    assert main(COMMAND) == 130
    assert progress._bar is None
