"""The board of snakes, and what a turn does to it.

The source of the rules is https://docs.battlesnake.com/rules, the standard game. Squares are pairs
of a column and a row, from 0, and row 0 is the lowest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from arena.seats import SEAT_LETTERS

#: A column and a row.
Square = tuple[int, int]

#: The moves of a snake, in the order of :data:`DELTAS`.
UP, DOWN, LEFT, RIGHT = DIRECTIONS = (0, 1, 2, 3)

#: What each direction adds to the column and to the row.
DELTAS: tuple[Square, ...] = ((0, 1), (0, -1), (-1, 0), (1, 0))

#: The health of a snake at the start and after a meal, and the squares of a snake at the start.
FULL_HEALTH, START_LENGTH = 100, 3

#: A game ends after so many turns.
MAX_TURNS = 300

#: The letters of a free square and of food in a picture.
_FREE, _FOOD = "_", "*"


class Snake(NamedTuple):
    """A snake: its squares, its health, and the turn in which it was eliminated."""

    #: From the head to the tail, and empty once the snake is eliminated. A square is in it twice
    #: while the snake unrolls, at the start and after a meal.
    body: tuple[Square, ...]
    health: int = FULL_HEALTH
    #: The turn in which the snake was eliminated, from 1. 0 while it is alive.
    eliminated: int = 0

    @property
    def is_alive(self) -> bool:
        """Whether the snake is on the board."""
        return not self.eliminated

    @property
    def head(self) -> Square:
        """The square of the head of a snake that is alive."""
        return self.body[0]

    def moved(self, direction: int, food: tuple[Square, ...]) -> Snake:
        """Return the snake one square on, fed if food is there, wherever that is."""
        (column, row), (across, up) = self.body[0], DELTAS[direction]
        head = (column + across, row + up)
        if head in food:
            return Snake((head, *self.body[:-1], self.body[-2]))
        return Snake((head, *self.body[:-1]), self.health - 1)


class SnakesBoard(NamedTuple):
    """The state of a game between two turns, as every seat sees it."""

    #: The number of turns that are over.
    turn: int
    columns: int
    rows: int
    #: The snake of each seat, those that are eliminated among them.
    snakes: tuple[Snake, ...]
    #: The squares with food, the oldest first.
    food: tuple[Square, ...] = ()

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats whose snakes are alive, ascending."""
        return tuple(seat for seat, snake in enumerate(self.snakes) if not snake.eliminated)

    @property
    def is_over(self) -> bool:
        """Whether one snake is left at most, or the last turn is over."""
        return self.turn >= MAX_TURNS or len(self.alive) < 2

    def has(self, square: Square) -> bool:
        """Return whether the square is on the board."""
        return 0 <= square[0] < self.columns and 0 <= square[1] < self.rows

    def taken(self) -> set[Square]:
        """Return the squares on which a snake or food is."""
        return {*self.food}.union(*(snake.body for snake in self.snakes))

    def after(self, moves: Mapping[int, int]) -> SnakesBoard:
        """Return the board after a turn. ``moves`` has the direction of every seat that is alive.

        All snakes move and eat. Then the snakes without health and those beyond the edge are
        removed, and after them all that collided with one that is still there.
        """
        turn = self.turn + 1
        moved = {seat: self.snakes[seat].moved(to, self.food) for seat, to in moves.items()}
        eaten = {snake.body[0] for snake in moved.values()}
        food = tuple(square for square in self.food if square not in eaten)
        living = {
            seat: snake
            for seat, snake in moved.items()
            if snake.health > 0 and self.has(snake.body[0])
        }
        crashed = {*_crashed(living)}
        out = Snake((), 0, turn)
        snakes = tuple(
            before if before.eliminated else out if seat in crashed else living.get(seat, out)
            for seat, before in enumerate(self.snakes)
        )
        return SnakesBoard(turn, self.columns, self.rows, snakes, food)

    def without(self, seat: int) -> SnakesBoard:
        """Return the board after the snake of a seat is eliminated in the turn that comes next."""
        out = Snake((), 0, self.turn + 1)
        return self._replace(snakes=(*self.snakes[:seat], out, *self.snakes[seat + 1 :]))

    def fed(self, square: Square) -> SnakesBoard:
        """Return the board with food on one more square."""
        return SnakesBoard(self.turn, self.columns, self.rows, self.snakes, (*self.food, square))

    def payoffs(self) -> tuple[Fraction, ...]:
        """Return the share of the others that each snake outlived. Equal places share a point."""
        return _placed(tuple(snake.eliminated for snake in self.snakes))

    def cells(self) -> list[str]:
        """Return a letter for each square, in reading order: heads are capitals, food is ``*``."""
        cells = [_FREE] * (self.columns * self.rows)
        for square in self.food:
            cells[self.place(square)] = _FOOD
        for letter, snake in zip(SEAT_LETTERS, self.snakes, strict=False):
            for square in snake.body:
                cells[self.place(square)] = letter
            for square in snake.body[:1]:
                cells[self.place(square)] = letter.upper()
        return cells

    def place(self, square: Square) -> int:
        """Return the number of a square in reading order, from 0."""
        return (self.rows - 1 - square[1]) * self.columns + square[0]

    def strokes(self) -> Iterator[tuple[int, int]]:
        """Yield the places of both ends of each straight part of a body."""
        for snake in self.snakes:
            body = [square for square, _ in groupby(snake.body)]
            bends = [
                square
                for before, square, after in zip(body, body[1:], body[2:], strict=False)
                if before[0] != after[0] and before[1] != after[1]
            ]
            for ends in pairwise([*body[:1], *bends, *body[1:][-1:]]):
                yield self.place(ends[0]), self.place(ends[1])

    def picture(self) -> str:
        """Draw the board, with the numbers of columns and rows and a line about each snake."""
        cells, width = self.cells(), len(str(self.columns - 1))
        lines = []
        for row in range(self.rows - 1, -1, -1):
            begin = self.place((0, row))
            marks = (cell.rjust(width) for cell in cells[begin : begin + self.columns])
            lines.append(f"{row:>2} {' '.join(marks)}".replace(_FREE, "."))
        lines.append("   " + " ".join(str(column).rjust(width) for column in range(self.columns)))
        for letter, snake in zip(SEAT_LETTERS, self.snakes, strict=False):
            state = f"health {snake.health}, length {len(snake.body)}"
            lines.append(
                f"{letter} {state if snake.is_alive else f'out in turn {snake.eliminated}'}"
            )
        return "\n".join(lines)


