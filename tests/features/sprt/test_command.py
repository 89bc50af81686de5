"""``arena sprt`` and ``--sprt``, as their user sees them."""

from __future__ import annotations

import json

import pytest

from arena.records.intervals import STOPPED
from tests.conftest import Run


@pytest.mark.parametrize(
    ("counts", "code"), [("0,0,1000", 0), ("0,1000,0", 1), ("5,10,5", 3), ("0,0,0", 3)]
)
def test_sprt_says_by_its_exit_code_what_is_accepted(run: Run, counts: str, code: int) -> None:
    ran = run("sprt", "--counts", counts, "--elo0", "0", "--elo1", "5")
    assert (ran.code, ran.err) == (code, "")


def test_one_won_pair_is_not_certain_and_n_is_fixed(run: Run) -> None:
    argv = ("sprt", "--counts", "0,0,0,0,1", "--elo0", "0", "--elo1", "10")
    record = json.loads(run(*argv, "--format", "json").out)
    assert record["estimate"] == "fixed n"
    assert record["los"] < 0.9


@pytest.mark.slow
def test_level_pairs_have_an_error_and_a_stopped_test_its_own_interval(
    run: Run,
) -> None:
    argv = ("fight", "lines", "minimax", "--sprt", "--seed", "1")
    shown = run(*argv)
    record = json.loads(run(*argv, "--format", "json").out)
    test = record["sprt"]
    assert shown.code == 1
    assert record["pentanomial"] == [0, 0, record["pairs"], 0, 0]
    assert test["estimate"] == STOPPED
    assert test["elo_low"] < -1
    assert test["elo_high"] > 1
    assert test["elo_error"] == pytest.approx((test["elo_high"] - test["elo_low"]) / 2)
    interval = f"{100 * test['score_low']:.2f} to {100 * test['score_high']:.2f} %"
    assert shown.out.count(interval) == 2, "beside the score and in the table of the games"


@pytest.mark.slow
def test_a_test_whose_openings_are_through_is_undecided(run: Run) -> None:
    argv = (
        "fight",
        "triples",
        "lms",
        "--sprt",
        "--elo1",
        "5",
        "--seed",
        "1",
        "--openings",
        "all:2",
    )
    ran = run(*argv)
    assert (ran.code, ran.err) == (3, "")
    assert "72 openings" in ran.out
    assert "720 pairs" in ran.out
