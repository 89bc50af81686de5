"""Say how the games at one board stand: who plays, who won, and the score."""

from __future__ import annotations

from collections.abc import Sequence

from arena.features.play.session import RESIGNED, Session
from arena.game import Side, as_seat
from arena.match.record import Forfeit
from arena.seats import SEAT_LETTERS


class SessionSeries:
    """The games that the sides have played at one board, of which :attr:`session` is the last."""

    def __init__(self, session: Session, winners: Sequence[int | None] = ()) -> None:
        self.session = session
        #: The winner of each earlier game, by its place in the first one; None for a draw.
        self.winners = [*winners]

    @property
    def sides(self) -> list[Side]:
        """All sides, in their order."""
        seats = len(self.session.players)
        return [as_seat(number, seats) for number in range(seats)]

    @property
    def score(self) -> tuple[int, ...]:
        """The games that each side of the first game won, and the draws behind them."""
        ended = [*self.winners, *([] if self.session.record is None else [self._winner()])]
        return (*map(ended.count, range(len(self.session.players))), ended.count(None))

    def who(self, side: Side) -> str:
        """Return a side as people call it: ``you (x)``, ``minimax (o)``, or its letter alone."""
        letter, names = SEAT_LETTERS[side], self.session.names
        if self.is_you(side):
            return f"you ({letter})"
        return letter if names[side] == letter else f"{names[side]} ({letter})"

    def is_you(self, side: Side) -> bool:
        """Return whether the side is that of the only human."""
        return self.session.people == [side]

    def verdict(self) -> str:
        """Say how the game ended, or an empty text while it goes on."""
        session, winner = self.session, self._best
        if session.record is None:
            return ""
        if winner is None:
            won = "Draw."
        else:
            won = "You win." if self.is_you(winner) else f"{self.who(winner)} wins."
        if len(session.players) > 2:
            return won  # who left the game is told when it happens
        for forfeit in session.forfeits:
            sentence = self.departure(forfeit)
            won = f"{sentence} {won}" if forfeit.reason == RESIGNED else f"{won[:-1]}: {sentence}"
        return won

    def departure(self, forfeit: Forfeit) -> str:
        """Say who forfeits, or resigns."""
        loser = self.who(forfeit.side)
        if forfeit.reason == RESIGNED:
            verb = "resign" if self.is_you(forfeit.side) else "resigns"
            return f"{loser[0].upper()}{loser[1:]} {verb}."
        return f"{loser} forfeits ({forfeit.reason}): {forfeit.message}"

    def standing(self) -> str:
        """Say the score of this and earlier games. Say nothing in the first one and at its end."""
        if not self.winners:
            return ""
        *won, draws = self.score
        scores = [f"{self._called(place)} {number}" for place, number in enumerate(won)]
        return f"Score: {', '.join(scores)}, draws {draws}."

    def _called(self, place: int) -> str:
        """Return a side of the first game without its letter, which changes."""
        seats, players = len(self.session.players), self.session.players
        side = as_seat((place - len(self.winners)) % seats, seats)
        if self.is_you(side):
            return "you"
        in_order = [players[(n - len(self.winners)) % seats].name for n in range(seats)]
        name = players[side].name
        if in_order.count(name) == 1:
            return name
        return f"the {ORDINALS[in_order[:place].count(name)]} {name}"

    @property
    def _best(self) -> Side | None:
        """The side that won, or that was paid more than every other. None if there is none."""
        record = self.session.record
        if record is None or len(self.session.players) == 2:
            return record and record.outcome.winner
        paid = record.payoffs or ()
        best = [side for side in self.sides if paid[side] == max(paid)]
        return best[0] if len(best) == 1 else None

    def _winner(self) -> int | None:
        """Return the place of this game's winner in the first game."""
        best = self._best
        return None if best is None else (best + len(self.winners)) % len(self.session.players)


#: The words for players of one name, by their places in the first game.
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
