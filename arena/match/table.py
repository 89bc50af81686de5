"""Play one game at a table of more than two seats: a forfeit ends it for one seat alone.

The player that forfeits gets the least payoff of the game. The others play on, if the game can do
without the seat. A seat is asked with its observation, and luck is that of the block, as
:mod:`arena.match.unseen` tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from arena.errors import IllegalMove, Withdrawn, as_move
from arena.game import CHANCE, Game, Outcome, Position, as_seat
from arena.games.contract import (
    endless,
    payoffs_of,
    refused,
    require_texts,
    retrace,
    start_of,
    without,
)
from arena.games.info_state import InfoState
from arena.match import accuse_game, end_copy, forks
from arena.match.record import Forfeit, GameRecord, never_started, with_prints
from arena.match.refereed import RefereedGame
from arena.match.seats import Seat, charge, leave_seats, sit, time_of_end, times_in
from arena.match.unseen import block_of, chance_move
from arena.player import PlayerInfo
from arena.player.faults import returned
from arena.player.prints import LocalPrintCapture, Prints
from arena.records.entrants import UNPLAYED
from arena.rng import Stream, begin_all
from arena.seats import Departure


def play_table(
    game: Game,
    players: Sequence[PlayerInfo],
    name: str,
    streams: Sequence[Stream],
    prints: Prints | None = None,
    out: Mapping[int, str] = MappingProxyType({}),
) -> GameRecord:
    """Play one game. ``players`` and ``streams`` are those of the seats, in their order.

    The game's name decides the randomness, of the players and of chance. A player that cannot be
    started has forfeited, and so have the seats in ``out``, each with the reason why it is not
    played. Raises VoidGame if the machine kept an isolated player from playing.
    """
    if game.is_refereed and isinstance(game, RefereedGame):
        from arena.match.by_referee import play_refereed_table  # few games have one

        return play_refereed_table(game, players, name)
    if prints is None:
        with LocalPrintCapture() as caught:
            return play_table(game, players, name, streams, caught, out)
    if prints.is_used:
        prints.begin()
    before = forks()
    begin_all(streams, name)
    table = TableGame(game, players, prints, block_of(name))
    try:
        table.sit_down(streams, out)
        record = table.play()
    except Exception as error:
        accuse_game(game, None, table.moves, error, table.departures)
        raise
    if forks() != before:
        end_copy()
    table.leave(record.outcome)
    if any(player.remote is not None for player in players):
        times = tuple(() if each is None else times_in(each) for each in table.seats)
        record = record._replace(move_times=times, ended=time_of_end(table.seats))
    return with_prints(record, prints) if prints.is_used else record


def payoffs_after(
    game: Game, paid: Sequence[Fraction] | None, forfeited: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return what a game paid in which these seats forfeited, in this order.

    ``paid`` is what its last position pays, None if it could not go on without the last of them.
    """
    payoffs = [*(game.forfeit_payoffs(forfeited[-1]) if paid is None else paid)]
    for each in forfeited:
        payoffs[each] = Fraction(game.payoffs.least)
    return tuple(payoffs)


def _blame(seat: int, error: BaseException, is_isolated: bool) -> Forfeit:
    """Return the forfeit of a seat: at a table that of one that cannot be started, too."""
    if is_isolated and issubclass(type(error), Withdrawn) and isinstance(error, Withdrawn):
        return never_started(seat, error.problem)
    return charge(as_seat(seat), error, is_isolated)


