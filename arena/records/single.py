"""Hold what every record of a single game has."""

from __future__ import annotations

from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.entrants import ForfeitedGame
from arena.records.notes import GameNotes, WrittenNotes, written_notes
from arena.seats import best_paid


@dataclass(frozen=True)
class ReplayRecord(GameNotes):
    """One game, finished or as far as it went, as ``arena replay`` reads and writes it."""

    SCHEMA = "arena.replay/1"
    KEYS = (
        "game_id game game_version seed players moves chance? opening! outcome winner forfeit"
        " forfeits? payoffs? *written_notes"
    )

    #: None for a game that cannot be replayed.
    game_id: str | None
    game: str
    game_version: int
    #: None for a game without a run.
    seed: int | None
    #: The players by seat: the first side and the second side.
    players: tuple[str, ...]
    #: In the game's notation.
    moves: tuple[str, ...]
    #: ``first``, ``second`` or ``draw``; ``over`` in a game for more than two; None while it goes
    #: on.
    outcome: str | None
    forfeit: ForfeitedGame | None = None
    #: All forfeits of a game for more than two, in their order.
    forfeits: tuple[ForfeitedGame, ...] = ()
    #: What each side was paid, in a game with payoffs of its own that is over.
    payoffs: tuple[Fraction, ...] | None = None
    #: The text of the position that the game began from; empty for the start.
    opening: str = ""

    @property
    def winner(self) -> str | None:
        """The winner's name, None after a draw and in a game that goes on.

        Of more than two it is the player that was paid more than any other.
        """
        if len(self.players) > 2:
            return best_paid(self.players, self.payoffs)
        sides = {"first": 0, "second": 1}
        return self.players[sides[self.outcome]] if self.outcome in sides else None

    @property
    def written_notes(self) -> WrittenNotes:
        """The notes as JSON has them: by the names of players, and by moves from 1."""
        return written_notes(self, self.players)
