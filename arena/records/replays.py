"""Hold the record of one game, move by move."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.game import CHANCE, Game
from arena.records.base import Record
from arena.records.fights import ForfeitedGame
from arena.records.observers import GameResult
from arena.records.prints import Printed, PrintedText, printed_texts
from arena.records.refereed import Refereed
from arena.records.thoughts import MoveThought, Thoughts, move_thoughts


@dataclass(frozen=True)
class ReplayReport(Record):
    """One game, move by move: replayed from its id, or a human's, or from a file."""

    SCHEMA = GameResult.SCHEMA
    KEYS = GameResult.KEYS

    #: None for a game that cannot be replayed.
    game_id: str | None
    game: str
    game_version: int
    seed: int | None
    #: The player that moved first and the one that moved second.
    players: tuple[str, str]
    #: Moves in the game's notation.
    moves: tuple[str, ...]
    #: The pictures after 0, 1, 2, ... moves.
    pictures: tuple[str, ...]
    #: ``first``, ``second`` or ``draw``; None while the game goes on.
    outcome: str | None
    forfeit: ForfeitedGame | None = None
    #: What each side was paid, in a game with payoffs of its own that is over.
    payoffs: tuple[Fraction, ...] | None = None
    #: Text of the opening; empty for the start.
    opening: str = ""
    #: The player to move in each picture, 0 or 1, or -1 for chance.
    movers: tuple[int, ...] = ()
    #: The prints of the players, by move.
    printed: tuple[Printed, ...] = ()
    #: The moves as people write them, such as ``Nf3`` for ``g1f3``; empty if they are not known.
    written: tuple[str, ...] = ()
    #: The referee's words on a game that it played; None for another game.
    referee: Refereed | None = None
    #: The rules, if they are known.
    rules: Game | None = field(default=None, compare=False, repr=False)
    #: The thoughts of engines on their moves.
    thoughts: Thoughts = ()
    #: ``resign`` or ``draw`` if the scores in these ended it.
    adjudicated: str = ""

    def mover(self, ply: int) -> str:
        """Return the name of the player whose turn it is after this many moves, or ``chance``."""
        side = self.movers[ply]
        return "chance" if side == CHANCE else self.players[side]

    @property
    def winner(self) -> str | None:
        """The name of the player that won, or None for a draw or an unfinished game."""
        return {"first": self.players[0], "second": self.players[1]}.get(self.outcome or "")

    @property
    def printed_texts(self) -> tuple[PrintedText, ...]:
        """The prints of the players, by move."""
        return printed_texts(self.players, self.printed)

    @property
    def move_thoughts(self) -> tuple[MoveThought, ...]:
        """The thoughts of engines on their moves."""
        return move_thoughts(self.thoughts)
