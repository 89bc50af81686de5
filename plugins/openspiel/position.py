"""The positions of OpenSpiel's games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena import IllegalMove, Outcome, Position, Side, quoted
from arena.plugins.openspiel.stones import letters

if TYPE_CHECKING:
    from arena.plugins.openspiel.game import OpenSpielGame

_SIDES = tuple(Side)
_OUTCOMES = {1: Outcome.FIRST_WINS, 0: Outcome.DRAW, -1: Outcome.SECOND_WINS}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

#: The text of the position before the first move.
START = "start"


class _Fields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    rules: OpenSpielGame
    #: The library's state, which nobody may change, and the FEN that it began from, if any.
    state: Any
    begun: str
    number: int
    mover: int
    is_over: bool
    #: The legal moves, once found.
    known: list[tuple[int, ...]]


class OpenSpielPosition(_Fields, Position):
    """A position of a game of OpenSpiel."""

    __slots__ = ()

    @property
    def game(self) -> OpenSpielGame:
        """The game of this position."""
        return self.rules

    @property
    def ply(self) -> int:
        """The number of moves so far; from a FEN on, those since."""
        return self.number

    @property
    def to_move(self) -> Side:
        """The side to move; after the end, the side that did not move last."""
        return _SIDES[self.mover]

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, ascending; none when the game is over."""
        rules, state, _, _, mover, is_over, known = self
        if not known:
            known.append(() if is_over else rules.notation.moves(state.legal_actions(), mover))
        return known[0]

    def play(self, move: int) -> Self:
        """Return the position after the move, with a state of its own."""
        rules, state, begun, number, mover, _, _ = self
        if move not in self.legal_moves():
            raise IllegalMove(f"move {quoted(str(move))} is not legal at {quoted(str(self))}")
        state = state.clone()
        state.apply_action(rules.notation.action(move, mover))
        number, player = number + 1, state.current_player()
        is_over = player < 0 or number >= rules.max_plies
        mover = 1 - mover if is_over else player ^ rules.first
        return tuple.__new__(type(self), (rules, state, begun, number, mover, is_over, []))

    def outcome(self) -> Outcome | None:
        """Return how the library says that the game ended; a draw if it stops it unfinished."""
        if not self.is_over:
            return None
        if not self.state.is_terminal():
            return Outcome.DRAW
        first = self.state.returns()[self.rules.first]
        return _OUTCOMES[(first > 0) - (first < 0)]

    def picture(self) -> str:
        """Return the library's own text of the state, and its texts of moves that it shows."""
        drawn = _COLOURS.sub("", str(self.state)).rstrip() or START
        names = self.rules.names_of_moves(self)
        return f"{drawn}\n{names}" if names else drawn

    def __str__(self) -> str:
        if self.rules.merges:
            return letters(self.state.history(), self.rules.squares)
        return self.rules.line_of(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielPosition):
            return NotImplemented
        return self.rules.name == other.rules.name and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return self.rules.parse, (str(self),)

    def _key(self) -> object:
        """Return what equal positions share: the moves, or of some games the stones alone."""
        history = self.state.history()
        if self.rules.merges:
            return frozenset(history[::2]), frozenset(history[1::2])
        return self.begun, tuple(history)
