"""``arena rate STORE…``: all runs together rate players as one run does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.records.ratings import RatingTable
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

NAMES = ("monkey", "triples", "heuristic")


def play(store: str, *names: str, seed: int = 1, n: int = 6, **options: Any) -> Any:
    return arena.tournament(names, n, seed=seed, store=store, executor="serial", **options)


def elos(table: RatingTable) -> dict[str, float | None]:
    return {row.player: row.elo.value for row in table.players}


@pytest.mark.slow
def test_the_ratings_of_one_run_are_those_that_it_shows() -> None:
    for openings in (None, "random:2"):
        Path("S").unlink(missing_ok=True)
        played = play("S", *NAMES, openings=openings)
        assert arena.rate_stores(["S"]) == played.ratings


@pytest.mark.slow
def test_runs_and_stores_that_share_a_run_count_it_once(wording: Wording) -> None:
    """Split a contest over runs and stores, in other orders, and rate the parts together."""
    play("S", *NAMES)
    shutil.copy("S", "T")
    both = arena.rate_stores(["S", "T"])
    assert both.players == arena.rate_stores(["S"]).players
    wording(both.statements[-1], "18")
    play("T", "heuristic", "monkey", seed=2)
    more = arena.rate_stores(["S", "T"])
    games = {row.player: row.tally.games for row in more.players}
    assert games == {"monkey": 36, "triples": 24, "heuristic": 36}


@pytest.mark.slow
def test_the_order_of_a_and_b_does_not_matter() -> None:
    play("S", "monkey", "heuristic", seed=1)
    play("S", "heuristic", "monkey", seed=2)
    play("T", "heuristic", "monkey", seed=2)
    play("T", "monkey", "heuristic", seed=1)
    assert elos(arena.rate_stores(["S"])) == pytest.approx(elos(arena.rate_stores(["T"])), abs=1e-3)
    tallies = {row.player: row.tally for row in arena.rate_stores(["S"]).players}
    assert tallies["monkey"] == tallies["heuristic"].reversed()


@pytest.mark.slow
def test_deterministic_players_repeat_themselves_over_runs_too() -> None:
    play("S", "triples", "tree", seed=1)
    once = arena.rate_stores(["S"])
    play("S", "triples", "tree", seed=2)
    again = arena.rate_stores(["S"])
    assert [row.elo for row in again.players] == [row.elo for row in once.players]
    assert [row.tally.games for row in again.players] == [24, 24]


@pytest.mark.slow
def test_changed_code_is_another_player(wording: Wording) -> None:
    code = "def choose(position, rng):\n    return position.legal_moves()[%d]\n"
    for seed, move in enumerate((0, -1)):
        Path("bot.py").write_text(code % move)
        play("S", "./bot.py", "monkey", seed=seed, isolation="none")
    table = arena.rate_stores(["S"])
    names = sorted(row.player for row in table.players)
    assert names[0] == "./bot.py"
    assert names[1].startswith("./bot.py [")
    wording(table.statements[-1], "./bot.py", f"{names[1]}")


@pytest.mark.slow
def test_what_does_not_go_together_is_refused(run: Any, wording: Wording) -> None:
    play("S", *NAMES)
    play("S", "monkey", "minimax:depth=1", game="connect4", n=1)
    with wording.raises(UsageError):
        arena.rate_stores(["S"])
    assert len(arena.rate_stores(["S"], "connect4").players) == 2
    with wording.raises(UsageError, match="'S'"):
        arena.rate_stores(["S"], "tictactoe-4")
    play("S", *NAMES, seed=2, count_forfeits="none")
    with wording.raises(UsageError, match="--count-forfeits"):
        arena.rate_stores(["S"], "tictactoe")
    shown = run("rate", "S", "--game", "tictactoe", "--count-forfeits", "all")
    assert (shown.code, shown.out.count("triples")) == (0, 1)
    Path("results.csv").write_text("a,b,wins,draws,losses\nx,y,1,2,3\n")
    for words in (("S", "results.csv"), ("results.csv", "--game", "tictactoe")):
        ran = run("rate", *words)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
