"""The strategy of Simply Scheme, chapter 10 (Harvey and Wright): all from the eight triples.

A triple is a winning line seen from the board: for each of its squares the mark on it, or the
square itself where it is free. The triples come in a fixed order with the diagonals last. The order
matters: it keeps the rule that makes a threat from ever being a mistake.

At other games on nine squares it does what the book's program does with another list of lines
(exercise 10.4), legal or not: in a line of four squares two marks are a pair that wants one more,
and its free squares 4 and 5 are read as the move 45. Where no line has a free square the program
would stop with an error. Here it takes any free square.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from arena.errors import NoMove
from arena.game import Side
from arena.games.board import squares_of
from arena.games.mnk import MnkPosition
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

#: Order in which it takes a free square when nothing matters.
PREFERENCE = (5, 1, 3, 7, 9, 2, 4, 6, 8)

#: Each place of a triple: the side whose mark is there, or the free square's number.
Triple = tuple[Side | int, ...]


def choose(position: MnkPosition, rng: random.Random) -> int | NoMove:
    """Play as in Simply Scheme, chapter 10."""
    triples = find_triples(position)
    me = position.to_move
    square = (
        winning_square(triples, me)
        or winning_square(triples, me.other)
        or next(iter(pivots(triples, me)), None)
        or threatening_square(triples, me)
        or best_free_square(triples)
        or position.legal_moves()[0] + 1
    )
    return square - 1 if square <= 9 else NoMove(f"answered {square}, which is not a square")


def find_triples(position: MnkPosition) -> list[Triple]:
    """Return the triples of a position, in the order of the game's lines: eight at tic-tac-toe."""
    marks: list[Side | int] = [
        Side.FIRST
        if position.first >> square & 1
        else Side.SECOND
        if position.second >> square & 1
        else square + 1
        for square in range(9)
    ]
    return [tuple(marks[square] for square in squares_of(line)) for line in position.game.lines]


def winning_square(triples: Sequence[Triple], side: Side) -> int | None:
    """Return the free square of the first triple with two marks of the side and nothing else."""
    for triple in triples:
        if marks_of(triple) == [side, side]:
            return int("".join(map(str, free_squares(triple))))  # a true triple has only one
    return None


def pivots(triples: Sequence[Triple], side: Side) -> list[int]:
    """Return the squares that two triples with one mark of the side share, ascending."""
    counts = Counter(s for triple in singles(triples, side) for s in free_squares(triple))
    return sorted(square for square, times in counts.items() if times >= 2)


def threatening_square(triples: Sequence[Triple], me: Side) -> int | None:
    """Return my move in the first triple with one mark of mine: the opponent's pivot, or the far
    square.
    """
    for triple in singles(triples, me):
        free = free_squares(triple)
        return free[0] if free[0] in pivots(triples, me.other) else free[-1]
    return None


def best_free_square(triples: Sequence[Triple]) -> int | None:
    """Return the centre, a corner or a side."""
    free = {square for triple in triples for square in free_squares(triple)}
    return next((square for square in PREFERENCE if square in free), None)


def singles(triples: Sequence[Triple], side: Side) -> list[Triple]:
    """Return the triples that hold one mark of the side and nothing else."""
    return [triple for triple in triples if marks_of(triple) == [side]]


def marks_of(triple: Triple) -> list[Side]:
    """Return the marks in a triple."""
    return [place for place in triple if isinstance(place, Side)]


def free_squares(triple: Triple) -> list[int]:
    """Return the free squares of a triple, in its order."""
    return [place for place in triple if not isinstance(place, Side)]


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register(
        "triples",
        choose,
        games=("tictactoe", "lines-3-3"),
        deterministic=True,
        claims=("never-loses:tictactoe",),
    )
