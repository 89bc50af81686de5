"""The wary player of snakes: it avoids walls, bodies and stronger heads, and keeps its space.

It eats when it is hungry. Else it goes where it reaches the most squares. Chance decides between
moves that are equally good.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from arena.games.snakes_rules import DELTAS, DIRECTIONS
from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.games.snakes import SnakesView
    from arena.games.snakes_rules import SnakesBoard, Square
    from arena.plugin.registers import PlayerRegister

#: A snake with less health than this goes to the nearest food.
HUNGRY_BELOW = 50


class _Way(NamedTuple):
    """A move that no wall and no body forbids."""

    move: int
    #: Whether a snake that is no shorter may come to the same square.
    is_risky: bool
    #: The number of squares that it reaches from there.
    space: int
    #: The steps from there to the nearest food.
    steps: int


def choose(view: SnakesView, rng: random.Random) -> int:
    """Return a move that does not crash, with space, and towards food if the snake is hungry."""
    board, seat = view.board, view.seat
    snake = board.snakes[seat]
    ways = _ways(board, seat)
    if not ways:
        return rng.choice(view.legal_moves())
    ways = [way for way in ways if not way.is_risky] or ways
    most = max(way.space for way in ways)
    roomy = [way for way in ways if way.space >= min(most, len(snake.body))]
    if snake.health < HUNGRY_BELOW:
        least = min(way.steps for way in roomy)
        return rng.choice([way.move for way in roomy if way.steps == least])
    return rng.choice([way.move for way in roomy if way.space == most])


def _ways(board: SnakesBoard, seat: int) -> list[_Way]:
    """Return the moves after which the head is on a square that is free then."""
    snake = board.snakes[seat]
    # A tail moves on, unless it lies on one square twice.
    bodies = {square for other in board.snakes for square in other.body[:-1]}
    risky = {
        square
        for number, other in enumerate(board.snakes)
        if number != seat and len(other.body) >= len(snake.body)
        for square in _beside(other.head)
    }
    ways = []
    for move, square in zip(DIRECTIONS, _beside(snake.head), strict=True):
        if board.has(square) and square not in bodies:
            ways.append(_Way(move, square in risky, *_explored(board, square, bodies)))
    return ways


def _explored(board: SnakesBoard, start: Square, bodies: set[Square]) -> tuple[int, int]:
    """Return the number of squares that a snake can reach, and the steps to the nearest food.

    Without food the steps are more than there are squares.
    """
    food, seen, edge = {*board.food}, {start}, [start]
    steps, nearest = 0, board.columns * board.rows + 1
    while edge:
        if not food.isdisjoint(edge):
            nearest = min(nearest, steps)
        beyond = {square for each in edge for square in _beside(each)} - seen - bodies
        edge = [square for square in beyond if board.has(square)]
        seen.update(edge)
        steps += 1
    return len(seen), nearest


def _beside(square: Square) -> list[Square]:
    """Return the four squares beside it, by direction."""
    column, row = square
    return [(column + across, row + up) for across, up in DELTAS]


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("wary", choose, games="snakes")
