"""Misere play: a side that completes a line loses.

A class of positions becomes its misere with :class:`Misere` before it among its bases. Everything
that a position knows of a side's line then counts for the opponent.
"""

from __future__ import annotations

from abc import abstractmethod

from arena.game import Outcome, Position, Side

#: The end of the name of a game under misere play.
SUFFIX = "-misere"

#: The end of a game by its end where a line wins.
_REVERSED = {
    None: None,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.FIRST_WINS: Outcome.SECOND_WINS,
    Outcome.SECOND_WINS: Outcome.FIRST_WINS,
}


class LinePosition(Position):
    """A position of a game in which a line decides."""

    __slots__ = ()

    @abstractmethod
    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return the moves by which the side wins now, ascending, in any turn."""


class Misere(LinePosition):
    """A position in which the side that completes a line has lost."""

    __slots__ = ()

    def outcome(self) -> Outcome | None:
        """Return the loser's opponent as the winner, or a draw when there is no room."""
        return _REVERSED[super().outcome()]  # type: ignore[safe-super]

    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return nothing: the opponent's moves decide."""
        return ()

    def can_win(self, side: Side) -> bool:
        """Return whether the opponent may still have to complete a line."""
        return super().can_win(side.other)

    def plies_to_win(self, side: Side) -> int:
        """Return the plies until the opponent can have completed a line."""
        return super().plies_to_win(side.other)

    def estimate(self) -> int:
        """Weigh open lines as where they win, against their side."""
        return -super().estimate()

    def search_moves(self) -> tuple[int, ...]:
        """Return the moves that complete no line, else one alone: they all lose now."""
        losing = super().winning_moves(self.to_move)  # type: ignore[safe-super]
        legal = self.legal_moves()
        return tuple(move for move in legal if move not in losing) or legal[:1]
