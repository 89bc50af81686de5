"""Find the value of a game with luck or secrets, and the strategies that prove it."""

from __future__ import annotations

import os
from typing import Unpack

from arena.certificates.strategies import StrategyHead, write_strategies
from arena.errors import UsageError, quoted
from arena.features.solve.options import GameValueOptions
from arena.files import check_target, real_path
from arena.inputs.resolve import GameLike, get_ruled_game
from arena.proof.limit import Limit
from arena.proof.program import program
from arena.records.equilibria import GameValue
from arena.signatures import complete, takes

#: The histories of a game that is solved by default: they take a gigabyte.
MAX_WALKED_HISTORIES = 1_500_000


@takes(GameValueOptions)
def game_value(game: GameLike, **options: Unpack[GameValueOptions]) -> GameValue:
    """Return what a game for two with a constant sum pays its first seat under perfect play.

    The value is exact where a strategy of each seat proves it, else the two prove a bracket.
    ``certificate`` names a file for them. A game with secrets needs HiGHS, of the extra ``solve``.
    Raises UsageError for a game without a constant sum, and Undecided for one that is too large:
    before it begins, where an estimate shows that, or after ``max_positions`` or ``max_seconds``.

    >>> game_value("kuhn").value
    Fraction(-1, 18)
    """
    from arena.trees.effort import require_few
    from arena.trees.solution import require_solvable, solve

    options = complete(game_value, options)
    rules = get_ruled_game(game, options["catalogue"])
    if not rules.features:
        raise UsageError(f"game {quoted(rules.name)} has neither luck nor secrets: arena.solve")
    require_solvable(rules)
    certificate = options["certificate"]
    target = None if certificate is None else real_path(os.fspath(certificate), "certificate")
    if target is not None:
        check_target(target)
    limit = Limit(options["max_positions"] or MAX_WALKED_HISTORIES, options["max_seconds"])
    require_few(rules, limit, f"the solution of {rules.name}")
    solved = solve(rules, limit)
    if target is not None:
        source = f"arena solve {rules.name}"
        head = StrategyHead(
            rules.name, rules.version, source, program(), low=solved.low, high=solved.high
        )
        write_strategies(target, rules, head, solved.strategies)
    first, second = solved.strategies
    return GameValue(
        game=rules.name,
        game_version=rules.version,
        unit=rules.payoffs.unit,
        low=solved.low,
        high=solved.high,
        histories=solved.histories,
        sets=(len(first), len(second)),
        method=solved.method,
        certificate=None if target is None else str(certificate),
    )
