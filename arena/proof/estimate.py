"""Estimate how many positions can arise before anything walks through them.

Knuth ("Estimating the efficiency of backtrack programs", 1975) estimates a tree by random walks: a
walk counts for the product of the numbers of moves on its way. A position that several moves lead
to is in the tree several times. Where the rules tell these moves, each step also divides by their
number. Then every position counts once, as the ways back from it, each as likely as the others,
add up to one (Chen, "Heuristic sampling", 1992, weighs such classes alike). A player that does not
make all moves leaves some of these ways out. Then the number is a lower bound.

Where the rules do not tell them, the walks count positions as a naturalist counts fish: of n walks
that are somewhere after a ply, two are at one of N positions n(n-1)/2N times or more often.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple, TypeAlias

from arena.clock import now
from arena.game import Position
from arena.games.board import squares_of
from arena.games.connect4 import ConnectPosition
from arena.games.display import Line
from arena.games.line_game import has_line_rules
from arena.games.mnk import MnkPosition
from arena.proof import progress

#: Walks from which an estimate is made.
WALKS = 500

#: Seconds after which no further walk begins.
MAX_WALKING_SECONDS = 4.0

#: A walk that counts for more ends: no calculation walks through such a game.
MAX_WALK = 1e18

#: More lines than this of a game whose rules do not tell its positions: alpha-beta looks at their
#: root at least (Knuth and Moore, 1975). Many lines lead to one position.
MAX_LINES = 1e15

#: Numbers that have a name, the largest first.
_NAMES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


#: Returns the moves that are made at a position, after the moves that led there.
MovesAfter: TypeAlias = Callable[[Position, Line], Iterable[int]]


class PositionEstimate(NamedTuple):
    """How many positions can arise, the finished ones among them."""

    #: At least about this many, each once; about this many if all moves are made and the game is
    #: one of lines.
    positions: float
    #: About this many lines of play, each ending at a position.
    lines: float
    #: The ends of the walks, and the moves that led there.
    games: tuple[tuple[Position, Line], ...] = ()


def about(number: float) -> str:
    """Return a number as people read it, to two digits.

    >>> about(83), about(5478), about(1.2e13), about(3e20)
    ('83', '5,500', '12 trillion', 'more than 10^18')
    """
    if number > MAX_WALK:
        return "more than 10^18"
    rounded = float(f"{number:.2g}")
    name = next(((size, text) for size, text in _NAMES if rounded >= size), None)
    return f"{rounded:,.0f}" if name is None else f"{rounded / name[0]:,.10g} {name[1]}"


def every_move(position: Position, _: Line) -> Sequence[int]:
    """Return all legal moves."""
    return position.legal_moves()


def estimate(
    starts: Sequence[Position], moves: MovesAfter = every_move, walks: int = WALKS, seed: int = 1
) -> PositionEstimate:
    """Return about how many positions can arise from these, by at most this many random walks.

    No further one begins after MAX_WALKING_SECONDS.
    """
    rng, end = random.Random(seed), now() + MAX_WALKING_SECONDS
    seen = Counter[Position]()
    sample: list[_WeightedWalk] = []
    while not sample or (len(sample) < walks and now() < end):
        start = rng.choice(starts)
        sample.append(_walk(start, moves, rng, seen))
        progress.tell(len(sample), walks, "games of an estimate")
    # One start leads to a part of all positions.
    positions = max(_least(seen), sum(walk.positions for walk in sample) / len(sample))
    lines = len(starts) * sum(walk.lines for walk in sample) / len(sample)
    return PositionEstimate(positions, lines, tuple((walk.end, walk.line) for walk in sample))


class _WeightedWalk(NamedTuple):
    """A walk, and what it counts for: the sums of the products on its way."""

    positions: float
    lines: float
    end: Position
    line: Line


def _walk(
    position: Position,
    moves: MovesAfter,
    rng: random.Random,
    seen: Counter[Position],
) -> _WeightedWalk:
    """Walk at random until the game is over, and count the positions seen."""
    ways = ways_to(position)
    each = every = positions = lines = 1.0
    line: Line = ()
    while lines < MAX_WALK**4 and position.outcome() is None:
        before = position  # a breach of the game's contract is looked for there
        possible = list(moves(before, line))
        move = rng.choice(possible)
        position, line = before.play(move), (*line, move)
        seen[position] += 1
        every *= len(possible)
        lines += every
        if ways is not None:
            each *= len(possible) / ways(position)
            positions += each
    return _WeightedWalk(positions, lines, position, line)


def _least(seen: Counter[Position]) -> float:
    """Return a number of positions that the walks do not contradict: about their least."""
    plies: dict[int, list[int]] = {}
    for position, times in seen.items():
        plies.setdefault(position.ply, []).append(times)
    positions = 1.0
    for each in plies.values():
        walks, pairings = sum(each), sum(times * (times - 1) // 2 for times in each)
        # Two standard errors above the pairings, and three if there is none.
        bound = walks * (walks - 1) / 2 / (pairings + 2 * sqrt(pairings) + 3)
        positions += max(len(each), bound)
    return positions


def ways_to(start: Position) -> Callable[[Position], int] | None:
    """Return what says of a position from how many others one move leads there, if rules tell."""
    if not has_line_rules(start.game):
        return None
    if isinstance(start, MnkPosition):
        return lambda position: _ways_to_marks(position, start)
    if isinstance(start, ConnectPosition):
        return lambda position: _ways_to_discs(position, start)
    return None


def _ways_to_marks(position: Position, start: MnkPosition) -> int:
    """Count the marks without which the side that moved last has no line."""
    assert isinstance(position, MnkPosition)
    side = 1 - position.to_move
    marks, before = (position.first, position.second)[side], (start.first, start.second)[side]
    return sum(not position.game.has_line(marks ^ 1 << s) for s in squares_of(marks & ~before))


def _ways_to_discs(position: Position, start: ConnectPosition) -> int:
    """Count the same discs among those on top. A few may be in the air of every game."""
    assert isinstance(position, ConnectPosition)
    game, side = position.game, 1 - position.to_move
    occupied = position.first | position.second
    discs, before = (position.first, position.second)[side], (start.first, start.second)[side]
    tops = occupied & ~(occupied >> 1) & discs & ~before
    return sum(not game.has_line(discs ^ 1 << s) for s in squares_of(tops))