class TableGame:
    """One game in play: who sits where, how far it is, and who has forfeited.

    :meth:`play` plays all of it, :meth:`ply` one move.
    """

    def __init__(
        self, game: Game, players: Sequence[PlayerInfo], prints: Prints, block: str
    ) -> None:
        self.game, self.players, self.prints, self._block = game, players, prints, block
        self.moves: list[int] = []
        self.seats: list[Seat | None] = []
        self.forfeits: list[Forfeit] = []
        #: The position, None if the game could not go on without a seat.
        self.position: Position | None = game.start()
        self._events = 0

    @property
    def departures(self) -> list[Departure]:
        """The seats that forfeited, each after the number of moves before."""
        return [(forfeit.ply or 0, int(forfeit.side)) for forfeit in self.forfeits]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position is None or self.position.outcome() is not None

    def sit_down(self, streams: Sequence[Stream], out: Mapping[int, str]) -> None:
        """Make all players ready. One that fails has forfeited."""
        for number, (player, stream) in enumerate(zip(self.players, streams, strict=True)):
            self.seats.append(None)
            if number in out:
                self.forfeit(Forfeit(as_seat(number), UNPLAYED, out[number]))
                continue
            try:
                self.seats[number] = sit(player, self.game, as_seat(number), stream)
            except BaseException as error:
                self.forfeit(_blame(number, error, player.remote is not None))
            if self.prints.is_due:
                self.prints.hold(number)

    def leave(self, outcome: Outcome) -> None:
        """Tell the players that the game is over."""
        leave_seats([each for each in self.seats if each is not None], outcome)

    def play(self) -> GameRecord:
        """Play to the end, and return the record."""
        while (position := self.position) is not None and position.outcome() is None:
            self.ply(position)
        return self.record()

    def record(self) -> GameRecord:
        """Return the record of a game that is over."""
        position = self.position
        self._retrace()
        paid = None if position is None else payoffs_of(position)
        if self.forfeits:
            out = [int(forfeit.side) for forfeit in self.forfeits]
            paid = payoffs_after(self.game, paid, out)
        record = GameRecord(tuple(self.moves), Outcome.OVER, None, payoffs=paid)
        if self.forfeits:
            first, *later = self.forfeits
            record = record._replace(forfeit=first, later=tuple(later))
        return record

    def ply(self, position: Position) -> None:
        """Let chance or a player move at the game's position. One that does not has forfeited."""
        if len(self.moves) >= self.game.max_plies:
            raise endless(self.game, position)
        mover = position.to_move
        if mover == CHANCE:
            move = chance_move(position.chance_moves(), self._block, self._events)
            self._events += 1
            self.position = position.play(move)
        else:
            answer = self._ask(mover, position)
            if isinstance(answer, Forfeit):
                self.forfeit(answer)
                return
            move, self.position = answer
        self.moves.append(move)

    def _ask(self, mover: int, position: Position) -> tuple[int, Position] | Forfeit:
        """Return the move of the seat and where it leads, or why it forfeits."""
        sitting = self.seats[mover]
        assert sitting is not None, "a seat that has left the game is to move"
        observation = position.observation(mover)
        try:
            answer = sitting.choose(observation, sitting.rng)
        except BaseException as error:
            return _blame(mover, error, sitting.is_isolated)
        finally:
            if self.prints.is_due:
                self.prints.take(mover, len(self.moves))
        try:
            move = answer if type(answer) is int else as_move(answer)
            if observation is not position and not observation.is_legal(move):
                raise IllegalMove(f"{move} is not legal")
        except IllegalMove:
            return self._illegal(mover, answer, observation)
        try:
            return move, position.play(move)
        except IllegalMove:
            refused(position, move)
            if observation is not position:  # it lists a move that the position refuses
                raise
            return self._illegal(mover, answer, observation)

    def _illegal(self, mover: int, answer: object, observation: InfoState) -> Forfeit:
        sitting = self.seats[mover]
        assert sitting is not None
        explained = returned(answer, observation, sitting.function, sitting.player)
        return Forfeit(as_seat(mover), "illegal", *explained)

    def forfeit(self, forfeit: Forfeit) -> None:
        """Take a seat out of the game."""
        self.forfeits.append(forfeit._replace(ply=len(self.moves)))
        if self.position is not None and self.position.outcome() is None:
            self.position = without(self.position, forfeit.side)

    def _retrace(self) -> None:
        """Play a plugin's game again with suspicion if a seat forfeited by a fault of the game."""
        if not self.forfeits:
            return
        end = retrace(self.game, start_of(self.game), self.moves, self.departures)
        if any(self.players[each.side].remote is not None for each in self.forfeits):
            require_texts(end)
