"""A tournament of tables that grows: it is the tournament of the players of now."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.main import main
from arena.records.left_out import LeftOut
from arena.records.tables import TablesResult
from tests.golden import Wording

GAME = "mnk-3-3-3-x3"


def monkeys(*names: str) -> list[str]:
    return [f"{name}=monkey" for name in names]


def play(*players: str, **options: Any) -> TablesResult:
    given: dict[str, Any] = {"game": GAME, "seed": 3, "executor": "serial", **options}
    return arena.table_tournament(players, 1, **given)


def resume(path: Path, **options: Any) -> TablesResult:
    played = arena.resume(path, 1, executor="serial", **options)
    assert isinstance(played, TablesResult)
    return played


def games_of(path: Path) -> dict[str, Any]:
    (run,) = arena.export(path).as_json()["runs"]
    fights = [*run["fights"], *run.get("left_out", ())]
    return {game["game_id"]: game for fight in fights for game in fight["games"]}


@pytest.mark.slow
@pytest.mark.parametrize("gauntlet", [False, True])
def test_players_come_and_leave_and_no_game_is_played_again(path: Path, gauntlet: bool) -> None:
    options = {"gauntlet": "a"} if gauntlet else {}
    play(*monkeys("a", "b", "c", "d"), store=path, **options)
    before = games_of(path)
    played = resume(path, add=["e=monkey"], replace=["b=f=monkey"], withdraw=["d"])
    left_out = [(gone.player, gone.replaced_by) for gone in played.left_out]
    assert left_out == [("b", "f"), ("d", None)]
    assert replace(played, left_out=()) == play(*monkeys("a", "f", "c", "e"), **options)
    after = games_of(path)
    assert {name: after[name] for name in before} == before, "seconds and all"
    assert arena.verify(path).divergence is None


@pytest.mark.slow
def test_a_replaced_player_leaves_its_place_at_every_table(path: Path) -> None:
    play(*monkeys("a", "b", "c", "d"), store=path)
    played = resume(path, replace=["b=f=monkey"])
    assert played.left_out == (LeftOut("b", 9, "f"),)
    assert played.unscheduled == 0
    tables = [table.players for table in played.tables]
    assert tables == [("a", "f", "c"), ("a", "f", "d"), ("a", "c", "d"), ("f", "c", "d")]


@pytest.mark.slow
def test_where_not_all_tables_are_played_the_schedule_is_that_of_now(
    path: Path, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    names = [f"p{number:02}" for number in range(16)]  # 560 tables would be too many
    first = play(*monkeys(*names), store=path)
    assert first.tables[0].players[0] == "p00"
    same = resume(path, replace=["p03=p99=monkey"])
    assert same.unscheduled == 0
    now = ["p99" if name == "p03" else name for name in names]
    assert replace(same, left_out=()) == play(*monkeys(*now))
    count = len(games_of(path))
    grown = resume(path, add=["new=monkey"])
    fresh = play(*monkeys(*now, "new"))
    assert replace(grown, left_out=(), unscheduled=0) == fresh
    assert grown.unscheduled + grown.games == len(games_of(path)) - grown.left_out[0].games
    assert len(games_of(path)) > count
    assert main(["show", str(path)]) == 0
    wording("\n".join(line for line in capsys.readouterr().out.splitlines() if "counted" in line))
    assert main(["verify", str(path)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"withdraw": ["a", "b"]},
        {"add": ["c=monkey"]},
        {"replace": ["x=monkey"]},
        {"replace": ["a=b=monkey"]},
    ],
)
def test_a_change_that_cannot_be_is_refused_and_the_store_is_as_it_was(
    path: Path, changes: dict[str, Any], wording: Wording
) -> None:
    played = play(*monkeys("a", "b", "c", "d"), store=path)
    with pytest.raises(UsageError) as refusal:
        resume(path, **changes)
    wording(str(refusal.value))
    assert resume(path) == played


@pytest.mark.slow
def test_a_game_of_a_table_that_left_is_verified_too(path: Path) -> None:
    play(*monkeys("a", "b", "c", "d"), store=path)
    resume(path, replace=["a=f=monkey"])
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("UPDATE games SET moves = '0 0 1' WHERE fight = 0 AND pair = 1 AND half = 1")
    assert arena.verify(path).divergence is not None
