"""Play one game after another at a board: what a terminal and a browser share. Nothing is shown."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import UsageError, VoidGame
from arena.executors.base import MAX_TASK_ATTEMPTS
from arena.features.play.board import SessionSeries
from arena.features.play.hints import Hint, hint_at
from arena.features.play.pair_session import PairSession
from arena.features.play.session import Session
from arena.features.play.table_session import TableSession
from arena.game import Game
from arena.player import PlayerInfo
from arena.records.base import Json


class Sitting(SessionSeries):
    """The games that the sides play at one board, of which :attr:`session` is the last.

    To go on with one that was left, name the ``players`` and the ``seed`` of its last game, the
    ``moves`` of that game, and the ``winners`` of the games before it.
    """

    def __init__(
        self,
        game: Game,
        players: tuple[PlayerInfo, ...],
        seed: int,
        moves: Sequence[int] = (),
        winners: Sequence[int | None] = (),
    ) -> None:
        kind: type[Session] = PairSession if len(players) == 2 else TableSession
        super().__init__(kind.resumed(game, players, seed, moves), winners)

    def make(self, move: int) -> None:
        """Make the move of the human to move. Raises IllegalMove if the rules forbid it."""
        self.session.make(move)

    def let_play(self) -> None:
        """Make the move of the player to move, or let it forfeit.

        A turn that the machine voids is played again, as in a fight. Raises VoidGame if that does
        not help.
        """
        for attempts_left in reversed(range(MAX_TASK_ATTEMPTS)):
            try:
                self.session.let_play()
            except VoidGame as void:
                if not attempts_left:
                    raise
                try:
                    self.session = self.session.replayed_to(len(self.session.moves))
                except UsageError:  # it cannot repeat the game to its turn
                    raise void from None
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
        """Begin another game, in which the player that moved first moves last. Two sides swap.

        Raises UsageError before the end of this one.

        Its seed is the next number, so that the game after the next is another one.
        """
        session = self.session
        if session.record is None:
            raise UsageError("this game goes on: resign it, or play it to its end")
        first, *others = session.players
        after = type(session)(session.game, (*others, first), session.seed + 1)
        self.winners.append(self._winner())
        self.session = after

    def hint(self) -> Hint:
        """Return what is known of the moves. Raises UsageError when the game is over."""
        if self.session.record is not None:
            raise UsageError("the game is over")
        game = self.session.game
        if game.features:
            raise UsageError(f"{game.name} has {' and '.join(game.features)}: there are no hints")
        return hint_at(self.session.position)

    def view(self, hint: Hint | None = None) -> Json:
        """Return all that a page shows of the game, as :func:`arena.features.play.view.view`."""
        from arena.features.play.view import view  # a terminal needs no pictures

        return view(self, hint)
