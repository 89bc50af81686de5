"""Play one game between two players: the loop, the legality of every move, forfeits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import repeat

from arena.errors import ArenaError, IllegalMove, as_move
from arena.game import Game, Outcome, Position
from arena.games.contract import breach, endless, refused, require_texts, retrace, start_of
from arena.match.adjudication import Ending, Judge
from arena.match.record import GameRecord, forfeit_by, with_prints
from arena.match.refereed import RefereedGame
from arena.match.seats import (
    FIRST,
    SECOND,
    Seat,
    fault,
    leave_seats,
    take_seats,
    thoughts_of,
    time_of_end,
    times_of,
)
from arena.player import PlayerInfo
from arena.player.faults import returned
from arena.player.prints import LocalPrintCapture, Prints
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.notes import GameNotes
from arena.rng import Stream, begin

#: The extras of most games: none.
_NOTHING_MORE = tuple(GameRecord._field_defaults[name] for name in GameRecord._fields[3:])

#: Makes a named tuple at once, without its own ``__new__``: for what every game needs.
_new = tuple.__new__


#: Number of forks behind this process: one more after a game means that a player made a copy.
_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


def forks() -> int:
    """Return the number of forks behind this process."""
    return _forks


def end_copy() -> None:
    """End a copy of this process that a player made: it ends with its game."""
    os._exit(0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


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
        with LocalPrintCapture() as caught:
            return play_game(game, players, name, streams, opening, adjudication, caught)
    if prints.is_used:
        prints.begin()
    before = _forks
    moves: list[int] = []  # list[int]() takes longer than a ply
    begin(streams, name)
    seats, record = take_seats(game, players, streams, prints)
    if record is None:
        try:
            if opening is None:
                position, limit = game.start(), game.max_plies
            else:
                position, limit = opening, game.max_plies - opening.ply
            if game.features:
                record = _play_unseen(position, moves, limit, prints, seats, name)
            else:
                record = _play(position, moves, _judge(adjudication, seats), limit, prints, *seats)
        except Exception as error:
            accuse_game(game, opening, moves, error)
            raise
        forfeit = record.forfeit
        if forfeit is not None or type(record.outcome) is not Outcome:
            end = retrace(game, position, moves)
            if forfeit is not None and players[forfeit.side].remote is not None:
                require_texts(end)
    if _forks != before:
        end_copy()
    leave_seats(seats, record.outcome)
    if players[0].remote is not None or players[1].remote is not None:
        begin_ply = 0 if opening is None else opening.ply
        times, thoughts = times_of(seats), thoughts_of(seats, begin_ply)
        record = record.with_notes(thoughts=thoughts) if thoughts else record
        record = record._replace(move_times=times, ended=time_of_end(seats))
    return with_prints(record, prints) if prints.is_used else record


def _play_unseen(
    position: Position,
    moves: list[int],
    limit: int,
    prints: Prints,
    seats: Sequence[Seat],
    name: str,
) -> GameRecord:
    from arena.match.unseen import block_of, play_unseen  # few games have luck or secrets

    return play_unseen(position, moves, limit, prints, seats, block_of(name))


def _judge(adjudication: Adjudication, seats: Sequence[Seat]) -> Judge | None:
    """Return the judge of a game, None for most games."""
    first, second = seats
    return Judge(adjudication, (first.thoughts, second.thoughts)) if adjudication else None


def accuse_game(
    game: Game,
    opening: Position | None,
    moves: Sequence[int],
    error: Exception,
    departures: Sequence[tuple[int, int]] = (),
) -> None:
    """Raise GameFault if an exception is the game's fault.

    ``departures`` is as for :func:`retrace`.
    """
    if not isinstance(error, ArenaError):
        retrace(game, start_of(game) if opening is None else opening, moves, departures)
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
        (FIRST, first.choose, first.rng, second.observe),
        (SECOND, second.choose, second.rng, first.observe),
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
            seat = (first, second)[side]
            fault_made = returned(move, position, seat.function, seat.player)
            return forfeit_by(moves, side, "illegal", *fault_made)
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
    notes = GameNotes(adjudicated=ending.adjudicated)
    return GameRecord(tuple(moves), ending.outcome, None, notes=notes)
