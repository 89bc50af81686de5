"""A plugin with a game of extra turns and a game of passes, which are short and written for tests.

``boxes`` is dots and boxes with two boxes in a row: who draws a box's last edge moves again.
``passing`` is a heap of which a side takes one or two, or passes; who takes the last one loses.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import arena

#: The edges of each box: top, bottom, left, right.
BOXES = ((0, 2, 4, 5), (1, 3, 5, 6))
EDGES = 7


class _Drawn(NamedTuple):
    edges: str
    #: The owner of each box, ``x``, ``o`` or ``_``, and the side to move.
    owners: str
    mover: str


class Board(_Drawn, arena.Position):
    __slots__ = ()

    @property
    def game(self) -> arena.Game:
        return BOXES_GAME

    @property
    def ply(self) -> int:
        return self.edges.count("#")

    @property
    def to_move(self) -> arena.Side:
        return arena.Side("xo".index(self.mover))

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(edge for edge in range(EDGES) if self.edges[edge] == "_")

    def play(self, move: int) -> Board:
        if move not in self.legal_moves():
            raise arena.IllegalMove(f"{move} is drawn")
        edges = self.edges[:move] + "#" + self.edges[move + 1 :]
        closed = [all(edges[edge] == "#" for edge in box) for box in BOXES]
        owners = "".join(
            self.mover if is_closed and owner == "_" else owner
            for is_closed, owner in zip(closed, self.owners, strict=True)
        )
        other = {"x": "o", "o": "x"}[self.mover]
        return Board(edges, owners, other if owners == self.owners else self.mover)

    def outcome(self) -> arena.Outcome | None:
        if "_" in self.edges:
            return None
        return {
            2: arena.Outcome.FIRST_WINS, 1: arena.Outcome.DRAW, 0: arena.Outcome.SECOND_WINS
        }[self.owners.count("x")]  # fmt: skip

    def picture(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "/".join(self)


class Boxes(arena.Game):
    name = "boxes"
    max_plies = EDGES

    def start(self) -> Board:
        return Board("_" * EDGES, "__", "x")

    def parse(self, text: str) -> Board:
        parts = text.split("/")
        if [*map(len, parts)] != [EDGES, 2, 1] or parts[2] not in "xo":
            raise arena.PositionError(f"{text!r} is not EDGES/OWNERS/MOVER")
        return Board(*parts)

    def format_move(self, move: int) -> str:
        return "abcdefg"[move]

    def parse_move(self, text: str) -> int:
        if len(text) != 1 or text not in "abcdefg":
            raise arena.MoveError(f"{text!r} is not an edge")
        return "abcdefg".index(text)

    def __reduce__(self) -> Any:
        return "BOXES_GAME"


BOXES_GAME = Boxes()


class _Left(NamedTuple):
    left: int
    ply: int
    #: Whether a side has passed, x or o.
    passed: str


class Heap(_Left, arena.Position):
    __slots__ = ()

    @property
    def game(self) -> arena.Game:
        return PASSING

    def legal_moves(self) -> tuple[int, ...]:
        takes = range(1, min(2, self.left) + 1)
        may_pass = self.left and self.to_move.letter not in self.passed
        return (0, *takes) if may_pass else tuple(takes)

    def play(self, move: int) -> Heap:
        if move not in self.legal_moves():
            raise arena.IllegalMove(f"{move} of {self.left}")
        passed = self.passed if move else "".join(sorted(self.passed + self.to_move.letter))
        return Heap(self.left - move, self.ply + 1, passed)

    def outcome(self) -> arena.Outcome | None:
        if self.left:
            return None
        return arena.Outcome.SECOND_WINS if self.ply % 2 else arena.Outcome.FIRST_WINS

    def picture(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{self.left}@{self.ply}{self.passed}"


class Passing(arena.Game):
    name = "passing"
    max_plies = 7

    def start(self) -> Heap:
        return Heap(5, 0, "")

    def parse(self, text: str) -> Heap:
        if re.fullmatch("[0-9]@[0-9][xo]*", text) is None:
            raise arena.PositionError(f"{text!r} is not LEFT@PLYPASSED")
        return Heap(int(text[0]), int(text[2]), text[3:])

    def format_move(self, move: int) -> str:
        return str(move) if move else "pass"

    def parse_move(self, text: str) -> int:
        if text not in ("pass", "1", "2"):
            raise arena.MoveError(f"{text!r} is not a number or pass")
        return 0 if text == "pass" else int(text)

    def __reduce__(self) -> Any:
        return "PASSING"


PASSING = Passing()


class Follows:
    """A player that keeps the whole game in mind, and plays by it: at random, or nearly."""

    def start(self, game: arena.Game, side: arena.Side, rng: Any) -> None:
        self.side, self.position, self.moves = side, game.start(), 0

    def choose(self, position: Any) -> int:
        assert position == self.position, f"{position} is not {self.position}"
        assert position.to_move == self.side
        moves = position.legal_moves()
        move: int = moves[(3 * position.ply + self.moves) % len(moves)]
        self.moves += 1
        self.position = self.position.play(move)
        return move

    def observe(self, move: int) -> None:
        assert self.position.to_move != self.side
        self.position = self.position.play(move)

    def finish(self, outcome: arena.Outcome) -> None:
        pass


@arena.hookimpl
def arena_register_games(register: Any) -> None:
    register("boxes", lambda: BOXES_GAME)
    register("passing", lambda: PASSING)


@arena.hookimpl
def arena_register_players(register: Any) -> None:
    register("follows", Follows)
