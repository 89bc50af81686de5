"""Positions that can only be drawn any more: nobody wins, whatever is played."""

from __future__ import annotations

from arena.errors import CannotEnumerate
from arena.game import Position

#: Positions that may be looked at to find out about one.
BUDGET = 100_000


def is_certain_draw(position: Position, budget: int = BUDGET) -> bool:
    """Whether no sequence of legal moves leads from here to a win of either side.

    This is exact, of any game, where ``position.is_dead_draw()`` may miss some: it asks what can
    still be played, and not only what stands on the board. A game that is drawn is one, too.
    CannotEnumerate if it takes looking at more positions than the budget.

    >>> from arena.games.mnk import mnk_game
    >>> position = mnk_game(3, 3, 3).parse("_oo/oxx/xxo")
    >>> position.is_dead_draw(), is_certain_draw(position)
    (False, True)
    """
    seen: set[Position] = set()
    waiting = [position]
    while waiting:
        position = waiting.pop()
        outcome = position.outcome()
        if outcome is not None and outcome.winner is not None:
            return False
        if position.is_dead_draw() or position.canonical() in seen:
            continue
        if len(seen) >= budget:
            raise CannotEnumerate(
                f"whether {position.game.name} can still be won is not found by looking at"
                f" {budget} positions"
            )
        seen.add(position.canonical())
        waiting += [position.play(move) for move in position.legal_moves()]
    return True
