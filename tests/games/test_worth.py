"""Worths of many moves within a budget, against the explanation of each game."""

from __future__ import annotations

import random

import pytest

import arena
from arena.game import Game, Position
from arena.games import worth
from arena.games.worth import Worths, blunder
from arena.proof.explaining import explain
from arena.records.replays import ReplayReport
from tests.games.extra_turns import BOXES_GAME

GAMES = ("tictactoe", "tictactoe-misere", "mnk-4-3-3", "connect-4-4-3", "nim-1-2-3", "hex-2")


def random_game(game: Game, seed: int) -> list[tuple[Position, int]]:
    """Return the positions of a random game, each with the move there."""
    rng, position, results = random.Random(seed), game.start(), []
    while position.outcome() is None:
        results.append((position, rng.choice(position.legal_moves())))
        position = position.play(results[-1][1])
    return results


@pytest.mark.parametrize("game", [*map(arena.get_game, GAMES), BOXES_GAME], ids=lambda g: g.name)
def test_worths_are_those_of_an_explanation(game: Game) -> None:
    worths = Worths(game)
    for seed in range(4):
        moves = random_game(game, seed)
        texts = tuple(game.format_move(move) for _, move in moves)
        replay = ReplayReport(None, game.name, 1, None, ("a", "b"), texts, "draw", pictures=())
        for (position, move), explained in zip(moves, explain(game, replay).moves, strict=True):
            expected = (
                blunder(explained.gives_away, explained.better)
                if explained.gives_away
                else explained.after
            )
            assert worths.text(position, move) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe-4", "connect4", "mnk-15-15-5", "chess"])
def test_games_that_are_not_solved_quickly_have_none(name: str) -> None:
    start = arena.get_game(name).start()
    assert Worths(start.game).text(start, start.legal_moves()[0]) == ""


def test_a_budget_bounds_the_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worth, "MAX_WORTH_POSITIONS", 5)
    game = arena.get_game("tictactoe")
    worths, moves = Worths(game), random_game(game, 1)
    known = [bool(worths.text(*each)) for each in moves]
    assert known == sorted(known, reverse=True)
    assert 0 < sum(known) < len(moves)
    assert [bool(worths.text(*each)) for each in moves] == known


def test_the_memory_of_a_solver_begins_anew() -> None:
    game = arena.get_game("tictactoe")
    solver = worth._MemoSearch(game)
    solver.MEMORY = 2
    moves = random_game(game, 1)
    results = [solver.value(position) for position, _ in moves]
    assert len(solver._values) <= 2
    assert [worth._MemoSearch(game).value(position) for position, _ in moves] == results
