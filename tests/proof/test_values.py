"""Solved values: against the literature and against plain minimax."""

from __future__ import annotations

import random
from functools import cache

import pytest

from arena.errors import CannotEnumerate
from arena.game import Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.games.worth import describe
from arena.proof.values import (
    given_away,
    has_pairing_strategy,
    known_values,
    move_values,
    value,
)
from tests.golden import Wording


@cache
def plain(position: Position) -> int:
    """Return the value in plies, without pruning."""
    replies = []
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome is None:
            reply = plain(after)
            replies.append(0 if not reply else 1 - reply if reply < 0 else -1 - reply)
        else:
            replies.append(0 if outcome.winner is None else 1)
    wins = [reply for reply in replies if reply > 0]
    if wins:
        return min(wins)
    return 0 if 0 in replies else min(replies)


@pytest.mark.slow
def test_every_position_of_tictactoe_has_the_value_of_plain_minimax() -> None:
    todo: list[Position] = [mnk_game(3, 3, 3).start()]
    seen = set(todo)
    while todo:
        position = todo.pop()
        if position.outcome() is None:
            assert value(position) == plain(position)
            assert max(map(sign, move_values(position).values())) == sign(plain(position))
            for after in map(position.play, position.legal_moves()):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("seed", range(20))
def test_positions_of_a_rectangle_have_the_value_of_plain_minimax(seed: int) -> None:
    rng = random.Random(seed)
    position: Position = mnk_game(4, 3, 3).start()
    for _ in range(4):
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
    if position.outcome() is None:
        assert value(position) == plain(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "winner"),
    [
        ((3, 3, 3), 0),
        ((4, 4, 4), 0),
        ((4, 3, 3), 1),
        ((3, 4, 3), 1),
        ((4, 4, 3), 1),
        ((5, 3, 3), 1),
        ((5, 5, 3), 1),
        ((6, 7, 3), 1),
        ((5, 5, 5), 0),
    ],
)
def test_published_values(board: tuple[int, int, int], winner: int) -> None:
    """Uiterwijk and van den Herik, The advantage of the initiative (2000)."""
    assert sign(value(mnk_game(*board).start())) == winner


@pytest.mark.parametrize("n", [3, 4, 5, 6, 9])
def test_a_pairing_strategy_gives_every_line_two_squares_of_its_own(n: int) -> None:
    """It needs twice as many squares as lines, and from five on a square board has one."""
    assert has_pairing_strategy(mnk_game(n, n, n)) == (n >= 5)
    assert not has_pairing_strategy(mnk_game(n, n, 3)) or n < 3


def test_a_larger_game_is_solved_near_its_end_or_at_a_forced_win(wording: Wording) -> None:
    assert value(CONNECT4.parse("_" * 35 + "xxx_ooo")) == 1
    with wording.raises(CannotEnumerate):
        value(CONNECT4.start(), budget=500)


@pytest.mark.parametrize("seed", range(5))
def test_known_values_are_those_of_plain_minimax_or_none(seed: int) -> None:
    game, rng = mnk_game(5, 4, 3), random.Random(seed)
    assert known_values(game.start(), 0) == dict.fromkeys(range(20))
    position = game.start()
    while position.ply < 11:
        quiet = [m for m in position.legal_moves() if position.play(m).outcome() is None]
        position = position.play(rng.choice(quiet))
    for budget in (0, 50, 10_000):
        result = known_values(position, budget)
        assert tuple(result) == position.legal_moves()
        for move, worth in result.items():
            after = position.play(move)
            outcome = after.outcome()
            reply = 0 if outcome else plain(after)
            true = 1 if outcome else 1 - reply if reply < 0 else -1 - reply if reply else 0
            assert worth in (true, None if budget < 10_000 else true)


def test_known_values_of_a_small_game_need_no_budget() -> None:
    position = mnk_game(3, 3, 3).start()
    assert known_values(position, 0) == move_values(position)


def test_what_a_move_gives_away() -> None:
    game = mnk_game(3, 3, 3)
    corner = game.start().play(0)
    assert given_away(corner, 4) == ""
    assert given_away(corner, 8) == "a draw"
    assert given_away(game.parse("xx_oo____"), 5) == "a win"
    assert given_away(CONNECT4.start(), 0) is None


def test_values_in_words(wording: Wording) -> None:
    wording([describe(n) for n in (0, 3, -2)], "3", "2")


def test_a_finished_game_has_no_value() -> None:
    with pytest.raises(ValueError, match="over"):
        value(mnk_game(3, 3, 3).parse("xxxoo____"))
