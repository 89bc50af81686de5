"""Hold the thoughts of engines on the moves that they choose."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.model.codec import decode
from arena.records.base import Record


class Thought(NamedTuple):
    """The score that an engine gives its move, from its own view, and how far it looked."""

    #: Centipawns; None if it says a mate.
    score: int | None = None
    #: Moves to the mate, negative where the engine itself is mated; None if it says a score.
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    #: Seconds that it says it took.
    seconds: float | None = None
    #: The moves that it expects, from its own on, as it writes them.
    pv: str = ""

    def require_sense(self) -> None:
        """Raise UsageError unless it has either a score or a mate, and no negative number."""
        if (self.score is None) == (self.mate is None):
            raise UsageError("a thought has either a score or a mate")
        if any(number is not None and number < 0 for number in self[2:5]):
            raise UsageError("a thought has a negative number")

    @property
    def value(self) -> float:
        """Centipawns. A mate is infinitely many.

        >>> Thought(score=13).value, Thought(mate=-2).value
        (13, -inf)
        """
        if self.score is not None:
            return self.score
        return inf if self.mate is not None and self.mate > 0 else -inf

    @property
    def short(self) -> str:
        """Pawns, or M and the plies to the mate, and the depth.

        >>> Thought(score=13, depth=12).short, Thought(mate=3, depth=9).short
        ('+0.13/12', '+M5/9')
        """
        if self.score is not None:
            score = f"{self.score / 100:+.2f}"
        else:
            mate = self.mate or 0
            score = f"+M{2 * mate - 1}" if mate > 0 else f"-M{-2 * mate}"
        return score if self.depth is None else f"{score}/{self.depth}"

    def __str__(self) -> str:
        """Return it as cutechess and fastchess write it next to a move in PGN.

        >>> str(Thought(score=13, depth=12, seconds=0.05))
        '+0.13/12 0.05s'
        """
        return self.short if self.seconds is None else f"{self.short} {round(self.seconds, 3):g}s"


#: The thoughts on the moves of a game, each with the number of moves before it, in their order.
Thoughts = tuple[tuple[int, Thought], ...]


@dataclass(frozen=True)
class MoveThought(Record):
    """The thought of an engine on a move, as JSON has it."""

    KEYS = "move score mate depth nodes seconds pv?"

    #: The number of the move, from 1.
    move: int
    #: Centipawns from the engine's own view; None if it says a mate.
    score: int | None
    #: Moves to the mate, negative where the engine is mated; None if it says a score.
    mate: int | None
    depth: int | None
    nodes: int | None
    #: The seconds that the engine names.
    seconds: float | None
    #: The moves that the engine expects, from its own on, as it writes them.
    pv: str = ""

    @property
    def thought(self) -> Thought:
        """The thought alone."""
        return Thought(self.score, self.mate, self.depth, self.nodes, self.seconds, self.pv)


def move_thoughts(thoughts: Iterable[tuple[int, Thought]]) -> tuple[MoveThought, ...]:
    """Return thoughts as JSON has them."""
    return tuple(MoveThought(ply + 1, *thought) for ply, thought in thoughts)


def thoughts_from(entries: Any) -> Thoughts:
    """Return the thoughts that JSON has. Raises UsageError for other JSON."""
    return thoughts_by_ply(decode(tuple[MoveThought, ...], entries))


def thoughts_by_ply(entries: Iterable[MoveThought]) -> Thoughts:
    """Return thoughts by the plies before them. Raises UsageError if they make no sense."""
    thoughts = tuple((each.move - 1, each.thought) for each in entries)
    require_thoughts(thoughts)
    return thoughts


def require_thoughts(thoughts: Thoughts) -> None:
    """Raise UsageError unless the thoughts make sense, each on a later move than the one before."""
    plies = [ply for ply, _ in thoughts]
    if any(ply < 0 for ply in plies) or plies != sorted(set(plies)):
        raise UsageError(f"{plies[:9]} are not the plies of thoughts")
    for _, thought in thoughts:
        thought.require_sense()
