"""What the pages of a contest tell of its standings, read from a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from benchmarks.contesting import RIGHT

pytestmark = pytest.mark.needs("starlette")


def standings(tmp_path: Path, **more: Any) -> dict[str, Any]:
    from arena.plugins.web.contest import page_process

    store = tmp_path / "s.db"
    arena.tournament(["minimax", "triples", "monkey"], n=60, seed=1, store=store, **more)
    return page_process.standings(str(store), arena.plugin.load_catalogue(), 1)


@pytest.mark.parametrize("until", [None, "order", "best"])
def test_ranks_and_scores_may_be_watched_whatever_ends_the_games(
    tmp_path: Path, until: str | None
) -> None:
    shown = standings(tmp_path, until=until)
    assert shown["alpha"] == 0.05
    for row in shown["rows"]:
        assert row["low"] <= row["rank"] <= row["high"]
        value = row["score"] if row["value"] is None else row["value"]
        assert row["value_low"] <= value <= row["value_high"]
        assert row["value_high"] - row["value_low"] < 0.9
    assert shown["rows"][-1]["player"] == "monkey"
    assert (shown["rows"][-1]["low"], shown["rows"][-1]["high"]) == (3, 3)


def test_the_challenger_of_a_gauntlet_has_no_rank_and_no_interval(tmp_path: Path) -> None:
    shown = standings(tmp_path, gauntlet="monkey")
    rows = {row["player"]: row for row in shown["rows"]}
    challenger = rows.pop("monkey")
    assert (challenger["rank"], challenger["low"], challenger["value_low"]) == (None, None, None)
    for row in rows.values():
        assert (row["low"], row["high"]) == (1, 2)
        assert row["value_low"] <= row["score"] <= row["value_high"]


def test_the_report_hides_the_seed_while_it_tells_draws(tmp_path: Path) -> None:
    from arena.plugins.web.contest import page_process

    store, catalogue = tmp_path / "s.db", arena.plugin.load_catalogue()
    seed = 1234567890123456
    arena.tournament(["minimax", "triples", "monkey"], n=2, seed=seed, store=store)
    for hides_seed in (True, False):
        page = page_process.report(str(store), catalogue, run=1, hides_seed=hides_seed)["html"]
        assert "monkey" in page
        assert (str(seed) in page) is not hides_seed


def test_players_that_play_alike_are_similar(tmp_path: Path) -> None:
    from arena.plugins.web.contest import page_process

    store = tmp_path / "s.db"
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(RIGHT)
    players = [f"one={tmp_path}/one.py", f"two={tmp_path}/two.py", "monkey"]
    arena.tournament(players, n=30, seed=1, store=store, isolation="none", executor="serial")
    answer = page_process.similar(str(store), arena.plugin.load_catalogue(), contest=1, run=1)
    assert answer["code"] == []
    [[names, positions]] = answer["play"]
    assert names == ["one", "two"]
    assert positions > 9
