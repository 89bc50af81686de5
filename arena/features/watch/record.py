"""Hold the state of a run while it is played."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.game import Position
from arena.records.base import Record, Tally


@dataclass(frozen=True)
class WatchedPlayer(Record):
    """A player of a run, with its games by now."""

    KEYS = "player games=total.games *total score=total.score forfeits"

    player: str
    total: Tally
    #: Games that it forfeited.
    forfeits: int


@dataclass(frozen=True)
class WatchedGame(Record):
    """A game of a run that was finished lately."""

    KEYS = "game players outcome reason moves payoffs?"

    #: Number of the pair, and half: ``12.2``.
    game: str
    #: The names of the players by seat.
    players: tuple[str, ...]
    outcome: str
    #: The reason of a forfeit; None without one.
    reason: str | None
    moves: tuple[str, ...]
    #: The payoff of each seat; None in a game without payoffs of its own.
    payoffs: tuple[Fraction, ...] | None = None
    #: The position at the end; None if the game is not installed here.
    position: Position | None = field(default=None, repr=False, compare=False)
    #: The last move as the game has it; None without one.
    last: int | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Watched(Record):
    """The state of a run: the number of games, the leader, and the latest games."""

    SCHEMA = "arena.watch/1"

    run: int
    game: str
    #: Whether the run is complete.
    is_complete: bool
    played: int
    #: Games that the run will have; None if only its rounds tell.
    planned: int | None
    #: The players, the best score first.
    standings: tuple[WatchedPlayer, ...]
    #: The latest games that were found, the newest first.
    games: tuple[WatchedGame, ...]
