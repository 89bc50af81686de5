"""End games before their rules do, as :class:`arena.records.adjudication.Adjudication` says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arena.game import WIN_FOR, Outcome, Position, Side
from arena.records.adjudication import Adjudication
from arena.records.thoughts import Thought

#: The thoughts of a side on its moves, by the ply of the position.
ByPly = Mapping[int, Thought]


class Ending(NamedTuple):
    """The end of a game that goes on by its rules."""

    outcome: Outcome
    #: ``resign`` or ``draw`` by scores; empty if the game can only be drawn.
    adjudicated: str = ""


_DEAD = Ending(Outcome.DRAW)


class Judge:
    """Ends one game, by an adjudication that is not empty.

    It sees every move with what the side that made it said.
    """

    def __init__(self, adjudication: Adjudication, thoughts: tuple[ByPly, ByPly]) -> None:
        self._rules, self._thoughts = adjudication, thoughts
        self._is_by_scores = (adjudication.resign or adjudication.draw) is not None
        self._scores: tuple[list[float | None], ...] = ([], [])

    def after(self, side: Side, position: Position) -> Ending | None:
        """Return how the game ends where a side has moved to, None if it goes on."""
        if not self._is_by_scores:  # every ply of a fast game comes here
            return _DEAD if position.is_dead_draw() else None
        self.see(side, position.ply - 1)
        return self.ending(position)

    def see(self, side: Side, ply: int) -> None:
        """Take the score of the move that a side made at that ply. It may have said none."""
        thought = self._thoughts[side].get(ply)
        self._scores[side].append(None if thought is None else thought.value)

    def ending(self, position: Position) -> Ending | None:
        """Return how the game ends at this position, None if it goes on."""
        if self._rules.draws and position.is_dead_draw():
            return _DEAD
        for side in Side:
            if self._resigns(side):
                return Ending(WIN_FOR[side.other], "resign")
        return Ending(Outcome.DRAW, "draw") if self._is_level(position.ply) else None

    def _resigns(self, side: Side) -> bool:
        """Return whether a side says that it is lost, and the opponent nothing else."""
        rule = self._rules.resign
        if rule is None:
            return False
        scores, opponent_scores = (self._scores[seat][-rule.moves :] for seat in (side, side.other))
        is_lost = all(score is not None and score <= -rule.score for score in scores)
        agrees = all(score is None or score >= rule.score for score in opponent_scores)
        return len(scores) == rule.moves and is_lost and agrees

    def _is_level(self, ply: int) -> bool:
        """Return whether both sides say that the game is level."""
        rule = self._rules.draw
        if rule is None or ply < 2 * rule.begin:
            return False
        last = [score for scores in self._scores for score in scores[-rule.moves :]]
        return len(last) == 2 * rule.moves and all(
            score is not None and abs(score) <= rule.score for score in last
        )
