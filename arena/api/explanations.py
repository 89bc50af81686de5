"""Explain a game: what every move was worth."""

from __future__ import annotations

from collections.abc import Sequence

from arena.api.common import IsolationLike, open_catalogue
from arena.api.fights import replay
from arena.plugin.catalogue import Catalogue
from arena.proof import explaining
from arena.records.explanations import Explanation

#: Positions that :func:`explain` looks at for each move of a game that it cannot solve.
EXPLAIN_POSITIONS = explaining.BUDGET


def explain(
    game: str,
    *,
    players: Sequence[str] = (),
    max_positions: int = EXPLAIN_POSITIONS,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> Explanation:
    """Play one game of a fight again, as :func:`arena.replay`, and value all its moves.

    A search looks at ``max_positions`` positions for each move of a game that is too large to be
    solved.  What it does not find remains None.

    >>> found = explain("tictactoe/monkey/triples/7/1.1")
    >>> [(number, move.move, move.gives_away, move.better) for number, move in found.blunders]
    [(5, '7', 'a draw', ('2',))]
    """
    catalogue = open_catalogue(catalogue, isolation)
    played = replay(game, players=players, catalogue=catalogue)
    return explaining.explain(catalogue.game(played.game), played, max_positions)
