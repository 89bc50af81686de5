"""Models in commands that watch their strength, and those that do not take them."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.llm.conftest import NameModel
from tests.plugins.llm.server import Server

PRICES = ("price-in=500", "price-out=2000")


@pytest.mark.slow
def test_a_regression_run_asks_nobody_again(
    model: NameModel, server: Server, run: Run, wording: Wording
) -> None:
    name = f"m={model('last', *PRICES)}"
    update = ("--update", "--panel", "monkey", "-n", "10", "--record", "a.jsonl")
    assert run("regress", name, *update).code == 0
    prompt = server.asked()["last"]
    again = run("regress", name, "--record", "a.jsonl", "--replay-only", "--in-flight", "3")
    wording.line(again.out, "m at tictactoe", " 10 pairs")
    assert server.asked()["last"] == prompt


@pytest.mark.slow
def test_a_budget_ends_a_regression_run(model: NameModel, run: Run, wording: Wording) -> None:
    name = f"m={model('random', *PRICES)}"
    ran = run("regress", name, "--update", "--panel", "monkey", "-n", "10", "--budget", "2USD")
    assert ran.code == 3
    wording(re.sub(r"[0-9.]+ of", "N of", ran.err))
    assert run("regress", name, "--baseline", "arena-baseline.json").code == 2  # none was written


def test_a_model_keeps_no_contract(model: NameModel, run: Run, wording: Wording) -> None:
    ran = run("check", f"m={model('last')}")
    assert ran.code == 2
    wording(ran.err)


def test_a_store_with_a_model_is_not_played_again(
    model: NameModel, run: Run, wording: Wording
) -> None:
    fight = ("fight", f"m={model('last')}", "monkey", "-n", "1", "--seed", "1", "--store", "s.db")
    assert run(*fight).code == 0
    ran = run("verify", "s.db", "--replay")
    assert ran.code == 2
    wording(ran.err)
