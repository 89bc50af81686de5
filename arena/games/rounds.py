"""The rounds of a prisoner's dilemma, as its players see them.

Players need no more of the game, whose module loads slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from arena.games.view import View

COOPERATE, DEFECT = 0, 1

#: The kind of these games, which their players name.
KIND = "prisoners-dilemma"


class RoundMoves(NamedTuple):
    """The moves of a round."""

    own: int
    theirs: int


def rounds_seen(view: View) -> list[RoundMoves]:
    """Return the rounds that are over, as the seat of the view sees them.

    >>> from arena.games.dilemma import prisoners_dilemma
    >>> rounds_seen(prisoners_dilemma(2).parse("cooperate defect").observation(1))
    [RoundMoves(own=1, theirs=0)]
    """
    game: Any = view.game
    moves, step = [game.parse_move(word) for word in view.events], game.events_of_round
    pairs = zip(moves[step - 2 :: step], moves[step - 1 :: step], strict=False)
    return [RoundMoves(*pair[:: -1 if view.seat else 1]) for pair in pairs]
