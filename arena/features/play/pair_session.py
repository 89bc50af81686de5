"""A game for two between humans and players, move by move, with undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from arena.errors import IllegalMove, UsageError, as_move
from arena.features.play.session import RESIGNED, Session
from arena.game import CHANCE, Game, Outcome, Position, Side
from arena.games.contract import endless, examined, retrace, start_of
from arena.match.record import Forfeit, GameRecord, forfeit_by
from arena.match.seats import Seat, fault, leave_seats, take_seats
from arena.match.unseen import block_of, chance_move
from arena.player import PlayerInfo
from arena.player.faults import returned
from arena.player.human import HUMAN
from arena.rng import Stream, begin


class PairSession(Session):
    """One game. It is the first game of the players' fight under the seed."""

    def __init__(self, game: Game, players: tuple[PlayerInfo, ...], seed: int) -> None:
        super().__init__(game, players, seed)
        (first, second), streams = players, (Stream(), Stream())
        begin(streams, self.game_id)
        self._seats: list[Seat]
        self._seats, self.record = take_seats(game, (first, second), streams)
        self._events = 0
        self._let_chance_move()

    @classmethod
    def resumed(
        cls, game: Game, players: tuple[PlayerInfo, ...], seed: int, moves: Sequence[int]
    ) -> Self:
        """Return the game after these moves. The players have played it up to there.

        Raises UsageError if a player does not play its moves.
        """
        session = cls(game, players, seed)
        while len(session.moves) < len(moves):
            session._repeat(moves[len(session.moves)])
        if session.moves[: len(moves)] != [*moves]:
            raise UsageError("chance does not repeat its moves: is the seed another one?")
        return session

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """All forfeits, in their order: one at most of two sides."""
        return () if self.forfeit is None else (self.forfeit,)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides. Two humans go by their letters."""
        first, second = self.players
        if first is second is HUMAN:
            return Side.FIRST.letter, Side.SECOND.letter
        return first.name, second.name

    def make(self, move: int) -> None:
        """Make the move of the human to move. Raises IllegalMove if the rules forbid it."""
        assert self.asks_person
        self._go_on(move, self.position.play(move))

    def let_play(self) -> None:
        """Make the move of the player to move, or let it forfeit the game.

        Does what :func:`arena.match.play_game` does, one move at a time.
        """
        assert self.record is None
        side = self.position.to_move
        seat, info_state = self._seats[side], self.position.observation(side)
        try:
            answer: Any = seat.choose(info_state, seat.rng)
        except BaseException as error:
            self._end(fault(self.moves, side, error, seat.is_isolated))
            return
        try:
            move = as_move(answer)
            after = self.position.play(move)
        except IllegalMove:
            forfeit = returned(answer, info_state, seat.function)
            self._end(forfeit_by(self.moves, side, "illegal", *forfeit))
            return
        self._go_on(move, after)

    def resign(self) -> None:
        """Resign for the human to move."""
        assert self.asks_person
        self._end(forfeit_by(self.moves, self.position.to_move, RESIGNED, "resigned"))

    def taken_back(self) -> Self:
        """Return the game before the last move of a human, or the last move of two players.

        Raises UsageError if there is nothing to take back, or as in :meth:`again`.
        """
        if self.forfeit is not None and self.forfeit.reason == RESIGNED:
            return self.replayed_to(len(self.moves))
        keep, position = -1, start_of(self.game)
        for ply, move in enumerate(self.moves):
            if self.is_watched or self._is_person(position):
                keep = ply
            position = position.play(move)
        if keep < 0:
            raise UsageError("there is no move to take back")
        return self.replayed_to(keep)

    def replayed_to(self, plies: int) -> Self:
        """Return the game after ``plies`` moves. The players have played it again up to there.

        Raises UsageError if a player does not repeat its moves.
        """
        return self.resumed(self.game, self.players, self.seed, self.moves[:plies])

    def _repeat(self, move: int) -> None:
        name, place = self.players[self.position.to_move].name, len(self.moves)
        if self.asks_person:
            self.make(move)
        elif self.record is None:
            self.let_play()
        if self.record is not None or self.moves[place] != move:
            raise UsageError(f"{name} does not repeat its moves")

    def _go_on(self, move: int, after: Position) -> None:
        """Note the move, and those of chance behind it: end the game, or tell the opponent."""
        self.moves.append(move)
        examined(self.game, after)
        opponent, self.position = self.position.to_move.other, after
        self._let_chance_move()
        outcome = self.position.outcome()
        if outcome is not None:
            self._end(GameRecord(tuple(self.moves), outcome, None))
            return
        if len(self.moves) >= self.game.max_plies:
            raise endless(self.game, self.position)
        observe = self._seats[opponent].observe
        if observe is not None and not self.game.features:
            try:
                observe(move)
            except BaseException as error:
                is_isolated = self._seats[opponent].is_isolated
                self._end(fault(self.moves, opponent, error, is_isolated))

    def _let_chance_move(self) -> None:
        """Make the moves of chance up to a side's turn, by the luck of a fight's first pair."""
        drawn = []
        while self.position.to_move == CHANCE and self.position.outcome() is None:
            shares = self.position.chance_moves()
            move = chance_move(shares, block_of(self.game_id), self._events)
            self._events += 1
            self.position = self.position.play(move)
            drawn.append(move)
        self.moves += drawn
        self.drawn = tuple(drawn)

    def _end(self, record: GameRecord) -> None:
        self.record = record
        if record.forfeit is not None or type(record.outcome) is not Outcome:
            retrace(self.game, start_of(self.game), self.moves)
        leave_seats(self._seats, record.outcome)
