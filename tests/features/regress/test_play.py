"""Comparisons that rest on games share the level of a run."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.record import RegressionVerdict
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from tests.simple import anything


class Guesses:
    """Keeps state, so that no policy of it can be compared."""

    def start(self, game: object, side: object, rng: object) -> None:
        self.rng = rng

    def choose(self, position: arena.Position) -> int:
        return anything(position, self.rng)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("comparisons", [1, 4])
def test_the_comparisons_of_a_run_share_its_level(
    comparisons: int, tmp_path: Path, catalogue: Catalogue
) -> None:
    level, drops, missed = 0.06, 3, 0.05  # of the margins 0.05, 0.2 and 0.8
    players = [PlayerInfo(f"p{n}", Guesses, stateless=False) for n in range(comparisons)]
    file = tmp_path / "baseline.json"
    arena.regress(
        players, game="tictactoe", panel=["monkey"], baseline=file, update=True, n=2,
        catalogue=catalogue, executor="serial",
    )  # fmt: skip
    report = arena.regress(
        players, game="tictactoe", baseline=file, level=level, catalogue=catalogue,
        executor="serial",
    )  # fmt: skip
    alarm = level / comparisons / 2 / drops
    bounds = f"in {log(alarm / (1 - missed)):.2f} to {log((1 - alarm) / missed):.2f})"
    comparison = [one for one in report.comparisons if one.player != "monkey"]
    assert [one.verdict for one in comparison] == [RegressionVerdict.UNDECIDED] * comparisons
    assert all(bounds in one.message for one in comparison)


@pytest.mark.slow
def test_quick_plays_half_the_pairs_for_twice_the_margin(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    player, file = PlayerInfo("p", Guesses, stateless=False), tmp_path / "baseline.json"
    how: Any = {"game": "tictactoe", "catalogue": catalogue, "executor": "serial"}
    arena.regress([player], panel=["monkey"], baseline=file, update=True, n=5, **how)
    for quick, margin, pairs in ((True, 0.1, 3), (False, 0.05, 5)):
        report = arena.regress([player], baseline=file, quick=quick, **how)
        [comparison] = [one for one in report.comparisons if one.player == "p"]
        assert (report.margin, comparison.margin, comparison.pairs) == (margin, margin, pairs)
        assert report.level == 0.05
