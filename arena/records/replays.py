"""Hold the record of one game, move by move."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.game import CHANCE, Game, Position
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

    def seen_by(self, seat: int) -> SeenGame:
        """Return the game as a seat knew it. Raises UsageError where everybody sees everything."""
        rules = self.rules
        if rules is None or not rules.start().has_secrets:
            raise UsageError(f"{self.game} hides nothing: every seat sees the whole game")
        position = rules.parse(self.opening) if self.opening else rules.start()
        views = [View(0, *_view(position, seat))]
        for ply, move in enumerate(self.moves, start=1):
            position = position.play(rules.parse_move(move))
            view = View(ply, *_view(position, seat))
            if view.observation != views[-1].observation:
                views.append(view)
        return SeenGame(
            game_id=self.game_id,
            game=self.game,
            game_version=self.game_version,
            players=self.players,
            seat=seat,
            views=tuple(views),
            outcome=self.outcome,
            payoffs=self.payoffs,
        )

    @property
    def move_thoughts(self) -> tuple[MoveThought, ...]:
        """The thoughts of engines on their moves."""
        return move_thoughts(self.thoughts)


@dataclass(frozen=True)
class View(Record):
    """What a seat knew after so many moves, those of chance among them."""

    KEYS = "ply observation"

    ply: int
    #: As text, which ``game.parse_observation`` reads.
    observation: str
    #: The same as a picture. Not in JSON.
    picture: str = field(default="", repr=False)


def _view(position: Position, seat: int) -> tuple[str, str]:
    seen = position.observation(seat)
    return str(seen), seen.picture()


@dataclass(frozen=True)
class SeenGame(Record):
    """One game as one of its seats knew it."""

    SCHEMA = "arena.seen-game/1"
    KEYS = "game_id game game_version players seat views outcome payoffs?"

    #: None for a game that cannot be replayed.
    game_id: str | None
    game: str
    game_version: int
    #: The player that moved first and the one that moved second.
    players: tuple[str, str]
    #: The seat, 0 or 1.
    seat: int
    #: What it knew, each time that this changed.
    views: tuple[View, ...]
    #: ``first``, ``second`` or ``draw``; None while the game goes on.
    outcome: str | None
    #: What each side was paid, in a game with payoffs of its own that is over.
    payoffs: tuple[Fraction, ...] | None = None
