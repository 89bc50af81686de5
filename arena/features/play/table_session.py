"""A game for more than two between humans and players, move by move, with undo.

A seat that forfeits or resigns leaves the game, and the others play on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from arena.errors import UsageError
from arena.features.play.session import RESIGNED, Session
from arena.game import CHANCE, Game, Position
from arena.games.contract import examined, start_of
from arena.match.record import Forfeit
from arena.match.table import TableGame
from arena.match.unseen import block_of
from arena.player import PlayerInfo, table_names
from arena.player.human import HUMAN
from arena.player.prints import Prints
from arena.rng import Stream, begin_all
from arena.seats import SEAT_LETTERS, Departure, line_of


class TableSession(Session):
    """One game. It is the first game of the players' block under the seed."""

    def __init__(self, game: Game, players: tuple[PlayerInfo, ...], seed: int) -> None:
        super().__init__(game, players, seed)
        streams = [Stream() for _ in players]
        begin_all(streams, self.game_id)
        self._table = TableGame(game, players, Prints(), block_of(self.game_id))
        self._table.sit_down(streams, {})
        self.moves = self._table.moves
        self._advance()

    @classmethod
    def resumed(
        cls,
        game: Game,
        players: tuple[PlayerInfo, ...],
        seed: int,
        moves: Sequence[int],
        departures: Sequence[Departure] = (),
    ) -> Self:
        """Return the game after these moves, which humans left as in ``departures``.

        Raises UsageError if a player does not play its moves.
        """
        session, waiting = cls(game, players, seed), list(departures)
        while session.record is None:
            ply = len(session.moves)
            if waiting and waiting[0] == (ply, session.position.to_move):
                waiting.pop(0)
                session.resign()
            elif ply >= len(moves) and not waiting:
                break
            elif not session.asks_person:
                name = players[session.position.to_move].name
                session.let_play()
                if session.moves[ply : ply + 1] not in ([], [*moves[ply : ply + 1]]):
                    raise UsageError(f"{name} does not repeat its moves")
            elif ply < len(moves) and session.position.is_legal(moves[ply]):
                session.make(moves[ply])
            else:
                break
        if session.moves[: len(moves)] != [*moves]:
            raise UsageError("the game does not come again: is the seed another one?")
        return session

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """All who left the game, in their order."""
        return tuple(self._table.forfeits)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats. Humans go by their letters if they are several."""
        are_several = len(self.people) > 1
        seats = zip(self.players, SEAT_LETTERS, strict=False)
        return table_names([c if p is HUMAN and are_several else p.name for p, c in seats])

    def make(self, move: int) -> None:
        """Make the move of the human to move. Raises IllegalMove if the rules forbid it."""
        assert self.asks_person
        self._table.position = self.position.play(move)
        self.moves.append(move)
        self._advance()

    def let_play(self) -> None:
        """Make the move of the player to move, or let it leave the game."""
        assert self.record is None
        self._table.ply(self.position)
        self._advance()

    def resign(self) -> None:
        """Resign for the human to move, which leaves the game to the others."""
        assert self.asks_person
        self._table.forfeit(Forfeit(self.position.to_move, RESIGNED, RESIGNED))
        self._advance()

    def taken_back(self) -> Self:
        """Return the game before the last move of a human, or the last move of players alone.

        Raises UsageError if there is nothing to take back, or as in :meth:`again`.
        """
        *before, (ply, _) = self._resigned or [(-1, 0)]
        keep = -1
        for number, position in enumerate(
            line_of(start_of(self.game), self.moves, self._table.departures)
        ):
            is_by_person = self.is_watched or self._is_person(position)
            if number < len(self.moves) and is_by_person and position.to_move != CHANCE:
                keep = number
        if max(keep, ply) < 0:
            raise UsageError("there is no move to take back")
        if ply > keep:
            return self.resumed(self.game, self.players, self.seed, self.moves[:ply], before)
        return self.replayed_to(keep)

    def replayed_to(self, plies: int) -> Self:
        """Return the game after ``plies`` moves. The players have played it again up to there."""
        departures = [each for each in self._resigned if each[0] <= plies]
        return self.resumed(self.game, self.players, self.seed, self.moves[:plies], departures)

    @property
    def _resigned(self) -> list[Departure]:
        """The humans that left."""
        resigned = [each for each in self.forfeits if each.reason == RESIGNED]
        return [(each.ply or 0, int(each.side)) for each in resigned]

    def _advance(self) -> None:
        """Take in what was done, have chance move, and end a game that is over."""
        number = len(self.moves)
        while not self._table.is_over:
            position = self._at()
            if position.to_move != CHANCE:
                break
            self._table.ply(position)
        self.drawn = tuple(self.moves[number:])
        if self._table.position is not None:
            self.position = self._at()
            examined(self.game, self.position)
        if self._table.is_over:
            self.record = self._table.record()
            self._table.leave(self.record.outcome)

    def _at(self) -> Position:
        assert self._table.position is not None
        return self._table.position
