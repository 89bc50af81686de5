"""Hold what engines say of the moves that they choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

from arena.records.base import Json


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

    @classmethod
    def read(cls, entry: Any) -> Thought:
        """Return what a list has. Raises TypeError or ValueError for anything else."""
        found = cls(*entry)
        *whole, seconds = found
        are_whole = all(number is None or type(number) is int for number in whole)
        if not are_whole or type(seconds) not in (int, float, type(None)):
            raise TypeError(f"{entry!r} is not a thought")
        if (found.score is None) == (found.mate is None):
            raise ValueError(f"{entry!r} has neither a score nor a mate, or both")
        if any(number is not None and not 0 <= number < inf for number in found[2:]):
            raise ValueError(f"{entry!r} has a negative number")
        return found

    @property
    def value(self) -> float:
        """Centipawns; a mate is infinitely many.

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
            shown = f"{self.score / 100:+.2f}"
        else:
            mate = self.mate or 0
            shown = f"+M{2 * mate - 1}" if mate > 0 else f"-M{-2 * mate}"
        return shown if self.depth is None else f"{shown}/{self.depth}"

    def __str__(self) -> str:
        """Return it as cutechess and fastchess write it beside a move in PGN.

        >>> str(Thought(score=13, depth=12, seconds=0.05))
        '+0.13/12 0.05s'
        """
        return self.short if self.seconds is None else f"{self.short} {round(self.seconds, 3):g}s"


#: The thoughts on the moves of a game, each with the number of moves before it, in their order.
Thoughts = tuple[tuple[int, Thought], ...]


def thoughts_of(entries: Iterable[Any]) -> Thoughts:
    """Return what lists have. Raises TypeError or ValueError for anything else."""
    found = tuple((ply, Thought.read(own)) for ply, *own in entries)
    plies = [ply for ply, _ in found]
    if any(type(ply) is not int or ply < 0 for ply in plies) or plies != sorted(set(plies)):
        raise ValueError(f"{plies!r} are not plies")
    return found


def thoughts_json(thoughts: Iterable[tuple[int, Thought]]) -> Json:
    """Return the key ``thoughts`` of a game, or nothing.

    Each of its values has the number of the ``move``, from 1, and the fields of a thought.
    """
    found = [{"move": ply + 1, **thought._asdict()} for ply, thought in thoughts]
    return {"thoughts": found} if found else {}


def thoughts_from(entries: Iterable[Mapping[str, Any]]) -> Thoughts:
    """Return what :func:`thoughts_json` gave.

    Raises TypeError, ValueError or LookupError for anything else.
    """
    return thoughts_of([e["move"] - 1, *(e[key] for key in Thought._fields)] for e in entries)
