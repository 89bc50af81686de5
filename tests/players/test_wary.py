"""The wary player of snakes, in positions with one answer and against random moves."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from arena.games.snakes import snakes_game
from arena.games.snakes_rules import DIRECTIONS, DOWN, LEFT, RIGHT, UP, Snake, SnakesBoard, Square
from arena.match.unseen import chance_move
from arena.players.wary import choose

FAR = Snake(((6, 6), (6, 5), (6, 4)))


def answers(snake: Snake, other: Snake = FAR, food: tuple[Square, ...] = ()) -> set[int]:
    """Return the moves that the player makes with a snake on a board of 7 by 7."""
    view = snakes_game(2, 7, 7).parse("f0,0.f6,0").observation(0)
    view = view._replace(board=SnakesBoard(9, 7, 7, (snake, other), food))
    return {choose(view, random.Random(seed)) for seed in range(20)}


def test_it_leaves_walls_and_bodies_alone() -> None:
    assert answers(Snake(((0, 6), (1, 6), (2, 6)))) == {DOWN}
    assert answers(Snake(((0, 1), (1, 1), (1, 0), (0, 0), (0, 0)))) == {UP}
    wall = Snake(((3, 6), (3, 5), (3, 4), (3, 3), (3, 2)))
    assert answers(Snake(((2, 3), (2, 2), (2, 1), (2, 0))), wall) == {LEFT, UP}


def test_it_follows_a_tail_that_moves_on() -> None:
    assert answers(Snake(((0, 0), (0, 1), (1, 1), (1, 0)))) == {RIGHT}


def test_it_avoids_a_head_that_is_no_shorter_and_not_a_shorter_one() -> None:
    own = Snake(((0, 2), (0, 1), (0, 0)))
    assert answers(own, Snake(((0, 4), (0, 5), (0, 6)))) == {RIGHT}
    assert UP in answers(Snake((*own.body, (0, 0))), Snake(((0, 4), (0, 5), (0, 6))))


def test_a_hungry_snake_goes_to_the_nearest_food_and_a_fed_one_for_space() -> None:
    food = ((3, 0), (6, 0))
    assert answers(Snake(((3, 3), (3, 4), (3, 5)), 20), food=food) == {DOWN}
    pocket = Snake(((1, 0), (1, 1), (1, 2), (0, 2), (0, 3), (0, 4)), 20)
    assert answers(pocket, food=((0, 0), (6, 0))) == {RIGHT}


def test_without_a_way_it_moves_all_the_same() -> None:
    corner = Snake(((0, 0), (0, 1), (1, 1), (1, 0), (2, 0)))
    assert answers(corner) == {*DIRECTIONS}


@pytest.mark.parametrize("seat", range(4))
def test_it_outlives_random_moves_in_every_seat(seat: int) -> None:
    total = Fraction(0)
    for game in range(20):
        position, rng, events = snakes_game().start(), random.Random(game), 0
        while (payoffs := position.payoffs()) is None:
            if position.is_luck:
                move = chance_move(position.chance_moves(), f"wary/{game}", events)
                events += 1
            elif position.to_move == seat:
                move = choose(position.observation(seat), rng)
            else:
                move = rng.choice(DIRECTIONS)
            position = position.play(move)
        total += payoffs[seat]
    assert total > 18
