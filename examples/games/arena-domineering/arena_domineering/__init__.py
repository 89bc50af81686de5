"""Domineering: the first side lays upright dominoes, the second flat ones. Who cannot, loses.

A move is the upper or left square of a domino, counted from 0 in reading order. The text of a
position has an ``x`` for a covered square and the number of moves: ``x__x____/2``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import arena
from arena.plugin import twin


class _Fields(NamedTuple):
    game: Domineering
    covered: int
    ply: int


class DomineeringPosition(_Fields, arena.Position):
    """The covered squares, a bit each, and the number of moves so far."""

    __slots__ = ()

    @twin("arena_domineering.fast.legal_moves")
    def legal_moves(self) -> tuple[int, ...]:
        """Return the squares where a domino of the side to move fits, ascending."""
        n, covered = self.game.n, self.covered
        step = 1 if self.ply & 1 else n
        return tuple(
            square
            for square in range(n * n - step)
            if not covered >> square & 1
            and not covered >> square + step & 1
            and (step > 1 or square % n < n - 1)
        )

    @twin("arena_domineering.fast.play")
    def play(self, move: int) -> DomineeringPosition:
        """Return the position after the domino is laid."""
        if move not in self.legal_moves():
            raise arena.IllegalMove(f"no domino fits at square {move} of {self}")
        second = move + (1 if self.ply & 1 else self.game.n)
        covered = self.covered | 1 << move | 1 << second
        return DomineeringPosition(self.game, covered, self.ply + 1)

    def outcome(self) -> arena.Outcome | None:
        """Return the side that laid the last domino, if the other one has no room."""
        if self.legal_moves():
            return None
        return arena.Outcome.FIRST_WINS if self.ply & 1 else arena.Outcome.SECOND_WINS

    def picture(self) -> str:
        """Draw the board."""
        n, marks = self.game.n, str(self).partition("/")[0]
        return "\n".join(" ".join(marks[n * row : n * row + n]) for row in range(n))

    def __str__(self) -> str:
        squares = range(self.game.n**2)
        return "".join("_x"[self.covered >> square & 1] for square in squares) + f"/{self.ply}"


class Domineering(arena.Game):
    """Domineering on n by n squares."""

    def __init__(self, n: int) -> None:
        self.n = self.columns = self.rows = n
        self.name, self.max_plies = f"domineering-{n}", n * n // 2

    def start(self) -> DomineeringPosition:
        """Return the empty board."""
        return DomineeringPosition(self, 0, 0)

    def parse(self, text: str) -> DomineeringPosition:
        """Read a position: two squares are covered for each move."""
        match = re.fullmatch(r"([x_]+)/(0|[1-9][0-9]?)", text, re.ASCII)
        if not match or len(match[1]) != self.n**2 or match[1].count("x") != 2 * int(match[2]):
            raise arena.PositionError(f"position {text[:99]!r} is not one of {self.name}")
        covered = sum(1 << square for square, mark in enumerate(match[1]) if mark == "x")
        return DomineeringPosition(self, covered, int(match[2]))

    def format_move(self, move: int) -> str:
        """Return the number of the square, from 1."""
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        """Return the square of a number."""
        if not re.fullmatch("[1-9][0-9]?", text, re.ASCII) or int(text) > self.n**2:
            raise arena.MoveError(f"move {text[:99]!r} is not a square of {self.name}")
        return int(text) - 1

    def __reduce__(self) -> tuple[object, ...]:
        return domineering, (self.n,)


@cache
def domineering(n: int) -> Domineering:
    """Return the game of this size, which has one object in a process."""
    if not 2 <= n <= 8:
        raise arena.UsageError(f"domineering on {n} by {n} squares: 2 to 8 fit into a word")
    return Domineering(n)


@arena.hookimpl
def arena_register_games(register: arena.plugin.GameRegister) -> None:
    register("domineering-{n}", domineering, summary="dominoes, upright against flat")
