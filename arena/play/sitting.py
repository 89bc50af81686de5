"""Play one game after another at a board: what a terminal and a browser share. Nothing is shown."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import Spoilt, UsageError
from arena.executors.base import MAX_TASK_ATTEMPTS
from arena.game import Game, Side
from arena.play.hints import Hint, hint_at
from arena.play.session import PERSON, RESIGNED, Session
from arena.player import PlayerInfo
from arena.records.base import Json


class Sitting:
    """The games that two sides play at one board, of which :attr:`session` is the last.

    To go on with one that was left, name the ``players`` and the ``seed`` of its last game, the
    ``moves`` of that game, and the ``winners`` of the games before it.
    """

    def __init__(
        self,
        game: Game,
        players: tuple[PlayerInfo, PlayerInfo],
        seed: int,
        moves: Sequence[int] = (),
        winners: Sequence[int | None] = (),
    ) -> None:
        self.session = Session.resumed(game, players, seed, moves)
        #: The winner of each earlier game, by its place in the first one; None for a draw.
        self.winners = [*winners]

    def make(self, move: int) -> None:
        """Make the move of the human to move. Raises IllegalMove if the rules forbid it."""
        self.session.make(move)

    def let_play(self) -> None:
        """Make the move of the player to move, or let it forfeit.

        A turn that the machine voids is played again, as in a fight. Raises Spoilt if that does not
        help.
        """
        for left in reversed(range(MAX_TASK_ATTEMPTS)):
            try:
                self.session.let_play()
            except Spoilt as spoilt:
                if not left:
                    raise
                try:
                    self.session = self.session.again(len(self.session.moves))
                except UsageError:  # it cannot repeat the game to its turn
                    raise spoilt from None
            else:
                return

    def undo(self) -> None:
        """Take a human's last move back. Raises UsageError if there is nothing to take back."""
        self.session = self.session.taken_back()

    def resign(self) -> None:
        """Resign for the human to move. Raises UsageError if no human is."""
        if not self.session.asks_person:
            raise UsageError("there is nothing to resign")
        self.session.resign()

    def rematch(self) -> None:
        """Begin another game with the sides swapped. Raises UsageError before the end of this one.

        Its seed is the next number, so that the game after the next is another one.
        """
        session = self.session
        if session.record is None:
            raise UsageError("this game goes on: resign it, or play it to its end")
        first, second = session.players
        after = Session(session.game, (second, first), session.seed + 1)
        self.winners.append(self._winner())
        self.session = after

    @property
    def score(self) -> tuple[int, int, int]:
        """The games that the first side of the first game won, those of the other, and draws."""
        ended = [*self.winners, *([] if self.session.record is None else [self._winner()])]
        return ended.count(0), ended.count(1), ended.count(None)

    @property
    def is_swapped(self) -> bool:
        """Return whether the sides are not those of the first game."""
        return len(self.winners) % 2 == 1

    def hint(self) -> Hint:
        """Return what is known of the moves. Raises UsageError when the game is over."""
        if self.session.record is not None:
            raise UsageError("the game is over")
        return hint_at(self.session.position)

    def view(self, hint: Hint | None = None) -> Json:
        """Return all that a page shows of the game, as :func:`arena.play.view.view`."""
        from arena.play.view import view

        return view(self, hint)

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
        """Say how the game ended; empty while it goes on."""
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
        """Say the score of this and earlier games; empty during the first one and at its end."""
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
