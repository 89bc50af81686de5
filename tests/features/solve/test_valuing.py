"""``arena solve`` in games with luck or secrets: their values, and files that prove them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.needs("highspy")


def test_a_game_is_solved_and_its_certificate_is_verified(
    run: Run, tmp_path: Path, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("solve", "kuhn", "--certificate", "kuhn.jsonl")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)
    assert "-1/18" in ran.out
    ran = run("certify", "--check", "kuhn.jsonl", "solved:kuhn.jsonl", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    assert " 400 " in ran.out
    ran = run("certify", "--check", "kuhn.jsonl", "monkey", "--seed", "1")
    assert ran.code == 1
    wording.line(ran.out, "monkey ")


def test_who_plays_a_solved_game_loses_nothing(run: Run, tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "dice.jsonl"
    assert run("solve", "liars-dice-1-3", "--certificate", str(file)).code == 0
    ran = run("certify", f"solved:{file}", "--game", "liars-dice-1-3", "--at-most", "0")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[0], "liars-dice-1-3")
    fight = run("fight", f"solved:{file}", "monkey", "--game", "liars-dice-1-3", "-n", "50")
    assert (fight.code, "forfeit" in fight.out) == (0, False)


def test_the_record_of_a_value(run: Run) -> None:
    record = json.loads(run("solve", "liars-dice-1-4", "--format", "json").out)
    assert record["schema"] == "arena.game-value/1"
    assert record["value"] == record["low"] == record["high"] == "1/16"
    header, row = run("solve", "kuhn", "--format", "csv").out.splitlines()
    assert header.startswith("game,")
    assert row.startswith("kuhn,1,chips,-1/18,-1/18,-1/18,")


def test_a_file_of_the_wrong_kind_is_no_player(run: Run, tmp_path: Path) -> None:
    solution, response = tmp_path / "kuhn.jsonl", tmp_path / "response.jsonl"
    run("solve", "kuhn", "--certificate", str(solution))
    run("certify", "monkey", "--game", "kuhn", "--output", str(response))
    for name, other in ((f"best-response:{solution}", "solved"), (f"solved:{response}", "best-")):
        ran = run("fight", name, "monkey", "--game", "kuhn", "-n", "1")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert other in ran.err
    ran = run("certify", "--check", str(response))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    ran = run("fight", f"solved:{solution}", "monkey", "--game", "leduc", "-n", "1")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_game_of_300_000_histories() -> None:
    assert arena.game_value("liars-dice-1-6").value == Fraction(-7, 258)
