"""Ratings and plans: the same whoever asks, and honest where the results say little."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.fights import ratings
from arena.fights.standings import tournament_of
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.joint import Joint
from arena.records.void import VoidPairs
from arena.reports.page import Table, page
from arena.stats.elo import expected_score
from tests.golden import Wording
from tests.simple import last, lowest


@pytest.fixture(scope="module")
def fights() -> tuple[FightResult, ...]:
    players = ["tictactoe1", "heuristic", "monkey", "tictactoe3"]
    return arena.tournament(players, 100, seed=3).fights


@pytest.mark.slow
def test_a_tournament_rates_all_its_players(fights: tuple[FightResult, ...]) -> None:
    table = ratings.of_fights(fights)
    values = [row.elo.value for row in table.players]
    assert values == sorted(values, key=lambda value: -(value or 0))
    assert sum(value or 0 for value in values) == pytest.approx(0, abs=1e-6)
    assert table.players[-1].player == "monkey"
    for row in table.players:
        assert row.elo.value is not None
        assert row.elo.low is not None
        assert row.elo.high is not None
        assert row.elo.low < row.elo.value < row.elo.high
        assert row.tally.games == 600
    assert table.advantage.value is not None
    assert table.advantage.value > 0


def test_order_standings_by_score_and_ratings_by_elo(fights: tuple[FightResult, ...]) -> None:
    """Forfeits that count more make the two orders differ: each table shows what orders it."""
    forfeits = Joint(lw=90)
    lost = replace(
        fights[0],
        joint=fights[0].joint + forfeits,
        forfeited_joint=forfeits,
        a=replace(fights[0].a, forfeited_alone=forfeits),
        planned=fights[0].planned + 90,
        count_forfeits="none",
    )
    others = [replace(fight, count_forfeits="none") for fight in fights[1:]]
    tournament = tournament_of([lost, *others], "round robin")
    scores = [row.tally.score or 0 for row in tournament.standings]
    elo = [row.elo.value or 0 for row in tournament.ratings.players]
    assert scores == sorted(scores, reverse=True)
    assert elo == sorted(elo, reverse=True)
    assert [row.rank for row in tournament.ratings.players] == [1, 2, 3, 4]
    names = [row.player for row in tournament.standings]
    assert names != [row.player for row in tournament.ratings.players]
    standings, _, _, _, table, *_ = page(tournament)
    assert isinstance(standings, Table)
    assert isinstance(table, Table)
    assert "Elo" not in standings.headers
    assert [row[1] for row in standings.rows] == names
    assert [row[1] for row in table.rows] == [row.player for row in tournament.ratings.players]


def test_give_players_that_did_not_meet_tables_of_their_own() -> None:
    """The lowest group may have the highest Elo, which says nothing about the others."""
    table = arena.rate(
        [
            arena.Result("anna", "bert", Tally(5, 0, 5)),
            arena.Result("cleo", "dora", Tally(9, 0, 1)),
            arena.Result("dora", "emil", Tally(5, 0, 5)),
            arena.Result("finn", "anna", Tally()),
        ]
    )
    placed = [(row.player, row.group, row.rank) for row in table.players]
    assert placed == [
        ("cleo", 1, 1), ("dora", 1, 2), ("emil", 1, 2),
        ("anna", 2, 1), ("bert", 2, 1), ("finn", 3, None),
    ]  # fmt: skip
    tables = [block for block in page(table) if isinstance(block, Table)]
    assert [len(block.rows) for block in tables] == [3, 2, 1]
    assert "Elo" not in tables[2].headers


def test_a_prior_rates_everybody_and_compares_nobody_that_did_not_meet() -> None:
    results = [
        arena.Result("cleo", "dora", Tally(9, 0, 1)),
        arena.Result("anna", "bert", Tally(20, 0, 0)),
        arena.Result("dora", "emil", Tally(5, 0, 5)),
        arena.Result("finn", "anna", Tally()),
    ]
    table = arena.rate(results, prior=2)
    assert table.connection == "prior"
    assert [(row.player, row.group, row.rank) for row in table.players] == [
        ("cleo", 1, 1), ("emil", 1, 2), ("dora", 1, 3),
        ("anna", 2, 1), ("bert", 2, 2), ("finn", 3, None),
    ]  # fmt: skip
    assert all(row.elo.value is not None for row in table.players)
    assert sum(row.elo.value or 0 for row in table.players) == pytest.approx(0, abs=1e-3)
    assert {row.player: row.rank_high for row in table.players}["bert"] == 2
    tables = [block for block in page(table) if isinstance(block, Table)]
    assert [len(block.rows) for block in tables] == [3, 2, 1]
    assert "rank" not in tables[2].headers
    without = arena.rate(results)
    assert without.connection == "nothing"
    spans = [(t.players[3].elo.value or 0) for t in (without, table)]
    assert spans[0] > spans[1] > 0


@pytest.mark.parametrize("prior", [-1, 1e9, float("nan"), 0.001])
def test_a_prior_is_a_number_of_games(prior: float) -> None:
    with pytest.raises(UsageError, match="prior"):
        arena.rate([arena.Result("anna", "bert", Tally(3, 0, 1))], prior)


def test_ranks_of_ratings_span_what_the_results_leave(fights: tuple[FightResult, ...]) -> None:
    table = ratings.of_fights(fights)
    for row in table.players:
        assert row.rank is not None
        assert row.rank_low is not None
        assert row.rank_high is not None
        assert row.rank_low <= row.rank <= row.rank_high
    assert (table.players[-1].rank_low, table.players[-1].rank_high) == (4, 4)
    even = arena.rate([arena.Result(a, b, Tally(5, 5, 5)) for a, b in ("ab", "bc", "ca")])
    assert {(row.rank_low, row.rank_high) for row in even.players} == {(1, 3)}


def test_fights_that_their_results_ended_leave_no_spans(
    fights: tuple[FightResult, ...], wording: Wording
) -> None:
    """The tests behind the spans and the scale take the numbers of pairs as fixed beforehand."""
    ended = [*fights[:-1], replace(fights[-1], is_sequential=True)]
    table = ratings.of_fights(ended)
    assert (table.rank_intervals, table.scale) == (None, None)
    assert {row.rank_low for row in table.players} == {None}
    wording(table.statements[-1])
    assert [row.rank for row in table.players] == [1, 2, 3, 4]
    (shown, *_) = page(table)
    assert isinstance(shown, Table)
    assert "ranks" not in shown.headers


@pytest.mark.slow
def test_two_players_have_ranks_where_their_interval_excludes_zero() -> None:
    for wins in range(4, 20):
        table = arena.rate([arena.Result("anna", "bert", Tally(wins, 3, 4))])
        row = table.players[0]
        assert (row.rank_high == 1) == ((row.elo.low or 0) > 0)


def test_rate_strong_players_above_weak_ones_that_never_took_a_point() -> None:
    beaten = [arena.Result(a, b, Tally(20, 0, 0)) for a in ("s1", "s2") for b in ("w1", "w2")]
    even = [arena.Result("s1", "s2", Tally(12, 0, 8)), arena.Result("w1", "w2", Tally(16, 0, 4))]
    table = arena.rate([*beaten, *even])
    assert [row.player for row in table.players] == ["s1", "s2", "w1", "w2"]
    values = [row.elo.value or 0 for row in table.players]
    assert values == sorted(values, reverse=True)


def test_the_same_results_in_another_order_give_the_same_ratings(
    fights: tuple[FightResult, ...],
) -> None:
    one, other = ratings.of_fights(fights), ratings.of_fights(fights[::-1])
    assert [row.player for row in one.players] == [row.player for row in other.players]
    for a, b in zip(one.players, other.players, strict=True):
        assert a.elo.value == pytest.approx(b.elo.value, abs=1e-4)


def test_a_fight_that_killed_its_workers_rates_nobody(fights: tuple[FightResult, ...]) -> None:
    killed = (VoidPairs(1, 1, "exit code 3", killed=True),)
    voided = [
        replace(fight, void=2, void_pairs=killed) if "monkey" in fight.players else fight
        for fight in fights
    ]
    (monkey,) = [row for row in ratings.of_fights(voided).players if row.player == "monkey"]
    assert monkey.elo.value is None
    assert monkey.tally == Tally()


def test_a_void_pair_is_left_out_alone(fights: tuple[FightResult, ...]) -> None:
    voided = replace(fights[0], void=2, void_pairs=(VoidPairs(1, 1, "the machine was busy"),))
    assert ratings.of_fights([voided, *fights[1:]]) == ratings.of_fights(fights)


def test_a_pair_with_a_forfeit_is_lost_in_the_ratings_by_who_forfeited(
    fights: tuple[FightResult, ...],
    wording: Wording,
) -> None:
    """Of 10 such pairs A forfeited 7 and B 3; a pair that both forfeited counts as it was."""
    forfeits = Joint(ll=1, ld=2, lw=5, ww=3)
    more = replace(
        fights[0],
        joint=fights[0].joint + forfeits,
        forfeited_joint=forfeits,
        a=replace(fights[0].a, forfeited_alone=Joint(ll=1, ld=2, lw=4)),
        b=replace(fights[0].b, forfeited_alone=Joint(ww=3)),
        planned=fights[0].planned + 11,
    )
    lost = replace(fights[0], joint=fights[0].joint + Joint(ll=7, lw=1, ww=3))
    counted = ratings.of_fights([replace(more, count_forfeits="none"), *fights[1:]])
    assert counted.players == ratings.of_fights([lost, *fights[1:]]).players
    wording(counted.statements[-1], " 11 ")
    assert more.pairs_forfeited == (8, 4)
    assert ratings.of_fights([more, *fights[1:]]).players != counted.players


def test_pairs_that_repeat_two_games_count_once(fights: tuple[FightResult, ...]) -> None:
    alike = replace(fights[0], joint=Joint(wd=900), distinct_games=2)
    once = replace(alike, joint=Joint(wd=1))
    assert [row.elo for row in ratings.of_fights([alike]).players] == [
        row.elo for row in ratings.of_fights([once]).players
    ]


def test_two_games_repeated_for_ever_are_one_pair(fights: tuple[FightResult, ...]) -> None:
    alike = replace(fights[0], joint=Joint(wd=900), distinct_games=2)
    assert alike.repeats
    assert alike.observations.counts == (0, 0, 0, 1, 0)
    assert not replace(alike, distinct_games=3).repeats  # chance was at work in every pair
    assert not replace(alike, joint=Joint(wd=1)).repeats
    forfeits = replace(alike, joint=Joint(ll=1, wd=899))  # by chance as well
    assert not forfeits.repeats
    assert forfeits.observations.counts == forfeits.pentanomial


def test_results_from_a_file_are_those_from_python(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("\ufeffB, A ,draws,losses,wins,more\nbert,anna,3,2,5,x\n\ncleo,bert,1,5,4\n")
    results = [
        arena.Result("anna", "bert", Tally(5, 3, 2)),
        arena.Result("bert", "cleo", Tally(4, 1, 5)),
    ]
    assert arena.rate(path) == arena.rate(results)


def test_a_column_with_the_order_tells_what_moving_first_is_worth(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(
        "a_moves,a,b,wins,draws,losses\n"
        "first,anna,bert,8000,0,2000\nsecond,anna,bert,2000,0,8000\ntotal,anna,bert,1,0,1\n"
    )
    table = arena.rate(path)
    assert table.players[0].tally.games == 20_000
    assert table.advantage.value is not None
    assert expected_score(table.advantage.value) == pytest.approx(0.8, abs=0.001)
    assert table.players[0].elo.value == pytest.approx(0, abs=1e-6)


def test_a_fights_csv_can_be_rated(run: object, tmp_path: Path) -> None:
    fight = arena.fight("heuristic", "tictactoe1", 50, seed=2)
    from arena.reports.delimited import csv

    path = tmp_path / "fight.csv"
    path.write_text(csv(fight))
    assert {row.tally.games for row in arena.rate(path).players} == {100}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "a,b,wins\nx,y,1\n",
        "a,b,wins,draws,losses\n",
        "a,b,wins,draws,losses\nx,y,1,2,-1\n",
        "a,b,wins,draws,losses\nx,y,1,2,3\nx,y,1,2\n",
        "a,b,wins,draws,losses\nx,y,1.5,2,3\n",
        "a,b,wins,draws,losses\nx,y," + "9" * 5000 + ",2,3\n",
        "a,b,wins,draws,losses\nx,x,1,2,3\n",
        "a,b,wins,draws,losses\n,x,1,2,3\n",
        "a,b,wins,draws,losses,a_moves\nx,y,1,2,3,third\n",
        "\x00\x01",
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, content: str, wording: Wording) -> None:
    path = tmp_path / "results.csv"
    path.write_text(content)
    with wording.raises(UsageError) as refused:
        arena.rate(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_files_that_cannot_be_read_are_one_line(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "latin.csv").write_bytes(b"a,b,wins,draws,losses\n\xff,y,1,2,3\n")
    for name in ("missing.csv", "", "latin.csv"):
        with wording.raises(UsageError):
            arena.rate(tmp_path / name)


@pytest.mark.slow
def test_a_plan_foretells_about_how_long_the_test_takes() -> None:
    plan = arena.plan("heuristic", "tictactoe2", 400, elo0=-20, elo1=20, seed=1)
    expected = [test for test in plan.tests if test.aim.endswith("as in the trial")]
    assert expected[0].pairs is not None
    lengths = [
        arena.sprt_fight("heuristic", "tictactoe2", elo0=-20, elo1=20, seed=seed).fight.pairs
        for seed in range(8)
    ]
    assert 0.4 < expected[0].pairs / (sum(lengths) / len(lengths)) < 2.5


@pytest.mark.slow
def test_a_plan_refuses_before_it_plays() -> None:
    for changes, complaint in (
        ({"elo0": 10, "elo1": 0}, "elo0"),
        ({"model": "normalized"}, "'normalized'.*'logistic'"),
        ({"model": "x"}, "model"),
        ({"error": 0}, "error"),
        ({"entrants": 1}, "entrants .* 2 .* 1000.* 1"),
        ({"entrants": 8, "apart": 0}, "apart 0"),
        ({"loss_rate": 0}, "rate"),
        ({"loss_rate": 5}, "loss rate 5"),
        ({"alpha": 0}, "alpha"),
    ):
        with pytest.raises(UsageError, match=complaint):
            arena.plan("monkey", "monkey", 10**6, **changes)


@pytest.mark.slow
def test_a_plan_of_players_that_repeat_themselves_has_one_pair_to_go_by() -> None:
    assert sum(arena.plan(lowest, last, 50).counts) == 1


def test_plan_the_ranks_of_a_tournament(wording: Wording) -> None:
    planned = arena.plan("monkey", "tictactoe1", 20, entrants=4, apart=100, seed=1)
    last = planned.tests[-1]
    assert last.pairings == 6
    assert last.pairs is not None
    assert last.pairs % 6 == 0
    wording(last.aim, "100", f"{last.pairs // 6}")
    assert planned.settings["entrants"] == 4
    assert len(arena.plan("monkey", "tictactoe1", 20, seed=1).tests) == len(planned.tests) - 1


@pytest.mark.slow
def test_a_schedule_that_goes_by_results_leaves_no_spans(wording: Wording) -> None:
    """Spans of equal players would be wrong in an eighth of Swiss tournaments."""
    players = ["monkey", "tictactoe1", "tictactoe3", "heuristic"]
    table = arena.tournament(players, 5, schedule="swiss:2", seed=1).ratings
    assert (table.rank_intervals, table.scale) == (None, None)
    assert {row.rank_low for row in table.players} == {None}
    wording(table.statements[-1])
