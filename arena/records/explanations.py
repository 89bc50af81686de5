"""The record of one game with what every move was worth."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.replays import ReplayReport


@dataclass(frozen=True)
class ExplainedMove(Record):
    """One move, and what the game was worth to its player, such as ``draw`` or ``win in 3``."""

    KEYS = "player move before after gives_away better"

    player: str
    #: In the game's notation, as the better ones.
    move: str
    #: None where it is not known.
    before: str | None
    after: str | None
    #: ``a win`` or ``a draw``; empty if nothing, None where that is unknown.
    gives_away: str | None
    #: The moves that keep what this one gives away.
    better: tuple[str, ...]
    #: The move and the better ones as people write them; empty where that is not known.
    written: str = ""
    better_written: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation(Record):
    """A game and its moves, each with its value under perfect play."""

    SCHEMA = "arena.explanation/1"
    KEYS = "*game moves budget solver?"

    game: ReplayReport
    #: The moves with their values.
    moves: tuple[ExplainedMove, ...]
    #: The most positions that a search looked at for each move; None where values are exact.
    budget: int | None
    #: The account of a solver that was asked besides, or could be if installed; empty if none.
    solver: str = ""

    @property
    def blunders(self) -> tuple[tuple[int, ExplainedMove], ...]:
        """The moves that give something away, with their numbers from 1."""
        return tuple((n, move) for n, move in enumerate(self.moves, 1) if move.gives_away)
