"""Hold the record of one game, move by move."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.game import CHANCE, Game, Position
from arena.records.base import Record
from arena.records.single import ReplayRecord
from arena.seats import Departure, line_of


@dataclass(frozen=True)
class ReplayReport(ReplayRecord):
    """One game, move by move: replayed from its id, or a human's, or from a file."""

    #: The pictures after 0, 1, 2, ... moves.
    pictures: tuple[str, ...] = field(kw_only=True)
    #: The seat to move in each picture, from 0, or -1 for chance.
    movers: tuple[int, ...] = field(default=(), kw_only=True)
    #: The moves as people write them, such as ``Nf3`` for ``g1f3``; empty if they are not known.
    written: tuple[str, ...] = field(default=(), kw_only=True)
    #: The rules, if they are known.
    rules: Game | None = field(default=None, compare=False, repr=False, kw_only=True)

    def mover(self, ply: int) -> str:
        """Return the name of the player whose turn it is after this many moves, or ``chance``."""
        side = self.movers[ply]
        return "chance" if side == CHANCE else self.players[side]

    @property
    def chance(self) -> tuple[int, ...]:
        """The places, from 1, of the moves that are chance's."""
        movers = self.movers[: len(self.moves)]
        return tuple(place for place, side in enumerate(movers, start=1) if side == CHANCE)

    @property
    def departures(self) -> list[Departure]:
        """The seats that left a game for more than two, each after so many moves."""
        return [
            (each.ply, self.players.index(each.player))
            for each in self.forfeits
            if each.ply is not None
        ]

    def seen_by(self, seat: int) -> SeenGame:
        """Return the game as a seat knew it.

        Raises UsageError for a seat that the game lacks, and where all seats see everything.
        """
        rules = self.rules
        if not 0 <= seat < len(self.players):
            raise UsageError(
                f"{self.game} has {len(self.players)} seats: there is no seat {seat + 1}"
            )
        if rules is None or not rules.start().has_secrets:
            raise UsageError(f"{self.game} hides nothing: every seat sees the whole game")
        begin = rules.parse(self.opening) if self.opening else rules.start()
        moves = map(rules.parse_move, self.moves)
        views: list[View] = []
        for ply, position in enumerate(line_of(begin, moves, self.departures)):
            view = View(ply, *_view(position, seat))
            if not views or view.observation != views[-1].observation:
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


@dataclass(frozen=True)
class View(Record):
    """The knowledge of a seat after this many moves, those of chance among them."""

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
    #: The players by seat: the one that moved first and the one that moved second.
    players: tuple[str, ...]
    #: The seat, from 0.
    seat: int
    #: What it knew, each time that this changed.
    views: tuple[View, ...]
    #: ``first``, ``second`` or ``draw``; None while the game goes on.
    outcome: str | None
    #: What each side was paid, in a game with payoffs of its own that is over.
    payoffs: tuple[Fraction, ...] | None = None
