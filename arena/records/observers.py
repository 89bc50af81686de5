"""Records that observers receive: a run, its progress, and one finished game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from arena.dataclass import dataclass
from arena.records.base import Record, Tally
from arena.records.completions import Completions, MoveCompletion, move_completions
from arena.records.entrants import ForfeitedGame
from arena.records.prints import Printed, PrintedText, printed_texts
from arena.records.refereed import Refereed
from arena.records.thoughts import MoveThought, Thoughts, move_thoughts
from arena.seats import best_paid

if TYPE_CHECKING:
    from arena.records.intervals import ScoreInterval
    from arena.records.sequential import Hypotheses, SprtLook


@dataclass(frozen=True)
class PlannedFight(Record):
    """One fight that a run will play."""

    game: str
    players: tuple[str, ...]
    pairs: int
    #: ``calls`` if its games are played one by one, ``table`` if it has no single games.
    engine: str


@dataclass(frozen=True)
class Run(Record):
    """A run that begins: one call of a function that plays games."""

    SCHEMA = "arena.run/1"
    KEYS = "command schedule seed sprt until fights"

    #: ``fight``, ``round robin``, ``gauntlet`` or ``regression``.
    schedule: str
    #: None if a regression takes the seeds of its baseline.
    seed: int | None
    #: The fights in the order of the schedule. Empty for a regression, which plans them later.
    fights: tuple[PlannedFight, ...] = ()
    #: The hypotheses of the sequential test that ends the fight, if there is one.
    sprt: Hypotheses | None = None
    #: The question that ends the run when it is answered, such as ``±2%``; empty without one.
    until: str = ""
    #: The command that the user typed, such as ``fight``; empty if a Python program runs it.
    command: str = ""
    #: The options of that command by their names in ``argparse``; empty without a command.
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GameResult(Record):
    """One finished game. Its JSON is a file that ``arena replay`` reads."""

    SCHEMA = "arena.replay/1"
    KEYS = (
        "game_id game game_version seed players moves chance? opening! outcome winner forfeit"
        " forfeits? payoffs? printed=printed_texts? referee? adjudicated? thoughts=move_thoughts?"
        " completions=move_completions?"
    )

    game_id: str
    game: str
    game_version: int
    seed: int
    #: The players by seat: the first side and the second side.
    players: tuple[str, ...]
    #: In the game's notation.
    moves: tuple[str, ...]
    #: ``first``, ``second`` or ``draw``; ``over`` in a game for more than two.
    outcome: str
    forfeit: ForfeitedGame | None
    #: The text of the position that the game began from; empty for the start.
    opening: str
    #: The place of its fight in the schedule, from 0; its pair in the fight, from 1.
    fight: int
    pair: int
    #: What each side was paid, in a game with payoffs of its own.
    payoffs: tuple[Fraction, ...] | None = None
    #: All forfeits of a game for more than two, in their order.
    forfeits: tuple[ForfeitedGame, ...] = ()
    #: The prints of the players, by move.
    printed: tuple[Printed, ...] = ()
    #: The referee's words on a game that it played; None for another game.
    referee: Refereed | None = None
    #: The thoughts of engines on their moves.
    thoughts: Thoughts = ()
    #: ``resign`` or ``draw`` if the scores in these ended it.
    adjudicated: str = ""
    #: What language models were asked for their moves.
    completions: Completions = ()
    #: The places, from 1, of the moves that are chance's.
    chance: tuple[int, ...] = ()
    #: Seconds of the game, and of the moves of the sides that have a clock.
    seconds: float = field(default=0.0, compare=False)
    move_seconds: tuple[tuple[float | None, ...], ...] = field(default=((), ()), compare=False)
    #: The seconds since 1970 at its end, if the seconds of a side are measured.
    ended: float | None = field(default=None, compare=False)

    @property
    def winner(self) -> str | None:
        """The winner's name, None after a draw.

        Of more than two it is the player that was paid more than any other.
        """
        if len(self.players) > 2:
            return best_paid(self.players, self.payoffs)
        sides = {"first": 0, "second": 1}
        return self.players[sides[self.outcome]] if self.outcome in sides else None

    @property
    def printed_texts(self) -> tuple[PrintedText, ...]:
        """The prints of the players, by move."""
        return printed_texts(self.players, self.printed)

    @property
    def move_thoughts(self) -> tuple[MoveThought, ...]:
        """The thoughts of engines on their moves."""
        return move_thoughts(self.thoughts)

    @property
    def move_completions(self) -> tuple[MoveCompletion, ...]:
        """The requests to language models for their moves, and the answers."""
        return move_completions(self.players, self.completions)


@dataclass(frozen=True)
class Progress(Record):
    """The state of a run at some moment, for displays."""

    #: Games that are finished, void ones included, and the most games that the run plays.
    done: int
    total: int
    #: The results so far, from the view of every fight's player A.
    tally: Tally
    #: Player A of a fight, or the player of a tournament with the best score or payoff so far;
    #: empty in a regression and before the first result.
    leader: str = ""
    #: The results so far of the leader.
    leader_tally: Tally = field(default_factory=Tally)
    #: The fight with the newest result; None before the first and in a regression.
    playing: tuple[str, str] | None = None
    #: The leader's score of a single fight with an interval that may be watched; None elsewhere,
    #: and before the first result.
    interval: ScoreInterval | None = None
    #: The state of a fight's sequential test; None without one.
    look: SprtLook | None = None
    #: The results so far of each fight of a tournament that has any, with its players A and B; none
    #: in a game with payoffs of its own.
    scores: tuple[tuple[str, str, Tally], ...] = ()
    #: The mean payoffs per game so far of the players of a game for more than two, or of a
    #: tournament at a game with payoffs of its own, the best first.
    payoffs: tuple[tuple[str, float], ...] = ()
