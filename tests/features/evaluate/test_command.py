"""``arena evaluate STORE`` in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.features.evaluate.stores import circle, play, record
from tests.golden import Wording

pytestmark = [
    pytest.mark.usefixtures("in_a_folder_of_its_own"),
    pytest.mark.needs("highspy"),
]


def test_a_page_fits_a_terminal(run: Run, wording: Wording) -> None:
    results = circle()
    results |= {(name, "monkey"): (95, 0, 5) for name in ("paper", "rock", "scissors")}
    record("S", results)
    ran = run("evaluate", "S")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    wording(ran.out, "sure cycle: paper beats rock", "monkey")
    assert run("evaluate", "S", "-v").out.startswith(ran.out.rpartition("\n\n")[0][:200])


def test_formats_have_the_same_numbers(run: Run) -> None:
    play("S", "tictactoe3", "monkey", "lines")
    evaluation = arena.evaluate_store("S")
    shown = json.loads(run("evaluate", "S", "--format", "json").out)
    assert shown == evaluation.as_json()
    table = [*csv.DictReader(io.StringIO(run("evaluate", "S", "--format", "csv").out))]
    assert [row["player"] for row in table] == [row.player for row in evaluation.players]
    for row, player in zip(table, evaluation.players, strict=True):
        assert float(row["nash_low"]) == player.nash.low
        assert float(row["alpha_rank_high"]) == player.alpha_rank.high
        assert int(row["ranked_pairs"]) == player.ranked_pairs.value
    assert run("evaluate", "S", "--output", "page.html").code == 0
    assert "alpha-rank" in Path("page.html").read_text()
    assert "| monkey" in run("evaluate", "S", "--format", "markdown").out


@pytest.mark.parametrize("words", [("nothing.db",), ("empty.txt",), ("S", "--by", "voter")])
def test_mistakes_are_one_line(words: tuple[str, ...], run: Run) -> None:
    Path("empty.txt").touch()
    ran = run("evaluate", *words)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err.strip().splitlines()[-1].startswith("arena")


def test_by_game_shows_tasks(run: Run, wording: Wording) -> None:
    for game in ("mnk-4-4-3", "tictactoe"):
        play("S", "lines", "monkey", n=10, game=game)
    ran = run("evaluate", "S", "--by", "game")
    assert max(map(len, ran.out.splitlines())) <= 80
    wording(ran.out, "2 tasks", "Nash weight")
