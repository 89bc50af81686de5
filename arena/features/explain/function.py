"""Explain a game: what every move was worth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from arena.errors import UsageError
from arena.features.certify.certificates import certified
from arena.features.replay.function import replay
from arena.inputs.options import PlayerOptions
from arena.inputs.resolve import StoreLike, get_ruled_game, open_catalogue
from arena.proof import explaining
from arena.records.explanations import Explanation
from arena.signatures import complete, takes

#: Positions that :func:`explain` looks at for each move of a game that it cannot solve.
EXPLAIN_POSITIONS = explaining.MAX_MOVE_POSITIONS

#: Positions that a solver looks at for the worth of a move: some four seconds.
SOLVER_POSITIONS = 20_000_000


class ExplainOptions(PlayerOptions, total=False):
    """How hard a game is searched, and how its players are found."""

    players: Sequence[str]
    store: StoreLike | None
    max_positions: int
    certificate: str | os.PathLike[str] | None
    solver_positions: int


#: The options of which nothing is said.
_USUAL = {
    "players": (),
    "max_positions": EXPLAIN_POSITIONS,
    "solver_positions": SOLVER_POSITIONS,
}


@takes(ExplainOptions, _USUAL)
def explain(game: str, **options: Unpack[ExplainOptions]) -> Explanation:
    """Play one game of a fight again, as :func:`arena.replay`, and value all its moves.

    With a ``store`` it is the game as it was played, and no player is asked.
    A search looks at ``max_positions`` positions for each move of a game that is too large to be
    solved. A value that it does not find remains None. A ``certificate`` of format 2 tells what
    it proves. At four in a row, and with numba, the solver of :func:`arena.solve` then looks at
    ``solver_positions`` positions for each move whose worth nothing else tells. Raises UsageError
    if one of the two is less than 1.

    >>> explanation = explain("tictactoe/monkey/triples/7/1.1")
    >>> [(number, move.move, move.gives_away, move.better) for number, move in explanation.blunders]
    [(5, '7', 'a draw', ('2',))]
    """
    options = complete(explain, options)
    for name in ("max_positions", "solver_positions"):
        if options[name] < 1:
            raise UsageError(f"{name} must be at least 1, not {options[name]}")
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    players, store = options["players"], options["store"]
    played = replay(game, players=players, store=store, catalogue=catalogue)
    rules = get_ruled_game(played.game, catalogue)
    file, most = options["certificate"], options["max_positions"]
    if file is None:
        return explaining.explain(rules, played, most)
    from arena.solver.values import Solver

    solver = Solver(rules, options["solver_positions"])
    proved = certified(file, rules, catalogue).value
    explanation = explaining.explain(rules, played, most, proved, solver.value)
    return (
        explanation if explanation.budget is None else replace(explanation, solver=solver.account)
    )
