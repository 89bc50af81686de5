"""Hold what was played: a game and how it ended, and the pair of games of two players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.game import WIN_FOR, Outcome, Side, as_seat
from arena.player.prints import Prints
from arena.records.notes import NO_NOTES, GameNotes
from arena.seats import Departure

if TYPE_CHECKING:
    from fractions import Fraction


class Forfeit(NamedTuple):
    """A loss without being beaten, and why."""

    side: Side
    #: ``illegal`` or ``exception``; of an isolated player also ``timeout``, ``crash``,
    #: ``protocol``, ``import-error``, ``budget``, ``memory`` or ``off-turn``; of a human
    #: ``resigned``; ``referee`` if the game's referee said so.
    reason: str
    message: str
    #: The innermost frame of the player's own code, and what to do about it, where they are known.
    where: str = ""
    remedy: str = ""
    #: The number of moves before it, in a game for more than two. None in a game that it ended.
    ply: int | None = None


#: Seconds of each move of the seats; None for a move in which a program started.
MoveTimes = tuple[tuple[float | None, ...], ...]

#: The moves of a game that was not measured.
UNMEASURED: MoveTimes = ((), ())


class GameRecord(NamedTuple):
    """A finished game: the moves, the end, and the forfeit if it ended the game."""

    moves: tuple[int, ...]
    outcome: Outcome
    forfeit: Forfeit | None
    #: Seconds of the moves of the sides that have a clock.
    move_times: MoveTimes = UNMEASURED
    #: The payoffs by seat of a game that pays. None if a forfeit ended a game for two.
    payoffs: tuple[Fraction, ...] | None = None
    #: What luck brought the first seat, until a forfeit too; None where luck is not corrected.
    luck: Fraction | None = None
    #: The forfeits after the first one, in a game for more than two.
    later: tuple[Forfeit, ...] = ()
    #: The seconds since 1970 at its end; None of a game that takes no note of seconds.
    ended: float | None = None
    #: What players, engines, models and the referee added.
    notes: GameNotes = NO_NOTES

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """All forfeits, in their order. A game for two has one at most."""
        return () if self.forfeit is None else (self.forfeit, *self.later)

    @property
    def departures(self) -> list[Departure]:
        """The seats that left a game for more than two, each after so many moves."""
        return [(each.ply, int(each.side)) for each in self.forfeits if each.ply is not None]

    def with_notes(self, **notes: Any) -> GameRecord:
        """Return it with notes in the fields of :class:`GameNotes` that are named."""
        return self._replace(notes=replace(self.notes, **notes))


class PlayedPair(NamedTuple):
    """A pair of games: A moves first in the first of them.

    Of more than two players it is a block: a game for each way in which they sit down.
    """

    #: Number of the pair in the fight, from 1.
    pair: int
    records: tuple[GameRecord, ...]
    #: Seconds of each of the games.
    seconds: tuple[float, ...]
    #: Why the pair is void, whatever its records are; empty if it is not.
    void: str = ""
    #: The player that could not be started, A (0) or B (1), and why; then the pair was not played.
    withdrawn: tuple[int, str] | None = None
    #: Text of the position that the games began from; empty for the start.
    opening: str = ""
    #: Why something of each player's outlives a game; empty if nothing is known to.
    remembers: tuple[str, ...] = ("", "")


def with_prints(record: GameRecord, prints: Prints) -> GameRecord:
    """Return the record of a game with what its players printed, and what models were asked."""
    printed, completions = tuple(prints.records), tuple(prints.completions)
    if not (printed or completions):
        return record
    return record.with_notes(printed=printed, completions=completions)


def forfeit_by(
    moves: Sequence[int], side: Side, reason: str, message: str, where: str = "", remedy: str = ""
) -> GameRecord:
    """Return the record of a game that a side lost without being beaten."""
    forfeit = Forfeit(side, reason, message, where, remedy)
    return GameRecord(tuple(moves), WIN_FOR[side.other], forfeit)


def restart_forfeit(side: Side, problem: str) -> GameRecord:
    """Return the record of a game that a side lost because it does not start again."""
    return forfeit_by((), side, "crash", not_again(problem))


def never_started(seat: int, problem: str) -> Forfeit:
    """Return the forfeit of a player at a table that cannot be started."""
    return Forfeit(as_seat(seat), "crash", f"it cannot be started: {problem}")


def not_again(problem: str) -> str:
    """Return the message of the forfeits of a player that does not start again."""
    return f"it does not start again: {problem}"
