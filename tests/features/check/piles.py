"""A game to break: take one or two of a pile of five."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from arena.errors import IllegalMove, MoveError, PositionError
from arena.game import WIN_FOR, Game, Outcome, Position


@dataclass(frozen=True)
class Pile(Position):
    """Take one or two of a pile of five; who takes the last one wins."""

    left: int
    ply: int = 0
    kind: str = "good"

    @property
    def game(self) -> Game:
        return Piles(self.kind)

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(1, min(self.left, 2) + 1))

    def play(self, move: int) -> Self:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} of {self.left} cannot be taken")
        return type(self)(self.left - move, self.ply + 1, self.kind)

    def outcome(self) -> Outcome | None:
        return None if self.left else WIN_FOR[self.to_move.other]

    def picture(self) -> str:
        return "o" * self.left or "nothing"

    def __str__(self) -> str:
        return f"{self.left}/{self.ply}"


class Piles(Game):
    name = "piles"
    max_plies = 5

    def __init__(self, kind: str = "good") -> None:
        self.kind = kind

    def start(self) -> Position:
        return POSITIONS[self.kind](5, 0, self.kind)

    def parse(self, text: str) -> Position:
        if not re.fullmatch("[0-5]/[0-5]", text):
            raise PositionError(f"no pile: {text!r}")
        return POSITIONS[self.kind](int(text[0]), int(text[2]), self.kind)

    def format_move(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        if text not in ("1", "2"):
            raise MoveError(f"no move: {text!r}")
        return int(text)


#: The class of positions of each kind of piles.
POSITIONS: dict[str, type[Pile]] = {"good": Pile}
