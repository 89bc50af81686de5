"""Seats of players in one game: how a player sits down, is told the end, and is charged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from arena.clock import time_of_day
from arena.errors import (
    Forfeited,
    GameFault,
    OutOfBudget,
    StoreError,
    Unusable,
    VoidGame,
    Withdrawn,
    is_stop,
    unavailability,
)
from arena.game import WIN_FOR, Game, Outcome, Side
from arena.games.contract import accuse
from arena.match.record import Forfeit, GameRecord, MoveTimes
from arena.player import Choose, PlayerInfo
from arena.player.clocks import Clock
from arena.player.faults import Fault, name_of, player_frames, raised
from arena.player.prints import Prints, unheard
from arena.records.thoughts import Thought, Thoughts
from arena.rng import Stream

logger = logging.getLogger(__name__)

#: The thoughts of a player that says nothing of its moves.
NO_THOUGHTS: Mapping[int, Thought] = MappingProxyType({})

#: Makes a named tuple at once, without its own ``__new__``: for what every game needs.
_new = tuple.__new__

FIRST, SECOND = tuple(Side)  # iterating over an enumeration takes longer than a ply


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


def times_of(seats: Sequence[Seat]) -> MoveTimes:
    """Return the seconds of the moves of both sides, of which one may not have a seat."""
    times = (*map(times_in, seats), (), ())
    return times[:2]


def times_in(seat: Seat) -> tuple[float | None, ...]:
    """Return the seconds of the moves that were made in a seat. None without a clock."""
    return tuple(seat.clock.move_times if seat.clock else ())


def time_of_end(seats: Iterable[Seat | None]) -> float | None:
    """Return the time of day at the end of a game, None if no side is measured in seconds.

    A game that is measured in fuel alone is the same every time.
    """
    clocks = [seat.clock for seat in seats if seat is not None and seat.clock is not None]
    return time_of_day() if any(not clock.in_fuel for clock in clocks) else None


def thoughts_of(seats: Sequence[Seat], begin: int) -> Thoughts:
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
    for side, player, stream in ((FIRST, first, first_stream), (SECOND, second, second_stream)):
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
    return seat._replace(
        clock=getattr(player, "clock", None),
        is_isolated=True,
        thoughts=getattr(player, "thoughts", NO_THOUGHTS),
    )


def fault(moves: Sequence[int], side: Side, error: BaseException, is_isolated: bool) -> GameRecord:
    """Return the record of a game for two that a player's exception ended. See :func:`charge`."""
    forfeit = charge(side, error, is_isolated)
    return GameRecord(tuple(moves), WIN_FOR[side.other], forfeit)


#: What an isolated player raises without being charged for it.
_PASSED_ON = (VoidGame, Withdrawn, GameFault, OutOfBudget, StoreError, Unusable)


def charge(side: Side, error: BaseException, is_isolated: bool) -> Forfeit:
    """Return the forfeit of a player whose exception this is. Raises the game's own fault.

    ``is_isolated`` is as in :class:`Seat`. A player in this process that raises arena's own
    verdicts is charged with an exception: it can neither withdraw a player nor void a game, except
    by saying that it is Unavailable.
    """
    kind = type(error)  # isinstance() would ask a foreign exception for its __class__
    absence = unavailability(error)
    if absence is not None:
        absence.side = side
        raise absence from error
    if is_isolated and issubclass(kind, _PASSED_ON):
        raise error
    if is_isolated and issubclass(kind, Forfeited) and isinstance(error, Forfeited):
        return Forfeit(side, error.reason, str(error), error.where, error.remedy)
    explanation = _noted(error)
    accuse(error)
    return Forfeit(side, "exception", *explanation)


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
