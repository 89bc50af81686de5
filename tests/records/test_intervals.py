"""Test which interval a fight has: for all its pairs, or for every look."""

from __future__ import annotations

import pytest

import arena
from arena.features.show.function import show
from arena.records.intervals import ANYTIME, FIXED, anytime, fixed
from arena.stats.anytime import anytime_interval
from arena.stats.independence import PAIR_SCORES, Observations, SequentialTable
from arena.stats.interval import score_interval

TABLE = Observations((2, 13, 42, 20, 3), PAIR_SCORES)
FEW = Observations((0, 1, 2, 1, 0), PAIR_SCORES)


def test_take_the_narrower_of_two_that_hold_together() -> None:
    interval = anytime([SequentialTable(TABLE, 0.8), SequentialTable(FEW, 0.2)], 0.05)
    assert interval is not None
    assert interval.ends == anytime_interval(TABLE.counts, alpha=0.04)
    assert interval.ends != anytime_interval(TABLE.counts, alpha=0.05)
    assert anytime([SequentialTable(FEW, 0.2)]) != anytime([SequentialTable(FEW, 1.0)])


def test_have_no_interval_without_an_observation() -> None:
    nothing = Observations((0,) * 5, PAIR_SCORES)
    assert anytime([]) is anytime([SequentialTable(nothing, 1.0)]) is fixed(nothing) is None


def test_say_fixed_only_where_all_planned_pairs_were_played(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    store = tmp_path_factory.mktemp("store") / "S"
    whole = arena.fight("tictactoe3", "heuristic", 20, seed=1, executor="serial")
    assert whole.interval is not None
    assert whole.interval.kind == FIXED
    assert whole.interval.ends == score_interval(whole.pentanomial)
    with pytest.raises(arena.Interrupted):
        arena.fight(
            "tictactoe3", "heuristic", 99, seed=1, store=store, on_progress=stop, executor="serial"
        )
    part = show(store)
    assert isinstance(part, arena.records.FightResult)
    assert part.interval is not None
    assert (part.interval.kind, part.as_json()["interval"]) == (ANYTIME, ANYTIME)
    assert part.interval.ends == anytime_interval(part.pentanomial)


def test_count_openings_as_the_rule_of_the_list_says() -> None:
    def met(pairs: int, openings: str) -> list[tuple[int, float]]:
        fight = arena.fight(
            "tictactoe3", "heuristic", pairs, seed=1, openings=openings, executor="serial"
        )
        return [(sum(table.counts), share) for table, share in fight.watched]

    assert met(8, "all:1") == []  # in order: nothing is known before all nine are met
    assert met(9, "all:1") == met(30, "all:1") == [(9, 1.0)]
    ((few, share),) = met(200, "random:2")
    assert 60 < few <= 72
    assert share == 1.0
