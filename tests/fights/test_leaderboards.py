"""Several games make one table, in which each game counts alike."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import sqrt

import pytest

import arena
from arena.fights.leaderboards import leaderboard_of
from arena.records import TournamentResult
from arena.stats.differences import MeanDifference, averaged
from arena.stats.ranks import rank_intervals, surely_better

PLAYERS = ["monkey", "heuristic", "tictactoe1", "minimax"]


@pytest.fixture(scope="module")
def two() -> list[TournamentResult]:
    others = ["monkey", "minimax", "mcts:simulations=20"]
    return [
        arena.tournament([*PLAYERS, "mcts:simulations=20"], n=30, seed=1),
        arena.tournament(others, n=10, seed=2, game="mnk-3-3-3-misere"),
    ]


@pytest.mark.slow
def test_a_score_is_the_mean_of_those_of_the_games(two: list[TournamentResult]) -> None:
    board = leaderboard_of(two)
    assert board is not None
    assert board.games == ("tictactoe", "tictactoe-misere")
    assert {row.player for row in board.rows} == {"monkey", "mcts:simulations=20", "minimax"}
    for row in board.rows:
        assert row.score == pytest.approx(sum(row.scores) / 2)
        for result, score in zip(two, row.scores, strict=True):
            [standing] = [each for each in result.standings if each.player == row.player]
            assert standing.score == pytest.approx(score)
    assert [row.rank for row in board.rows] == [1, 2, 3]
    assert all(row.rank_low <= row.rank <= row.rank_high for row in board.rows)


@pytest.mark.slow
def test_the_spans_are_those_of_the_averaged_differences() -> None:
    """A second computation, of players that never draw, from their counts alone."""
    results = [arena.tournament(["monkey", "triples"], n=40, seed=seed) for seed in (1, 2)]
    other = replace(results[1], game="another")
    board = leaderboard_of([results[0], other])
    assert board is not None
    z = []
    for result in results:
        counts = [
            each + (0 if 0 < at < 4 else 1.96**2 / 2)
            for at, each in enumerate(result.fights[0].pentanomial)
        ]
        scores = [0, 0.25, 0.5, 0.75, 1]
        total = sum(counts)
        mean = sum(s * c for s, c in zip(scores, counts, strict=True)) / total
        variance = sum((s - mean) ** 2 * c for s, c in zip(scores, counts, strict=True)) / total
        error = min(0.25, variance * total / (total - 1)) / total
        z.append((2 * mean - 1, 4 * error))
    value, spread = (sum(each[0] for each in z) / 2, sum(each[1] for each in z) / 4)
    is_sure = abs(value) / sqrt(spread) > 1.96
    spans = {row.player: (row.rank_low, row.rank_high) for row in board.rows}
    by_rank = {"triples": (1, 1), "monkey": (2, 2)}
    assert spans == (by_rank if is_sure else dict.fromkeys(spans, (1, 2)))


def test_more_games_decide_more() -> None:
    alike = [MeanDifference(0.1, 0.0025)] * 4
    assert alike[0].statistic == pytest.approx(2)
    assert averaged(alike).statistic == pytest.approx(4)
    assert averaged(alike).value == pytest.approx(0.1)


def test_one_game_has_no_leaderboard(two: list[TournamentResult]) -> None:
    assert leaderboard_of(two[:1]) is None
    assert leaderboard_of([two[0], two[0]]) is None
    assert leaderboard_of([]) is None
    assert leaderboard_of([arena.fight("monkey", "triples", n=2, seed=1), two[0]]) is None


def test_players_that_some_game_lacks_are_left_out(two: list[TournamentResult]) -> None:
    stranger = arena.tournament(["triples", "monkey"], n=2, seed=1)
    board = leaderboard_of([replace(stranger, game="another"), *two])
    assert board is None  # one player alone is no comparison


def test_the_last_tournament_at_a_game_counts(two: list[TournamentResult]) -> None:
    again = arena.tournament(PLAYERS, n=5, seed=9)
    board = leaderboard_of([*two, again])
    assert board == leaderboard_of([again, two[1]])


def test_rank_spans_hold_together() -> None:
    statistics = dict.fromkeys(combinations(range(3), 2), 0.0)
    assert rank_intervals(range(3), surely_better(statistics)) == dict.fromkeys(range(3), (1, 3))
