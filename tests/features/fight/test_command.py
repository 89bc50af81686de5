"""``arena fight``, as its user sees it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import arena
from tests.cli.examples import FIGHT, PROMISED
from tests.conftest import Run
from tests.golden import Wording


@pytest.mark.slow
def test_the_first_line_of_a_fight_is_the_summary(run: Run) -> None:
    out = run(*FIGHT).out
    result = arena.fight("tictactoe3", "monkey", 50, seed=7)
    total = result.total
    summary = f"Draw: {total.draws}, tictactoe3 wins: {total.wins}, monkey wins: 0"
    assert out.splitlines()[0] == summary == result.headline == str(result).splitlines()[0]
    assert "seed 7" in out
    assert "engine calls" in out


@pytest.mark.slow
def test_all_formats_are_made_from_one_record(run: Run) -> None:
    record = json.loads(run(*FIGHT, "--format", "json").out)
    assert record == arena.fight("tictactoe3", "monkey", 50, seed=7).as_json()
    first, second, total = csv.DictReader(io.StringIO(run(*FIGHT, "--format", "csv").out))
    for row, view in ((first, "first"), (second, "second"), (total, "total")):
        assert {key: int(row[key]) for key in ("wins", "draws", "losses")} == record[view]
    for style in ("table", "markdown"):
        out = run(*FIGHT, "--format", style).out
        assert re.search(rf"\b{record['distinct_games']}\b", out)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_workers(run: Run) -> None:
    outputs = {run(*FIGHT, "-j", str(workers)).out for workers in (1, 2, 3)}
    outputs.add(run(*FIGHT, "--executor", "serial").out)
    assert len(outputs) == 1


@pytest.mark.slow
def test_without_a_seed_the_fresh_one_is_printed_and_gives_the_same_games(run: Run) -> None:
    out = run("fight", "monkey", "tictactoe1", "-n", "20", "--format", "json").out
    seed = str(json.loads(out)["seed"])
    again = run("fight", "monkey", "tictactoe1", "-n", "20", "--format", "json", "--seed", seed)
    assert again.out == out


@pytest.mark.slow
def test_a_fight_beside_its_exact_result(run: Run) -> None:
    argv = ("fight", "tictactoe3", "monkey", "-n", "20000", "--seed", "2", "--exact")
    record = json.loads(run(*argv, "--format", "json").out)
    assert record["schema"] == "arena.fight/1"
    assert record["exact"]["total"]["win"] == "7003/7560"
    assert 0.001 < record["p_value"] <= 1
    assert f"p-value {record['p_value']:.4f}" in run(*argv).out
    assert PROMISED["fight"] < set(record)


@pytest.mark.slow
def test_the_progress_bar_goes_to_a_terminal_only(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(*FIGHT).err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ran = run("fight", "tictactoe3", "monkey", "-n", "10000", "--engine", "calls")
    assert ran.code == 0
    assert re.search(r"\d+/20000 .* games/s, tictactoe3 \d+\.\d-\d+\.\d % anytime\]", ran.err)
    assert ran.out.startswith("Draw: ")


@pytest.mark.parametrize("more", [(), ("--keep-going",), ("--sprt",)])
def test_a_player_that_forfeits_every_game_compares_nothing(
    run: Run, tmp_path: Path, wording: Wording, more: tuple[str, ...]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng): return [][0]\n")
    ran = run("fight", f"bot={bot}", "monkey", "-n", "3", "--isolation", "none", *more)
    assert ran.code == 4
    wording(ran.err)


@pytest.mark.slow
def test_a_player_with_one_good_game_compares_something(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng): return [][0] if position.ply else 10\n")
    fight = ("fight", str(bot), "monkey", "-n", "1", "--isolation", "none")
    ran = run(*fight)
    assert ran.code == 4
    assert "(exception, illegal)" in ran.err
    other = tmp_path / "other.py"
    other.write_text(
        "def choose(position, rng): return [][0] if position.ply == 1 else lowest(position)\n"
        "def lowest(position): return position.legal_moves()[0]\n"
    )
    assert run("fight", str(other), "monkey", "-n", "1", "--isolation", "none").code == 0
