"""Walk through the positions of a game, and read threats off boards of tic-tac-toe.

Nothing here is shared with the product, whose players and walks are tested with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from arena.game import Outcome, Position

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

#: The probability of each move at a position.
Moves = Callable[[Any], Mapping[int, Fraction]]


def every_position(start: Any) -> list[Any]:
    """List every position that can occur after the start."""
    result = {start: None}
    waiting = list(result)
    while waiting:
        position = waiting.pop()
        for after in map(position.play, position.legal_moves()):
            if after not in result:
                result[after] = None
                waiting.append(after)
    return list(result)


def to_move(start: Any) -> list[Any]:
    """List those of them in which a move is to be made."""
    return [position for position in every_position(start) if position.outcome() is None]


def winning(board: list[str], mark: str) -> list[int]:
    """List the free squares, in order, that make three in a row."""
    return [
        s
        for s in range(9)
        if board[s] == "_"
        and any(s in line and all(board[t] == mark for t in line if t != s) for line in LINES)
    ]


def forking(board: list[str], mark: str) -> list[int]:
    """List the free squares, in order, after which there are two winning moves or more."""
    results = []
    for s in range(9):
        if board[s] == "_":
            board[s] = mark
            if len(winning(board, mark)) >= 2:
                results.append(s)
            board[s] = "_"
    return results


def backward(first: Moves, second: Moves, position: Position) -> tuple[Fraction, ...]:
    """Return the chances of a win of the first side, a draw and a loss, from the end back."""

    @cache
    def chances(position: Position) -> tuple[Fraction, ...]:
        outcome = position.outcome()
        if outcome is not None:
            order = (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
            return tuple(Fraction(int(outcome is one)) for one in order)
        moves = (second if position.to_move else first)(position)
        parts = [(p, chances(position.play(move))) for move, p in moves.items()]
        return tuple(sum((p * part[i] for p, part in parts), Fraction(0)) for i in range(3))

    return chances(position)


def random_positions(start: Position, plies: int, number: int) -> list[Position]:
    """List positions after so many random moves, the game going on."""
    rng = random.Random(f"{start.game.name} {plies}")
    results: list[Position] = []
    while len(results) < number:
        position = start
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            results.append(position)
    return results
