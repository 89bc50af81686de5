"""``--by game``: agents at tasks, each of which votes."""

from __future__ import annotations

import pytest

import arena
from arena.errors import UsageError
from tests.features.evaluate.stores import play, record
from tests.golden import Wording

pytestmark = [
    pytest.mark.usefixtures("in_a_folder_of_its_own"),
    pytest.mark.needs("highspy"),
]

AGENTS = ("lines", "minimax:depth=1", "monkey")


def test_each_game_is_a_task_that_votes() -> None:
    games = ("mnk-4-4-3", "tictactoe")
    played = {game: play("S", *AGENTS, n=20, game=game) for game in games}
    evaluation = arena.evaluate_store("S", by="game")
    assert (evaluation.by, evaluation.games, evaluation.entries) == ("game", games, 6)
    scores = {(each.player, each.game): each for each in evaluation.scores}
    for game, result in played.items():
        for row in result.standings:
            each = scores[row.player, game]
            assert each.score == pytest.approx(row.tally.score, abs=1e-4)
            assert each.low <= each.score <= each.high
    assert evaluation.players[-1].player == "monkey"
    assert sum(task.weight.value for task in evaluation.tasks) == pytest.approx(1, abs=1e-3)
    assert all(0 <= task.weight.low <= task.weight.high <= 1 for task in evaluation.tasks)
    (last,) = (each for each in evaluation.pairings if each.b == "monkey" and each.a == "lines")
    assert (last.score, last.low, last.high) == (1, 1, 1)
    (comparison,) = (each for each in evaluation.told_apart if each.method == "ranked_pairs")
    assert {("lines", "monkey"), ("minimax:depth=1", "monkey")} == {*comparison.above}
    row = next(row for row in evaluation.players if row.player == "monkey")
    assert row.nash.high == row.lottery.high == row.alpha_rank.high == 0
    with pytest.raises(UsageError, match="--by game"):
        arena.evaluate_store("S")
    assert arena.evaluate_store("S", "tictactoe").by == "player"


def test_two_tasks_that_disagree_weigh_alike() -> None:
    record("S", {("a", "b"): (80, 0, 20)})
    record("S", {("b", "a"): (80, 0, 20)}, game="tictactoe-4")
    evaluation = arena.evaluate_store("S", by="game")
    assert [row.nash.value for row in evaluation.players] == [0.5, 0.5]
    assert [task.weight.value for task in evaluation.tasks] == [0.5, 0.5]
    assert [row.lottery.value for row in evaluation.players] == [0.5, 0.5]
    (pairing,) = evaluation.pairings
    assert (pairing.score, pairing.low, pairing.high) == (0.5, 0.5, 0.5)


def test_players_that_lack_a_game_are_left_out(wording: Wording) -> None:
    play("S", *AGENTS, n=5, game="tictactoe")
    play("S", *AGENTS[1:], n=5, game="connect4")
    evaluation = arena.evaluate_store("S", by="game")
    assert {row.player for row in evaluation.players} == {*AGENTS[1:]}
    wording(evaluation.statements[-1], "1 player")


def test_one_common_player_is_too_few(wording: Wording) -> None:
    play("S", "lines", "monkey", n=2, game="tictactoe")
    play("S", "minimax:depth=1", "monkey", n=2, game="connect4")
    with wording.raises(UsageError, match="connect4"):
        arena.evaluate_store("S", by="game")


def test_agents_that_met_others_do_not_compare(wording: Wording) -> None:
    record("S", {("a", "c"): (1, 0, 0), ("b", "d"): (1, 0, 0)})
    play("S", "a=monkey", "b=monkey", n=2, game="connect4")
    with wording.raises(UsageError, match="tictactoe"):
        arena.evaluate_store("S", by="game")


def test_payoffs_of_each_player_are_scores() -> None:
    play("S", "monkey", "b=monkey", n=10, game="kuhn")
    play("S", "monkey", "b=monkey", n=10, game="tictactoe")
    evaluation = arena.evaluate_store("S", by="game")
    assert evaluation.games == ("kuhn", "tictactoe")
    by_game = {
        game: [each.score for each in evaluation.scores if each.game == game]
        for game in evaluation.games
    }
    assert all(sum(scores) == pytest.approx(1, abs=1e-3) for scores in by_game.values())
