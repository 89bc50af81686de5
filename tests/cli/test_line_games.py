"""Games whose winning lines are in a file, as the user of the command line sees them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

RULES = "board 3 3\n1 2 3\n4 5 6\n7 8 9\n1 4 7\n2 5 8\n3 6 9\n1 3 7 9\n"
GAME = ("--game", "lines:my.lines")
FIGHT = ("fight", "triples", "monkey", "-n", "10", "--seed", "3", *GAME)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    path = tmp_path / "my.lines"
    path.write_text(RULES)
    return path


@pytest.mark.slow
def test_a_fight_is_the_same_for_any_workers_store_and_process(run: Run) -> None:
    plain = run(*FIGHT)
    assert (plain.code, "10 pairs of lines:my.lines" in plain.out) == (0, True)
    assert run(*FIGHT, "-j", "1") == plain
    assert run(*FIGHT, "--executor", "serial", "--store", "S") == plain
    assert run("show", "--store", "S") == plain
    assert run("resume", "S") == plain
    assert run("verify", "S").code == 0


@pytest.mark.slow
def test_a_player_in_a_process_of_its_own_is_told_the_rules(run: Run) -> None:
    apart = run(*FIGHT, "--isolate", "--isolation", "process", "--format", "json")
    here, there = json.loads(run(*FIGHT, "--format", "json").out), json.loads(apart.out)
    for key in ("total", "first", "second", "forfeits", "distinct_games"):
        assert there[key] == here[key]
    argv = ("move", "triples", "x________", *GAME)
    assert run(*argv, "--isolate", "--isolation", "process").out == run(*argv).out


def test_a_game_is_replayed_by_its_id(run: Run) -> None:
    ran = run("replay", "lines%3Amy.lines/triples/monkey/3/1.1", "--format", "json")
    assert (ran.code, json.loads(ran.out)["game"]) == (0, "lines:my.lines")


@pytest.mark.slow
def test_changed_rules_are_noted_by_whatever_was_made_by_the_old_ones(
    run: Run, file: Path, wording: Wording
) -> None:
    run(*FIGHT, "--store", "S", "--output", os.devnull)
    run("certify", "monkey", *GAME, "--output", "certificate.json")
    looks = [
        ("verify", "S"),
        ("resume", "S"),
        ("show", "--store", "S"),
        ("certify", "--check", "certificate.json"),
    ]
    file.write_text(f"# the same\n{RULES}")
    assert [run(*look).code for look in looks] == [0, 0, 0, 0]
    file.write_text(f"{RULES}1 5 9\n")
    for look in looks:
        ran = run(*look)
        assert ran.code in (1, 2)
        assert "version" in ran.out + ran.err
    file.unlink()
    for look in looks:
        ran = run(*look)
        assert ran.code in (1, 2)
        wording(ran.out + ran.err)


def test_a_mistake_in_the_file_is_one_line(run: Run, file: Path, wording: Wording) -> None:
    file.write_text("board 3 3\n1 2 3\n4 5 66\n")
    ran = run(*FIGHT)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'lines:my.lines'", "line 3", "'66'")


def test_the_list_of_games_tells_of_files(run: Run) -> None:
    games = json.loads(run("games", "--format", "json").out)["games"]
    assert "lines:FILE" in [game["name"] for game in games]
