"""What the pages of a contest tell of its standings, read from a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena

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
    told = standings(tmp_path, until=until)
    assert told["alpha"] == 0.05
    for row in told["rows"]:
        assert row["low"] <= row["rank"] <= row["high"]
        value = row["score"] if row["value"] is None else row["value"]
        assert row["value_low"] <= value <= row["value_high"]
        assert row["value_high"] - row["value_low"] < 0.9
    assert told["rows"][-1]["player"] == "monkey"
    assert (told["rows"][-1]["low"], told["rows"][-1]["high"]) == (3, 3)


def test_the_challenger_of_a_gauntlet_has_no_rank_and_no_interval(tmp_path: Path) -> None:
    told = standings(tmp_path, gauntlet="monkey")
    rows = {row["player"]: row for row in told["rows"]}
    challenger = rows.pop("monkey")
    assert (challenger["rank"], challenger["low"], challenger["value_low"]) == (None, None, None)
    for row in rows.values():
        assert (row["low"], row["high"]) == (1, 2)
        assert row["value_low"] <= row["score"] <= row["value_high"]