def start_board(seats: int, columns: int, rows: int) -> SnakesBoard:
    """Return the board of the start, without food.

    The snakes begin one square from the corners, the first two opposite each other, and then from
    the middles of the edges.
    """
    right, top, middle, centre = columns - 2, rows - 2, (columns - 1) // 2, (rows - 1) // 2
    corners = [(1, 1), (right, top), (1, top), (right, 1)]
    edges = [(1, centre), (right, centre), (middle, 1), (middle, top)]
    begins = (corners + edges)[:seats]
    return SnakesBoard(
        0, columns, rows, tuple(Snake((square,) * START_LENGTH) for square in begins)
    )


def _crashed(snakes: Mapping[int, Snake]) -> Iterator[int]:
    """Yield the seats whose heads met a body, or a head of a snake that is no shorter."""
    bodies: set[Square] = set().union(*(snake.body[1:] for snake in snakes.values()))
    lengths: defaultdict[Square, list[int]] = defaultdict(list)
    for snake in snakes.values():
        lengths[snake.body[0]].append(len(snake.body))
    for seat, snake in snakes.items():
        met = lengths[snake.body[0]]
        longest = max(met)
        is_shorter = len(snake.body) < longest or met.count(longest) > 1
        if snake.body[0] in bodies or is_shorter:
            yield seat


def _placed(eliminated: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the payoffs by the turns of elimination, which are 0 for the survivors."""
    lives = [turn or MAX_TURNS + 2 for turn in eliminated]
    others = 2 * (len(lives) - 1)
    return tuple(
        Fraction(sum((other < life) + (other <= life) for other in lives) - 1, others)
        for life in lives
    )
