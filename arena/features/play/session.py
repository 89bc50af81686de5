"""A game between humans and players, move by move, with undo."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from arena.fights.replays import PlayedGame, report_of
from arena.game import CHANCE, Game, Observation, Position, Side, as_seat
from arena.games.contract import start_of
from arena.games.walk import walked
from arena.match.record import Forfeit, GameRecord
from arena.player import PlayerInfo
from arena.player.human import HUMAN
from arena.records.replays import ReplayReport
from arena.rng import path_of

#: Reason of the forfeit of a human that resigned.
RESIGNED = "resigned"


class Session(ABC):
    """One game. :meth:`let_play` asks players for their moves, :meth:`make` takes those of humans.

    Without humans it is the first game of the players' fight, or of their block, under the seed.
    """

    def __init__(self, game: Game, players: tuple[PlayerInfo, ...], seed: int) -> None:
        self.game, self.players, self.seed = game, players, seed
        self.position: Position = start_of(game)
        self.moves: list[int] = []
        #: The finished game; None while it goes on.
        self.record: GameRecord | None = None
        #: The moves that chance has made since the last move of a side.
        self.drawn: tuple[int, ...] = ()

    @classmethod
    @abstractmethod
    def resumed(
        cls, game: Game, players: tuple[PlayerInfo, ...], seed: int, moves: Sequence[int]
    ) -> Self:
        """Return the game after these moves. The players have played it up to there.

        Raises UsageError if a player does not play its moves.
        """

    @property
    @abstractmethod
    def forfeits(self) -> tuple[Forfeit, ...]:
        """All forfeits, in their order: one at most of two sides."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the sides. Humans go by their letters if they are several."""

    @abstractmethod
    def make(self, move: int) -> None:
        """Make the move of the human to move. Raises IllegalMove if the rules forbid it."""

    @abstractmethod
    def let_play(self) -> None:
        """Make the move of the player to move, or let it forfeit."""

    @abstractmethod
    def resign(self) -> None:
        """Resign for the human to move."""

    @abstractmethod
    def taken_back(self) -> Self:
        """Return the game before the last move of a human, or the last move of players alone.

        Raises UsageError if there is nothing to take back, or as in :meth:`again`.
        """

    @abstractmethod
    def replayed_to(self, plies: int) -> Self:
        """Return the game after ``plies`` moves. The players have played it again up to there.

        Raises UsageError if a player does not repeat its moves.
        """

    @property
    def game_id(self) -> str:
        """The id of the game, if no human plays."""
        names = [player.name for player in self.players]
        return f"{path_of(self.game.name, *names, seed=self.seed)}/1.1"

    @property
    def is_watched(self) -> bool:
        """Return whether no human plays."""
        return not any(player is HUMAN for player in self.players)

    @property
    def asks_person(self) -> bool:
        """Return whether the next move is a human's."""
        return self.record is None and self._is_person(self.position)

    @property
    def forfeit(self) -> Forfeit | None:
        """The forfeit, if a side lost without being beaten."""
        return self.record and self.record.forfeit

    @property
    def people(self) -> list[Side]:
        """The sides of humans."""
        seats = len(self.players)
        return [as_seat(n, seats) for n in range(seats) if self.players[n] is HUMAN]

    @property
    def seen(self) -> Position | Observation:
        """The view of the human at the screen: all of a game that is over or hides nothing.

        Of two humans it is the one to move.
        """
        people, side = self.people, self.position.to_move
        if self.record is not None or not self.position.has_secrets or not people:
            return self.position
        return self.position.observation(side if side in people else people[0])

    def position_before(self) -> Position:
        """Return the position before the last move, of which there is one."""
        return walked(start_of(self.game), self.moves[:-1])

    def report(self) -> ReplayReport:
        """Return a report of the game so far, to save and replay."""
        return report_of(
            self.game,
            self.names,
            PlayedGame(self.moves, self.record and self.record.outcome, self.forfeits),
            game_id=self.game_id if self.is_watched else None,
            seed=self.seed,
        )

    def _is_person(self, position: Position) -> bool:
        return position.to_move != CHANCE and self.players[position.to_move] is HUMAN
