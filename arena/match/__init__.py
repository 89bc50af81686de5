"""Play one game between two players: the loop, the legality of every move, forfeits."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from types import MappingProxyType
from typing import Any, NamedTuple

from arena.errors import (
    ArenaError,
    Forfeited,
    GameFault,
    IllegalMove,
    VoidGame,
    Withdrawn,
    as_move,
    is_stop,
    unavailability,
)
from arena.game import Game, Outcome, Position, Side
from arena.games.contract import accuse, breach, endless, refused, require_texts, retrace, start_of
from arena.match.adjudication import Ending, Judge
from arena.match.record import GameRecord, MoveTimes, forfeit_by
from arena.match.refereed import RefereedGame
from arena.player import Choose, PlayerInfo
from arena.player.clocks import Clock
from arena.player.faults import Fault, name_of, player_frames, raised, returned
from arena.player.prints import Catching, Prints, unheard
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.thoughts import Thought, Thoughts
from arena.rng import Stream, begin

logger = logging.getLogger(__name__)

#: The extras of most games: none.
_NOTHING_MORE = tuple(GameRecord._field_defaults[name] for name in GameRecord._fields[3:])

#: The thoughts of a player that says nothing of its moves.
NO_THOUGHTS: Mapping[int, Thought] = MappingProxyType({})

#: Makes a named tuple at once, without its own ``__new__``: for what every game needs.
_new = tuple.__new__

_SIDES = _FIRST, _SECOND = tuple(Side)  # iterating over an enumeration takes longer than a ply


#: Number of forks behind this process: one more after a game means that a player made a copy.
_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Seat(NamedTuple):
    """A player at one side of one game."""

    choose: Choose
    rng: Stream
    observe: Callable[[int], Any] | None
    finish: Callable[[Outcome], Any] | None
    #: The player's own function or class, for messages.
    player: object = None
    #: Measures its moves; None if they are not measured.
    clock: Clock | None = None
    #: Whether it plays in a process of its own: then arena raises for it, and not its own code.
    is_isolated: bool = False
    #: Its thoughts on its moves, by the ply of the position. They grow as the game goes on.
    thoughts: Mapping[int, Thought] = NO_THOUGHTS

    @property
    def function(self) -> str:
        """The name of the function that is asked for moves, for messages."""
        return name_of(self.player)


def play_game(
    game: Game,
    players: tuple[PlayerInfo, PlayerInfo],
    name: str,
    streams: tuple[Stream, Stream],
    opening: Position | None = None,
    adjudication: Adjudication = NO_ADJUDICATION,
    prints: Prints | None = None,
) -> GameRecord:
    """Play one game. ``players`` and ``streams`` are those of the first and the second side.

    It begins from the ``opening``, if there is one, with the side to move there. The
    ``adjudication`` may end it before its rules do.

    The game's name decides the players' randomness: it restarts the two streams. A player that
    raises, or answers with anything but a legal move, loses at once. Raises VoidGame if the machine
    kept an isolated player from playing, and Withdrawn if one never started.

    The record has what the players print, which is then not an output of this process. A caller
    that plays many games has all of their ``prints`` caught at once.
    """
    if game.is_refereed and isinstance(game, RefereedGame):
        from arena.match.by_referee import play_refereed  # few games have one

        return play_refereed(game, players, name)
    if prints is None:
        with Catching() as caught:
            return play_game(game, players, name, streams, opening, adjudication, caught)
    if prints.is_used:
        prints.begin()
    forks = _forks
    moves: list[int] = []  # list[int]() takes longer than a ply
    begin(streams, name)
    seats, record = take_seats(game, players, streams, prints)
    if record is None:
        try:
            if opening is None:
                position, limit = game.start(), game.max_plies
            else:
                position, limit = opening, game.max_plies - opening.ply
            if position.has_luck or position.has_secrets:
                from arena.match.unseen import block_of, play_unseen  # few games have any

                record = play_unseen(position, moves, limit, prints, seats, block_of(name))
            else:
                judge = None
                if adjudication:
                    judge = Judge(adjudication, (seats[0].thoughts, seats[1].thoughts))
                record = _play(position, moves, judge, limit, prints, *seats)
        except Exception as error:
            _accuse_game(game, opening, moves, error)
            raise
        forfeit = record.forfeit
        if forfeit is not None or type(record.outcome) is not Outcome:
            end = retrace(game, position, moves)
            if forfeit is not None and players[forfeit.side].remote is not None:
                require_texts(end)
    if _forks != forks:  # a player made this copy of the process: it ends with its game
        os._exit(0)
    leave_seats(seats, record.outcome)
    if players[0].remote is not None or players[1].remote is not None:
        begin_ply = 0 if opening is None else opening.ply
        times, thoughts = _move_times(seats), _thoughts(seats, begin_ply)
        record = record._replace(move_times=times, thoughts=thoughts)
    return record._replace(printed=tuple(prints.records)) if prints.records else record


def _move_times(seats: Sequence[Seat]) -> MoveTimes:
    """Return the seconds of the moves of both sides, of which one may not have a seat."""
    times = [tuple(seat.clock.move_times if seat.clock else ()) for seat in seats]
    first, second = (*times, (), ())[:2]
    return first, second


def _thoughts(seats: Sequence[Seat], begin: int) -> Thoughts:
    """Return what both sides said of the moves of a game that began at that ply."""
    thoughts = sorted(thought for seat in seats for thought in seat.thoughts.items())
    return tuple((ply - begin, thought) for ply, thought in thoughts)


def take_seats(
    game: Game,
    players: tuple[PlayerInfo, PlayerInfo],
    streams: tuple[Stream, Stream],
    prints: Prints | None = None,
) -> tuple[list[Seat], GameRecord | None]:
    """Make both players ready for a game. Return the seats, and a record if a player failed."""
    seats: list[Seat] = []
    (first, second), (first_stream, second_stream) = players, streams
    for side, player, stream in ((_FIRST, first, first_stream), (_SECOND, second, second_stream)):
        try:
            seats.append(sit(player, game, side, stream))
        except BaseException as error:
            return seats, fault((), side, error, player.remote is not None)
        if prints is not None and prints.is_due:
            prints.hold(side)
    clock, other_clock = seats[0].clock, seats[1].clock
    if clock is not None and other_clock is not None:
        clock.opponent, other_clock.opponent = other_clock, clock
    return seats, None


def leave_seats(seats: Sequence[Seat], outcome: Outcome) -> None:
    """Tell the players how the game ended."""
    for seat in seats:
        if seat.finish is not None:
            try:
                seat.finish(outcome)
            except BaseException as error:
                _noted(error)


def _accuse_game(
    game: Game, opening: Position | None, moves: Sequence[int], error: Exception
) -> None:
    """Raise GameFault if an exception is the game's fault."""
    if not isinstance(error, ArenaError):
        retrace(game, start_of(game) if opening is None else opening, moves)
        fault_of_game = breach(error)
        if fault_of_game is not None:
            raise fault_of_game from error


