"""Tournaments: who meets whom, and the order in which they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

import arena
from arena.fights.standings import standings, tournament_of
from arena.records.entrants import PlayerResult
from arena.records.fights import FightResult
from arena.records.joint import Joint
from arena.records.void import VoidPairs
from arena.reports.page import Table, page
from arena.runs.sheets import sheet_of
from tests.golden import Wording


def a_fight(a: str, b: str, wins: int, draws: int, losses: int) -> FightResult:
    return FightResult(
        game="tictactoe",
        game_version=1,
        seed=1,
        engine="calls",
        a=PlayerResult(a, forfeits={"illegal": 2}),
        b=PlayerResult(b),
        planned=1,
        joint=Joint(ll=losses, dd=draws, ww=wins),
        void=0,
        distinct_games=1,
    )


def test_everybody_meets_everybody_once() -> None:
    result = arena.tournament(["monkey", "triples", "heuristic", "minimax"], 3, seed=1)
    pairs = [frozenset(fight.players) for fight in result.fights]
    assert len(pairs) == len(set(pairs)) == 6
    assert [standing.tally.games for standing in result.standings] == [18] * 4
    assert result.schedule == "round robin"


@pytest.mark.slow
def test_without_names_all_players_of_the_game_take_part() -> None:
    result = arena.tournament(n=1, seed=1)
    assert {standing.player for standing in result.standings} >= {
        "heuristic", "minimax", "monkey", "tictactoe1", "tictactoe2", "tictactoe3", "triples",
    }  # fmt: skip
    at_four = arena.tournament(n=1, seed=1, game="mnk-4-3-3")
    assert {standing.player for standing in at_four.standings} >= {"minimax", "monkey"}
    assert "triples" not in {standing.player for standing in at_four.standings}


def test_each_rank_has_a_span_that_holds_it() -> None:
    result = arena.tournament(["monkey", "triples", "tictactoe3"], 20, seed=1)
    assert result.rank_intervals is not None
    assert result.rank_intervals.comparisons == 3
    spans = {row.player: (row.rank_low, row.rank_high) for row in result.standings}
    assert spans["monkey"] == (3, 3)
    assert spans["triples"] == spans["tictactoe3"] == (1, 2)


def test_players_that_lack_pairs_have_no_span() -> None:
    whole, part = a_fight("anna", "bert", 30, 0, 0), a_fight("bert", "cleo", 1, 0, 0)
    fights = [
        replace(whole, planned=30),
        replace(whole, b=PlayerResult("cleo"), planned=30),
        replace(part, planned=30),
    ]
    result = tournament_of(fights, "round robin")
    spans = {row.player: (row.rank_low, row.rank_high) for row in result.standings}
    assert spans == {"anna": (1, 1), "bert": (None, None), "cleo": (None, None)}


def test_a_gauntlet_is_one_against_all_others() -> None:
    result = arena.tournament(["monkey", "triples", "heuristic"], 2, gauntlet="monkey", seed=1)
    assert [fight.players for fight in result.fights] == [
        ("monkey", "triples"),
        ("monkey", "heuristic"),
    ]
    assert result.schedule == "gauntlet"


@pytest.mark.slow
def test_a_fight_of_a_tournament_is_that_fight_alone() -> None:
    result = arena.tournament(["monkey", "triples", "tictactoe2"], 10, seed=4)
    for fight in result.fights:
        assert fight == arena.fight(*fight.players, 10, seed=4)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing() -> None:
    one = arena.tournament(["monkey", "triples", "tictactoe2"], 40, seed=4, workers=1)
    assert one == arena.tournament(["monkey", "triples", "tictactoe2"], 40, seed=4, workers=2)


def test_standings_are_by_score_then_by_name_and_equals_share_a_rank() -> None:
    rows = standings([a_fight("b", "a", 1, 2, 1), a_fight("d", "c", 3, 0, 1)])
    assert [(row.rank, row.player) for row in rows] == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]
    assert [row.tally.score for row in rows] == [0.75, 0.5, 0.5, 0.25]
    assert [row.forfeits for row in rows] == [2, 0, 2, 0]


def test_a_fight_that_killed_its_workers_is_in_no_standings() -> None:
    """Or a player could end the process whenever it is about to lose."""
    killed = VoidPairs(5, 7, "exit code 3", killed=True)
    voided = replace(a_fight("cheat", "victim", 4, 0, 0), void=6, void_pairs=(killed,))
    rows = standings([voided, a_fight("victim", "other", 1, 0, 1)])
    assert [(row.player, row.tally.games) for row in rows] == [
        ("other", 4), ("victim", 4), ("cheat", 0),
    ]  # fmt: skip


def test_a_pair_that_the_machine_spoilt_is_left_out_alone() -> None:
    fight = replace(a_fight("a", "b", 4, 0, 0), void=2, void_pairs=(VoidPairs(5, 5, "busy"),))
    assert [(row.player, row.tally.games) for row in standings([fight])] == [("a", 8), ("b", 8)]


def test_a_player_without_games_comes_last_without_a_score() -> None:
    rows = standings([a_fight("b", "a", 0, 0, 0), a_fight("d", "c", 0, 0, 1)])
    assert [row.player for row in rows] == ["c", "d", "a", "b"]
    assert rows[-1].tally.score is None


def test_who_lacks_pairs_is_ranked_below_all_who_played_theirs(wording: Wording) -> None:
    """Nobody reaches the top by leaving out the opponents that it would lose to."""
    strong = replace(a_fight("quitter", "monkey", 9, 0, 1), planned=10)
    gone = replace(a_fight("quitter", "minimax", 0, 0, 0), planned=10, unfinished="interrupted")
    rest = replace(a_fight("minimax", "monkey", 6, 0, 4), planned=10)
    tournament = tournament_of([strong, gone, rest], "round robin")
    assert [(s.player, s.missing) for s in tournament.standings] == [
        ("monkey", 0), ("quitter", 10), ("minimax", 10),
    ]  # fmt: skip
    assert [s.rank for s in tournament.standings] == [1, 2, 3]
    assert [row.rank for row in tournament.ratings.players] == [1, None, None]
    table, *parts = page(tournament)
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == [1, "-", "-"]
    [line] = [part for part in parts if "quitter (10), minimax (10)" in str(part)]
    wording(line)


def test_who_never_started_costs_no_other_player_its_rank() -> None:
    nobody = PlayerResult("nobody", withdrawn="no file")
    absent = replace(a_fight("nobody", "a", 0, 0, 0), a=nobody, planned=5, unfinished="gone")
    played = replace(a_fight("a", "b", 3, 0, 2), planned=5)
    rows = standings([absent, replace(absent, b=PlayerResult("b")), played])
    assert [(row.rank, row.player, row.missing) for row in rows] == [
        (1, "a", 0), (2, "b", 0), (3, "nobody", 10),
    ]  # fmt: skip


@pytest.mark.parametrize("schedule", ["round robin", "gauntlet"])
def test_nobody_has_a_rank_before_any_game(schedule: str) -> None:
    fights = [replace(a_fight("a", b, 0, 0, 0), planned=5, unfinished="gone") for b in "cb"]
    tournament = tournament_of(fights, schedule)
    assert [(row.rank, row.player) for row in tournament.standings] == [
        (None, "a"), (None, "b"), (None, "c"),
    ]  # fmt: skip
    tables = [part for part in page(tournament) if isinstance(part, Table)]
    first = ["a"] if schedule == "gauntlet" else ["a", "b", "c"]
    assert [row[-6] for row in tables[0].rows] == first
    assert [row["rank"] for row in sheet_of(tournament, "standings").rows] == [None] * 3
