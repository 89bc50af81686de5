"""What ``arena serve --contest`` says of what it cannot serve: one line, and exit code 2."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena.main import main
from benchmarks.contesting import FILE, prepare
from tests.golden import Wording

pytestmark = pytest.mark.needs("starlette", "uvicorn", "locked")

TOKEN = "t" * 32
HEAD = "name,role,token\n"


def tokens(text: str, mode: int = 0o600) -> Callable[[], None]:
    """Return what writes a file with tokens."""

    def write() -> None:
        Path("tokens.csv").write_text(text)
        Path("tokens.csv").chmod(mode)

    return write


def contest(text: str) -> Callable[[], None]:
    """Return what writes a contest's file, with tokens beside it."""

    def write() -> None:
        arena.plugin.give_tokens("contest.toml", "names.txt")
        Path("contest.toml").write_text(text)

    return write


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "no file": (lambda: Path("contest.toml").unlink(), "there is no such file"),
    "not TOML": (contest("game ="), "contest.toml"),
    "a size of nothing": (contest(FILE.replace("100_000", "0")), "size must be"),
    "a time that is none": (contest(f'{FILE}closes = "noon"\n'), "closes must be a date"),
    "no tokens": (lambda: None, "--tokens NAMES makes it"),
    "tokens without a line": (tokens(""), "its first line is not name,role,token"),
    "tokens of one name twice": (
        tokens(f"{HEAD}al,entrant,{TOKEN}a\nal,entrant,{TOKEN}b\n"),
        "'al' is there twice",
    ),
    "one token twice": (
        tokens(f"{HEAD}al,entrant,{TOKEN}\nbo,entrant,{TOKEN}\n"),
        "the token of 'bo' is short, or another name has it too",
    ),
    "tokens for all to read": (tokens(HEAD, 0o644), "chmod 600"),
    "tokens in a folder": (lambda: Path("tokens.csv").mkdir(), "tokens.csv"),
}


@pytest.mark.parametrize(("prepared", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line(
    prepared: Callable[[], object],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    prepared()
    assert main(["serve", "--contest", "contest.toml", "--port", "0"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_port_that_is_taken_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    arena.plugin.give_tokens("contest.toml", "names.txt")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--contest", "contest.toml", "--port", port]) == 2
    [line] = capsys.readouterr().err.splitlines()
    wording(line, "--port")


def test_a_machine_without_walls_is_told_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    arena.plugin.give_tokens("contest.toml", "names.txt")
    monkeypatch.setattr("arena.features.contest.function.STRONG", ())
    assert main(["serve", "--contest", "contest.toml", "--port", "0"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "arena doctor" in line
