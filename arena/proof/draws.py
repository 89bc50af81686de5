"""Find positions that can only be drawn: no sequence of moves wins."""

from __future__ import annotations

from arena.errors import CannotEnumerate
from arena.game import Position

#: Positions to search before giving up on one.
MAX_DRAW_POSITIONS = 100_000


def is_certain_draw(position: Position, budget: int = MAX_DRAW_POSITIONS) -> bool:
    """Return whether no sequence of legal moves leads from here to a win of either side.

    The answer is exact for any game, where ``position.is_dead_draw()`` may miss some: it searches
    the moves that remain, not only the marks on the board. A drawn game counts too. Raises
    CannotEnumerate if the search needs more positions than the budget.

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
                f"whether {position.game.name} can still be won stays unknown after"
                f" {budget} positions"
            )
        seen.add(position.canonical())
        waiting += [position.play(move) for move in position.legal_moves()]
    return True
