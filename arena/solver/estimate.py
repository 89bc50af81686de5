"""Estimate how many positions a game has before anything searches them.

Knuth ("Estimating the efficiency of backtrack programs", 1975) estimates a tree by random walks: a
walk counts for the product of the numbers of moves on its way. A position that several moves lead
to is in the tree several times. Where the rules tell these moves, each step also divides by their
number. Then every position counts once, as the ways back from it, each as likely as the others,
add up to one (Chen, "Heuristic sampling", 1992, weighs such classes alike).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from arena.game import Position
from arena.games.board import squares_of
from arena.games.connect4 import ConnectPosition
from arena.games.mnk import MnkPosition

#: Walks from which an estimate is made.
WALKS = 500

#: A walk that counts for more ends: nobody solves such a game.
ENOUGH = 1e18


def estimated_positions(position: Position, walks: int = WALKS, seed: int = 1) -> float:
    """Return about how many positions can arise from one, or how many lines, where they are many.

    Positions of games of lines count once each, of other games once for every line that leads
    there. The number is a lower bound where it is above ENOUGH.
    """
    rng = random.Random(seed)
    ways = ways_to(position)
    return sum(_walk(position, ways, rng) for _ in range(walks)) / walks


def _walk(position: Position, ways: Callable[[Position], int], rng: random.Random) -> float:
    """Return what one walk counts for: the sum of the products on its way."""
    product = total = 1.0
    while total < ENOUGH and (moves := position.legal_moves()):
        position = position.play(rng.choice(moves))
        product *= len(moves) / ways(position)
        total += product
    return total


def ways_to(start: Position) -> Callable[[Position], int]:
    """Return what says of a position from how many others one move leads there."""
    if isinstance(start, MnkPosition):
        return lambda position: _ways_to_marks(position, start)
    if isinstance(start, ConnectPosition):
        return lambda position: _ways_to_discs(position, start)
    return lambda _: 1


def _ways_to_marks(position: Position, start: MnkPosition) -> int:
    """Count the marks without which the side that moved last has no line."""
    assert isinstance(position, MnkPosition)
    side = 1 - position.to_move
    marks, before = (position.first, position.second)[side], (start.first, start.second)[side]
    return sum(not position.game.has_line(marks ^ 1 << s) for s in squares_of(marks & ~before))


def _ways_to_discs(position: Position, start: ConnectPosition) -> int:
    """Count the same discs among those on top; a few may be in the air of every game."""
    assert isinstance(position, ConnectPosition)
    game, side = position.game, 1 - position.to_move
    taken = position.first | position.second
    discs, before = (position.first, position.second)[side], (start.first, start.second)[side]
    tops = taken & ~(taken >> 1) & discs & ~before
    return sum(not game.has_line(discs ^ 1 << s) for s in squares_of(tops))