def _play(
    position: Position,
    moves: list[int],
    judge: Judge | None,
    limit: int,
    prints: Prints,
    first: Seat,
    second: Seat,
) -> GameRecord:
    """Play on from the position for this many plies at most. Note the moves as they are made."""
    if judge is not None and (ending := judge.ending(position)) is not None:
        return _ended(moves, ending)
    turns = (
        (_FIRST, first.choose, first.rng, second.observe),
        (_SECOND, second.choose, second.rng, first.observe),
    )
    turn, other = turns[::-1] if position.to_move else turns
    alternates = position.alternates
    for _ in repeat(None, limit):
        side, choose, rng, observe = turn
        try:
            move = choose(position, rng)
        except BaseException as error:
            return fault(moves, side, error, (first, second)[side].is_isolated)
        finally:
            if prints.is_due:
                prints.take(side, len(moves))
        try:
            if type(move) is not int:
                move = as_move(move)
            position = position.play(move)
        except IllegalMove:
            refused(position, move)
            function = (first, second)[side].function
            return forfeit_by(moves, side, "illegal", *returned(move, position, function))
        moves.append(move)
        outcome = position.outcome()
        if outcome is not None:
            return _new(GameRecord, (tuple(moves), outcome, None, *_NOTHING_MORE))
        if judge is not None:
            ending = judge.after(side, position)
            if ending is not None:
                return _ended(moves, ending)
        if observe is not None:
            try:
                observe(move)
            except BaseException as error:
                return fault(moves, side.other, error, (first, second)[side.other].is_isolated)
            if prints.is_due:
                prints.hold(side.other)
        if alternates or position.to_move != side:
            turn, other = other, turn
    raise endless(position.game, position)


def _ended(moves: Sequence[int], ending: Ending) -> GameRecord:
    """Return the record of a game that was adjudicated."""
    return GameRecord(tuple(moves), ending.outcome, None, adjudicated=ending.adjudicated)


def sit(info: PlayerInfo, game: Game, side: Side, rng: Stream, fresh: bool = True) -> Seat:
    """Make a player ready for one game: the one way by which games and proofs ask it for moves.

    ``fresh`` executes the code of a player in a file again, so that it knows nothing of earlier
    games.
    """
    if info.remote is not None:
        player = info.remote(fresh)
    else:
        function = info.player
        if fresh and info.fresh is not None:
            with unheard():
                function = info.fresh()
        if info.stateless:
            return _new(Seat, (function, rng, None, None, function, None, False, NO_THOUGHTS))
        player = function()
    player.start(game, side, rng)
    choose = player.choose
    observe, finish = getattr(player, "observe", None), getattr(player, "finish", None)
    seat = Seat(lambda position, _: choose(position), rng, observe, finish)
    if info.remote is None:
        return seat
    clock, thoughts = getattr(player, "clock", None), getattr(player, "thoughts", {})
    return seat._replace(clock=clock, is_isolated=True, thoughts=thoughts)


def fault(moves: Sequence[int], side: Side, error: BaseException, is_isolated: bool) -> GameRecord:
    """Return the record of a game that a player's exception ended. Raises the game's own fault.

    ``is_isolated`` is as in :class:`Seat`. A player in this process that raises arena's own
    verdicts is charged with an exception: it can neither withdraw a player nor void a game, except
    by saying that it is Unavailable.
    """
    kind = type(error)  # isinstance() would ask a foreign exception for its __class__
    absence = unavailability(error)
    if absence is not None:
        absence.side = side
        raise absence from error
    if is_isolated and issubclass(kind, (VoidGame, Withdrawn, GameFault)):
        raise error
    if is_isolated and issubclass(kind, Forfeited) and isinstance(error, Forfeited):
        return forfeit_by(moves, side, error.reason, str(error), error.where, error.remedy)
    explanation = _noted(error)
    accuse(error)
    return forfeit_by(moves, side, "exception", *explanation)


def _noted(error: BaseException) -> Fault:
    """Explain a player's exception. The traceback goes to the log."""
    if is_stop(error):
        raise error
    explanation = raised(error)
    if logger.isEnabledFor(logging.INFO):
        extra = {"fault": explanation.where or explanation.message, "frames": player_frames(error)}
        try:
            logger.info("a player raised %s", explanation.message, exc_info=error, extra=extra)
        except Exception:  # logging asks it for more than its message
            logger.info("a player raised %s", explanation.message, extra=extra)
    return explanation
