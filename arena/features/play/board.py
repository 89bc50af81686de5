"""Say how the games at one board stand: who plays, who won, and the score."""

from __future__ import annotations

from collections.abc import Sequence

from arena.features.play.session import PERSON, RESIGNED, Session
from arena.game import Side


class Board:
    """The games that two sides have played at one board, of which :attr:`session` is the last."""

    def __init__(self, session: Session, winners: Sequence[int | None] = ()) -> None:
        self.session = session
        #: The winner of each earlier game, by its place in the first one; None for a draw.
        self.winners = [*winners]

    @property
    def score(self) -> tuple[int, int, int]:
        """The games that the first side of the first game won, those of the other, and draws."""
        ended = [*self.winners, *([] if self.session.record is None else [self._winner()])]
        return ended.count(0), ended.count(1), ended.count(None)

    @property
    def is_swapped(self) -> bool:
        """Return whether the sides are not those of the first game."""
        return len(self.winners) % 2 == 1

    def who(self, side: Side) -> str:
        """Return a side as people call it: ``you (x)``, ``minimax (o)``, or its letter alone."""
        letter, names = side.letter, self.session.names
        if self.is_you(side):
            return f"you ({letter})"
        return letter if names[side] == letter else f"{names[side]} ({letter})"

    def is_you(self, side: Side) -> bool:
        """Return whether the side is that of the only human."""
        players = self.session.players
        return players[side] is PERSON and players[side.other] is not PERSON

    def verdict(self) -> str:
        """Say how the game ended, or an empty text while it goes on."""
        record = self.session.record
        if record is None:
            return ""
        winner = record.outcome.winner
        if winner is None:
            return "Draw."
        won = "You win." if self.is_you(winner) else f"{self.who(winner)} wins."
        forfeit = record.forfeit
        if forfeit is None:
            return won
        loser = self.who(forfeit.side)
        if forfeit.reason == RESIGNED:
            verb = "resign" if self.is_you(forfeit.side) else "resigns"
            return f"{loser[0].upper()}{loser[1:]} {verb}. {won}"
        return f"{won[:-1]}: {loser} forfeits ({forfeit.reason}): {forfeit.message}"

    def standing(self) -> str:
        """Say the score of this and earlier games. Say nothing in the first one and at its end."""
        if not self.winners:
            return ""
        first, second, draws = self.score
        return f"Score: {self._called(0)} {first}, {self._called(1)} {second}, draws {draws}."

    def _called(self, place: int) -> str:
        """Return a side of the first game without its letter, which changes."""
        side = Side(place ^ self.is_swapped)
        if self.is_you(side):
            return "you"
        first, second = self.session.players
        if first.name == second.name:
            return f"{'the first' if place == 0 else 'the second'} {first.name}"
        return self.session.players[side].name

    def _winner(self) -> int | None:
        """Return the place of this game's winner in the first game."""
        assert self.session.record is not None
        winner = self.session.record.outcome.winner
        return None if winner is None else winner ^ self.is_swapped
