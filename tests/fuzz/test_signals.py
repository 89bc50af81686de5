"""Signals at random moments: whatever they end, what is resumed comes to the same bytes."""

from __future__ import annotations

import re
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.harness import seeds
from tests.fuzz.signals import Whole, to_the_end

if TYPE_CHECKING:
    from tests.store.conftest import Folder, Rows

HERE = ("--isolation", "none", "--seed", "7")
RUNS = (
    ("fight", "./bot.py", "monkey", "-n", "12", *HERE),
    ("tournament", "./bot.py", "monkey", "triples", "-n", "5", *HERE),
    ("fight", "./bot.py", "monkey", "--sprt", "--elo0=0", "--elo1=200", "-n", "12", *HERE),
)


@pytest.fixture(scope="module")
def whole(elsewhere: Folder) -> dict[tuple[str, ...], Whole]:
    """Return what every run comes to if it is not disturbed."""
    results = {}
    for number, run in enumerate(RUNS):
        begun = time.monotonic()
        ran = elsewhere.arena(*run, "--store", str(number))
        results[run] = Whole(ran, elsewhere.rows(str(number)), time.monotonic() - begun)
    return results


def without_seconds(rows: Rows) -> Rows:
    """Return the games without the one fact that no seed decides."""
    return {key: row | {"seconds": None} for key, row in rows.items()}


@pytest.mark.slow
@seeds(3, 300)
def test_a_disturbed_run_comes_to_the_same_bytes(
    folder: Folder, whole: dict[tuple[str, ...], Whole], seed: int
) -> None:
    rng = Random(f"signals {seed}")
    run = RUNS[seed % len(RUNS)]
    ran = to_the_end(rng, folder, (*run, "--store", "S"), whole[run])
    expected_ran = whole[run].ran
    # Once is enough for a warning that comes when games begin.
    assert (ran.code, ran.out) == (expected_ran.code, expected_ran.out)
    assert folder.arena("verify", "S").code == 0
    games = without_seconds(folder.rows())
    expected = without_seconds(whole[run].rows)
    if "--sprt" in run:
        # Games that were in hand when the test decided are kept, and do not count.
        played = 2 * int(re.findall(r"After (\d+) pairs", ran.out)[0])
        assert len(expected) >= played
        expected = dict(sorted(expected.items())[:played])
        games = {key: game for key, game in games.items() if key in expected}
    assert games == expected
    assert folder.arena("show", "--store", "S").out == ran.out
