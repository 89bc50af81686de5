"""A turn of snakes: its rules, one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.games.snakes_rules import DOWN, LEFT, MAX_TURNS, RIGHT, UP, Snake, SnakesBoard, Square

FAR = Snake(((6, 6), (6, 5), (6, 4)))


def board(*snakes: Snake, food: tuple[Square, ...] = ()) -> SnakesBoard:
    return SnakesBoard(0, 7, 7, snakes, food)


def body(*squares: int) -> tuple[Square, ...]:
    """Return squares that are written as 23 for column 2, row 3."""
    return tuple(divmod(square, 10) for square in squares)


def alive(before: SnakesBoard, *moves: int) -> tuple[int, ...]:
    return before.after(dict(enumerate(moves))).alive


def test_a_move_shifts_the_body_and_costs_health() -> None:
    after = board(Snake(body(33, 32, 42), 80), FAR).after({0: LEFT, 1: LEFT})
    assert after.snakes[0] == Snake(body(23, 33, 32), 79)
    assert (after.turn, after.food) == (1, ())
    for move, head in ((UP, 34), (DOWN, 32), (LEFT, 23), (RIGHT, 43)):
        assert board(Snake(body(33, 33, 33))).after({0: move}).snakes[0].body == body(head, 33, 33)


@pytest.mark.parametrize(("head", "move"), [(36, UP), (30, DOWN), (3, LEFT), (63, RIGHT)])
def test_the_edge_eliminates(head: int, move: int) -> None:
    after = board(Snake(body(head, head, head)), FAR._replace(body=body(11, 11, 11))).after(
        {0: move, 1: UP}
    )
    assert after.snakes[0] == Snake((), 0, 1)
    assert after.alive == (1,)


def test_a_snake_without_health_starves_unless_it_eats_in_time() -> None:
    hungry = Snake(body(33, 32, 31), 1)
    assert alive(board(hungry, FAR), UP, LEFT) == (1,)
    fed = board(hungry, FAR, food=body(34)).after({0: UP, 1: LEFT}).snakes[0]
    assert fed == Snake(body(34, 33, 32, 32), 100)


def test_food_restores_health_and_doubles_the_tail_for_a_turn() -> None:
    after = board(Snake(body(33, 32, 31), 7), FAR, food=body(34, 0)).after({0: UP, 1: LEFT})
    assert after.snakes[0] == Snake(body(34, 33, 32, 32), 100)
    assert after.food == body(0)
    assert after.after({0: UP, 1: LEFT}).snakes[0] == Snake(body(35, 34, 33, 32), 99)


def test_a_tail_that_moves_on_can_be_followed_and_a_doubled_one_cannot() -> None:
    circle = Snake(body(33, 34, 44, 43))
    assert alive(board(circle, FAR), RIGHT, LEFT) == (0, 1)
    fed = Snake(body(33, 34, 44, 43, 43))
    assert alive(board(fed, FAR), RIGHT, LEFT) == (1,)
    chaser = Snake(body(33, 23, 13))
    assert alive(board(chaser, Snake(body(63, 53, 43))), RIGHT, UP) == (0, 1)
    assert alive(board(chaser, Snake(body(63, 53, 43, 43))), RIGHT, UP) == (1,)


def test_a_body_eliminates_its_own_head_and_that_of_another() -> None:
    assert alive(board(Snake(body(33, 34, 44, 43, 42)), FAR), RIGHT, LEFT) == (1,)
    assert alive(board(Snake(body(33, 23, 13)), Snake(body(45, 44, 43, 42))), RIGHT, UP) == (1,)


@pytest.mark.parametrize(
    ("lengths", "survivors"),
    [((3, 4), (1,)), ((4, 3), (0,)), ((3, 3), ()), ((3, 5, 4), (1,)), ((5, 3, 5), ())],
)
def test_where_heads_meet_only_the_longest_survives(
    lengths: tuple[int, ...], survivors: tuple[int, ...]
) -> None:
    lines = body(23, 13, 3), body(43, 53, 63), body(32, 31, 30)
    snakes = [
        Snake((*line, *line[-1:] * (length - 3)))
        for line, length in zip(lines, lengths, strict=False)
    ]
    assert alive(board(*snakes), *(RIGHT, LEFT, UP)[: len(snakes)]) == survivors


def test_a_meal_counts_where_heads_meet_and_is_gone_with_the_eaters() -> None:
    """Both get longer, so the lengths stay equal, and the food is eaten though both are out."""
    after = board(Snake(body(23, 13, 3)), Snake(body(43, 53, 63)), food=body(33)).after(
        {0: RIGHT, 1: LEFT}
    )
    assert (after.alive, after.food) == ((), ())


def test_snakes_that_swap_their_heads_both_crash() -> None:
    assert alive(board(Snake(body(23, 13, 3)), Snake(body(33, 43, 53, 63))), RIGHT, LEFT) == ()


def test_elimination_is_simultaneous() -> None:
    """A snake that crashes still stops another. One beyond the edge or without health does not."""
    crosser, follower = Snake(body(33, 23, 13)), Snake(body(24, 14, 4))
    blocker = Snake(body(45, 44, 43, 42))
    assert alive(board(crosser, follower, blocker), RIGHT, DOWN, UP) == (2,)
    leaver = Snake(body(36, 35, 34, 33, 32))
    other = Snake(body(25, 15, 5))
    assert alive(board(leaver, other, FAR), UP, RIGHT, LEFT) == (1, 2)
    starving = Snake(body(33, 34, 35, 36), 1)
    assert alive(board(starving, other, FAR), LEFT, RIGHT, LEFT) == (1, 2)


def test_payoffs_are_shares_of_the_snakes_outlived() -> None:
    def paid(*eliminated: int) -> list[Fraction | int]:
        return [*board(*(Snake((), 0, turn) for turn in eliminated)).payoffs()]

    third = Fraction(1, 3)
    assert paid(1, 2, 3, 0) == [0, third, 2 * third, 1]
    assert paid(5, 5, 0, 0) == [Fraction(1, 6)] * 2 + [Fraction(5, 6)] * 2
    assert paid(4, 4, 4, 4) == [Fraction(1, 2)] * 4
    assert paid(MAX_TURNS, 0) == [0, 1]
