"""``arena rate STORE…`` of runs of a game for more than two."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.records.tables import TableRatingTable, TablesResult
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

NAMES = ("wary", "monkey", "b=monkey")


def play(store: str, *names: str, seed: int = 1, n: int = 2, **options: Any) -> TablesResult:
    game = options.pop("game", "snakes-3")
    return arena.table_tournament(
        names, n, game=game, seed=seed, store=store, executor="serial", **options
    )


def rated(*stores: str, **options: Any) -> TableRatingTable:
    table = arena.rate_stores(stores, **options)
    assert isinstance(table, TableRatingTable)
    return table


def numbers(ratings: Any) -> set[tuple[Any, ...]]:
    return {(row.player, row.elo, row.low, row.high) for row in ratings.players}


def test_the_ratings_of_one_run_are_those_that_it_shows(run: Run, wording: Wording) -> None:
    played = play("S", *NAMES, "c=monkey")
    table = rated("S")
    assert played.ratings is not None
    assert numbers(table) == numbers(played.ratings)
    assert table.seats == played.ratings.seats
    assert (table.games, table.blocks) == (24, 8)
    assert arena.rate(played) == arena.rate([played]) == table
    played.save("tables.json")
    assert run("rate", "tables.json").out == run("rate", "S").out
    wording(run("rate", "S", "--anchor", "wary=2000").out, "2000")


@pytest.mark.slow
def test_runs_and_stores_that_share_a_block_count_it_once(wording: Wording) -> None:
    play("S", *NAMES)
    shutil.copy("S", "T")
    once, both = rated("S"), rated("S", "T")
    assert both.players == once.players
    wording(both.statements[-1], "2 blocks")
    play("T", *NAMES, seed=2)
    play("T", *NAMES, seed=1, n=3)  # its first two blocks are those of the first run
    assert rated("S", "T").blocks == 5


@pytest.mark.slow
def test_the_order_of_the_players_does_not_matter() -> None:
    play("S", *NAMES)
    play("S", *NAMES, seed=2, seatings="all")
    play("T", *NAMES[1:], NAMES[0])
    play("T", *NAMES[::-1], seed=2, seatings="all")
    first, second = rated("S"), rated("T")
    assert (first.games, first.blocks) == (second.games, second.blocks) == (18, 4)
    assert [row.games for row in first.players] == [18, 18, 18]


@pytest.mark.slow
def test_players_without_chance_repeat_themselves_over_runs_too() -> None:
    Path("bot.py").write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    bots = ("a=./bot.py", "b=./bot.py", "c=./bot.py")
    play("S", *bots, game="mnk-3-3-3-x3", isolation="none")
    once = rated("S")
    play("S", *bots, game="mnk-3-3-3-x3", isolation="none", seed=2)
    again = rated("S")
    assert numbers(again) == numbers(once)
    assert [row.games for row in again.players] == [12, 12, 12]


def test_changed_code_is_another_player(wording: Wording) -> None:
    code = "def choose(position, rng):\n    return position.legal_moves()[%d]\n"
    for seed, move in enumerate((0, -1)):
        Path("bot.py").write_text(code % move)
        play("S", "bot=./bot.py", "monkey", "b=monkey", seed=seed, isolation="none")
    table = rated("S")
    [older, newer] = sorted(row.player for row in table.players if row.player.startswith("bot"))
    assert (older, newer[:5]) == ("bot", "bot [")
    wording(table.statements[-1], newer)


def test_what_does_not_go_together_is_refused(run: Run, wording: Wording) -> None:
    play("S", *NAMES)
    arena.fight("monkey", "triples", 2, seed=1, store="S")
    for words in (
        "rate S",
        "rate S --game snakes-3 --prior 2",
        "rate S --game snakes-3 --count-forfeits none",
        "rate S --game snakes-4",
        "rate S --game snakes-3 --anchor wari=1",
    ):
        ran = run(*words.split())
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err)
    assert len(rated("S", game="snakes-3", count_forfeits="all").players) == 3
    assert len(arena.rate_stores("S", game="tictactoe").players) == 2


def test_fights_and_tables_are_not_rated_together(wording: Wording) -> None:
    played = arena.table_fight(["monkey"] * 3, n=1, game="snakes-3", seed=1)
    fight = arena.fight("monkey", "triples", 1, seed=1)
    with wording.raises(UsageError):
        arena.rate([played, fight])
    with wording.raises(UsageError):
        arena.rate(played, prior=2.0)
