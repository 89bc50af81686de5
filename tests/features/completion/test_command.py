"""Completion: what a word may be, and the scripts in real shells."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.cli.completing import SCRIPTS
from tests.terminals import terminal

if TYPE_CHECKING:
    from tests.conftest import Run


@pytest.fixture
def complete(run: Run, monkeypatch: pytest.MonkeyPatch) -> object:
    def words(line: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(line))
        ran = run("completion", "words")
        assert (ran.code, ran.err) == (0, "")
        return ran.out.splitlines()

    return words


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("arena tourn", ["tournament"]),
        ("arena help fig", ["fight"]),
        ("arena fight mon", ["monkey"]),
        ("arena fight monkey trip", ["triples"]),
        ("arena fight --seed 7 monkey trip", ["triples"]),
        ("arena fight --game conn", ["connect4"]),
        ("arena fight --game mnk", ["mnk-"]),
        ("arena solve conn", ["connect4"]),
        ("arena fight --form", ["--format"]),
        ("arena fight --format js", ["json"]),
        ("arena fight --color ne", ["never"]),
        ("arena -p no:web tournament mon", ["monkey"]),
        ("arena fight --schedule", []),
        ("arena fihgt ", []),
        ("arena", []),
    ],
)
def test_the_last_word_is_completed(complete, line: str, some: list[str]) -> None:  # type: ignore[no-untyped-def]
    candidates = complete(line)
    assert set(some) <= set(candidates)
    assert all(word.startswith(line.rpartition(" ")[2]) for word in candidates)
    assert bool(candidates) == bool(some)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("arena show ", ["games.db", "nights/"]),
        ("arena show --store ", ["games.db", "nights/"]),
        ("arena fight monkey triples --store ga", ["games.db"]),
        ("arena show nights/", ["nights/old.db"]),
        ("arena rate ", ["games.db", "nights/", "results.csv"]),
        ("arena report ", ["games.db", "nights/", "result.json"]),
        ("arena show nothing/", []),
        ("arena show resu", []),
        ("arena fight monkey triples --output ", []),
    ],
)
def test_stores_come_before_all_files(
    complete: Callable[[str], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    found: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nights").mkdir()
    for name in ("games.db", "nights/old.db", "results.csv", "result.json", "a.txt", ".hidden.db"):
        (tmp_path / name).touch()
    assert complete(line) == found


def test_a_shell_completes_files_where_a_name_has_to_be_quoted(
    complete: Callable[[str], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("games.db", "my games.db"):
        (tmp_path / name).touch()
    assert complete("arena show ") == []


def _bash(line: str, folder: Path) -> list[str]:
    """Return what bash offers for a line, with its words as readline divides them."""
    script = """
        eval "$(arena completion bash)"
        COMP_LINE=$1 COMP_POINT=${#1}
        compopt() { :; }
        IFS=' ' read -ra COMP_WORDS <<< "${1//:/ : }"
        [[ $1 == *[[:space:]] ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _arena
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = ["bash", "-c", script, "bash", line]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.slow
def test_bash_completes_players(tmp_path: Path) -> None:
    assert _bash("arena fight monkey trip", tmp_path) == ["triples"]


#: How each shell starts without a person's own files, and reads its script.
SHELLS = {
    "bash": (("bash", "--norc", "-i"), 'eval "$(arena completion bash)"'),
    "zsh": (
        ("zsh", "-f", "-i"),
        'autoload -Uz compinit; compinit -u -D; eval "$(arena completion zsh)"',
    ),
    "fish": (("fish", "--no-config", "-i"), "arena completion fish | source"),
}


@pytest.mark.outside
@pytest.mark.parametrize(
    "shell",
    ["bash", *(pytest.param(name, marks=pytest.mark.needs(name)) for name in ("zsh", "fish"))],
)
def test_tab_completes_commands_players_games_and_stores(shell: str, tmp_path: Path) -> None:
    (tmp_path / "my-games.db").touch()
    (tmp_path / "my-games.txt").touch()
    (tmp_path / "nights").mkdir()
    (tmp_path / "nights" / "old.db").touch()
    (tmp_path / "loose.txt").touch()
    command, script = SHELLS[shell]
    env = {**os.environ, "HOME": str(tmp_path), "TERM": "xterm", "XDG_CONFIG_HOME": str(tmp_path)}
    with terminal(*command, folder=tmp_path, env=env) as person:
        person.type(f"{script}; echo is'ready'\n")
        person.wait_for("isready")
        for begun, whole in (
            ("arena tourn", "tournament"),
            ("arena fight monkey trip", "triples"),
            ("arena fight --game chess9", "chess960"),
            ("arena show --store my", "my-games.db"),
            ("arena show my", "my-games.db"),
            ("arena runs nig", "nights/"),
            ("arena show nights/o", "nights/old.db"),
            ("arena show loo", "loose.txt"),
        ):
            person.type(f"{begun}\t")
            person.wait_for(whole)
            person.type("\x15")  # Ctrl-U takes the line away


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_shell_has_a_script(run: Run, shell: str) -> None:
    assert run("completion", shell).out == SCRIPTS[shell]
