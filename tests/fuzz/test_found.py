"""What the fuzzer has found, each once: the plainest cases, none of which is left to chance."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.fuzz import plugins
from tests.fuzz.harness import Try, attempt
from tests.golden import Wording
from tests.plugin.sites import Site


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_log_file_whose_name_is_not_one(attempted: Try, name: str, wording: Wording) -> None:
    ran = attempted("games", "--log-file", name)
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.parametrize(
    "change",
    ["DELETE FROM fights WHERE run = 1", "UPDATE fights SET a = 7", "UPDATE fights SET b = 'x'"],
)
def test_a_run_whose_fights_are_not_between_its_players(
    attempted: Try, place: Path, change: str
) -> None:
    with closing(sqlite3.connect(place / "store.db", isolation_level=None)) as database:
        database.execute("PRAGMA foreign_keys=OFF")
        database.execute("DELETE FROM games WHERE run = 1")
        database.execute(change)
    for command in ("show 1", "export 1"):
        assert attempted(*command.split(), "--store", "store.db").code == 4


FOUND = {
    "a format that raises no Exception": (
        "@arena.hookimpl\ndef arena_register_reports(register): register('fuzzed', fault)",
        "raise GeneratorExit",
        "games --format fuzzed",
        "arena: format 'fuzzed' failed: GeneratorExit\n",
    ),
    "a command that exits": (
        "@arena.hookimpl\ndef arena_add_command(commands):"
        " commands.add('fuzzed', 'does it', print, fault)",
        "raise SystemExit('text')",
        "fuzzed",
        "arena: command 'fuzzed' returned \"'text'\", which is not an exit code from 0 to 255\n",
    ),
    "a task that failed for a reason that is not a text": (
        "from arena.executors.base import TaskFailed\n"
        "class Executor:\n"
        "    def run(self, work, tasks):\n"
        "        yield tasks.next_task(), TaskFailed(fault())\n"
        "@arena.hookimpl\n"
        "def arena_register_executors(register): register('fuzzed', lambda workers: Executor())",
        "return 7",
        "fight monkey triples -n 1 --store new.db --executor fuzzed",
        "arena: executor 'fuzzed' broke its contract: a task failed for the reason '7'\n",
    ),
    "a player that cannot be sent": (
        "@arena.hookimpl\n"
        "def arena_register_players(register): register('fuzzed', lambda position, rng: 0)",
        "pass",
        "fight fuzzed monkey -n 1 --isolate",
        "arena: player 'fuzzed' cannot be sent to a process of its own: ",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_fault_of_a_plugin(
    site: Site,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    code, body, command, message = FOUND[name]
    site.install("fuzzed", "fuzzed", fuzzed=plugins.PROLOGUE + plugins.faulty(body) + code)
    monkeypatch.chdir(site.folder)
    ran = attempt(run, *command.split())
    assert (ran.code, ran.err[: len(message)]) == (
        2 if message.startswith("arena: game ") else 4,
        message,
    )


def test_the_summary_of_a_command_is_escaped(
    site: Site,
    run: Run,
) -> None:
    summary = "'\\x1b[2Jdoes it'"
    offer = f"commands.add('fuzzed', {summary}, print, print)"
    code = f"@arena.hookimpl\ndef arena_add_command(commands): {offer}"
    site.install("fuzzed", "fuzzed", fuzzed=code)
    assert r"\x1b[2Jdoes it" in attempt(run, "--help").out
