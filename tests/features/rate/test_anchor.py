"""``arena rate --anchor PLAYER=ELO``: ratings on a known scale."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording

RESULTS = """a,b,wins,draws,losses
net-500,net-1000,10,20,70
net-1000,net-20000,30,20,50
net-20000,fish,5,10,85
one,two,60,0,40
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.csv"
    file.write_text(RESULTS)
    return file


def test_an_anchor_moves_the_players_that_compare_with_it(
    results: Path, run: Run, wording: Wording
) -> None:
    plain, anchored = arena.rate(results), arena.rate(results, anchor=("fish", 3600))
    before, after = ({row.player: row for row in table.players} for table in (plain, anchored))
    assert after["fish"].elo.value == 3600
    for name, row in after.items():
        shift = 0.0 if name in ("one", "two") else 3600 - (before["fish"].elo.value or 0.0)
        for key in ("value", "low", "high"):
            expected = getattr(before[name].elo, key) + shift
            assert getattr(row.elo, key) == pytest.approx(expected, abs=1e-3)
        assert (row.rank, row.rank_low) == (before[name].rank, before[name].rank_low)
    wording(anchored.statements[-1], "3600")
    ran = run("rate", str(results), "--anchor", "fish=3600", "--format", "json")
    assert ran.out == run("rate", str(results), "--anchor", "fish=3600.0", "--format", "json").out
    assert '"value": 3600.0' in ran.out


def test_an_anchor_moves_all_players_that_a_prior_compares(results: Path) -> None:
    plain, anchored = (arena.rate(results, 2.0, anchor) for anchor in (None, ("one", -5.5)))
    shifts = {
        round((after.elo.value or 0) - (before.elo.value or 0), 3)
        for before, after in zip(plain.players, anchored.players, strict=True)
    }
    assert len(shifts) == 1


@pytest.mark.parametrize(
    "anchor", ["fsh=1", "fish", "fish=", "=5", "fish=x", "fish=nan", "fish=20000", "lone=5"]
)
def test_an_anchor_that_cannot_be_is_one_line(
    anchor: str, results: Path, run: Run, wording: Wording
) -> None:
    results.write_text(f"{RESULTS}lone,other,0,0,0\n")
    ran = run("rate", str(results), "--anchor", anchor)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
