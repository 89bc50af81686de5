"""Explain a game: what every move was worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from arena.features.explain.options import ExplainOptions
from arena.features.replay.function import replay
from arena.inputs.resolve import get_plain_game, open_catalogue
from arena.proof import explaining
from arena.records.explanations import Explanation
from arena.signatures import complete, takes


@takes(ExplainOptions)
def explain(game: str, **options: Unpack[ExplainOptions]) -> Explanation:
    """Play one game of a fight again, as :func:`arena.replay`, and value all its moves.

    With a ``store`` it is the game as it was played, and no player is asked.
    A search looks at ``max_positions`` positions for each move of a game that is too large to be
    solved. A value that it does not find remains None. A ``certificate`` of format 2 tells what
    it proves. At four in a row, and with numba, the solver of :func:`arena.solve` then looks at
    ``solver_positions`` positions for each move whose worth nothing else tells.

    >>> explanation = explain("tictactoe/monkey/triples/7/1.1")
    >>> [(number, move.move, move.gives_away, move.better) for number, move in explanation.blunders]
    [(5, '7', 'a draw', ('2',))]
    """
    options = complete(explain, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    players, store = options["players"], options["store"]
    played = replay(game, players=players, store=store, catalogue=catalogue)
    rules = get_plain_game(played.game, "arena explain", catalogue)
    file, most = options["certificate"], options["max_positions"]
    if file is None:
        return explaining.explain(rules, played, most)
    from arena.features.certify.certificates import certified
    from arena.solver.values import Solver

    solver = Solver(rules, options["solver_positions"])
    proved = certified(file, rules, catalogue).value
    explanation = explaining.explain(rules, played, most, proved, solver.value)
    return (
        explanation if explanation.budget is None else replace(explanation, solver=solver.account)
    )
