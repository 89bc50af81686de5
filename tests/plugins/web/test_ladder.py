"""The rung of an entrant: the highest of the players that never change which it surely beats."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import arena
from benchmarks.contesting import RIGHT

pytestmark = pytest.mark.needs("starlette", "uvicorn")

#: Players at tic-tac-toe by what is known of them: the first three are equals, and so are the last.
EQUALS = (("minimax", "triples", "a=minimax"), ("monkey", "b=monkey"))
NAMES = ("minimax", "triples", "a", "monkey", "b")


@cache
def fights(pairs: int) -> tuple[arena.records.FightResult, ...]:
    players = [player for group in EQUALS for player in group]
    return tuple(arena.tournament(players, pairs, seed=1, executor="serial").fights)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_rung_is_the_highest_that_is_weaker(size: int) -> None:
    from arena.plugins.web.contest.ladder import rungs

    strong, weak = NAMES[:3], NAMES[3:]
    for ladder in combinations(NAMES, size):
        lower = [name for name in ladder if name in weak]
        climbers = [name for name in strong if name not in ladder]
        expected = dict.fromkeys(climbers, lower[0]) if lower else {}
        assert rungs(ladder, fights(30)) == expected


def test_few_games_are_not_sure() -> None:
    from arena.plugins.web.contest.ladder import rungs

    assert rungs(["monkey"], fights(2)) == {}


def test_a_game_whose_middle_is_not_even_has_no_rungs() -> None:
    from arena.plugins.web.contest.ladder import rungs

    players = ["always-defect", "always-cooperate"]
    played = arena.tournament(players, 20, game="prisoners-dilemma-3", seed=1, executor="serial")
    assert rungs(["always-cooperate"], played.fights) == {}


def test_the_standings_have_the_rungs_of_hand_ins_alone(tmp_path: Path) -> None:
    from arena.plugins.web.contest.rows import ranking_of

    hand_in = tmp_path / "anna" / "3" / "bot.py"
    hand_in.parent.mkdir(parents=True)
    hand_in.write_text(RIGHT)
    players = ["minimax", "monkey", f"anna={hand_in}"]
    played = arena.tournament(players, 40, seed=1, executor="serial", openings="all:2")
    rows = {row.player: row for row in ranking_of(played).rows}
    assert rows["anna"].hand_in == 3
    assert rows["minimax"].rung is rows["monkey"].rung is None
    [against] = [each for each in played.fights if {*each.players} == {"anna", "monkey"}]
    is_sure = rows["anna"].rung == "monkey"
    assert is_sure or rows["anna"].rung is None
    assert not is_sure or against.total.score != 0.5
