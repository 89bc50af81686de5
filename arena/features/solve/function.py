"""Solve games: the value of a position, and a certificate of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from arena.errors import UsageError
from arena.features.solve.options import SolveOptions
from arena.features.solve.record import SolveReport
from arena.files import check_target, real_path
from arena.game import Game, Position, Side
from arena.games.contract import parsed
from arena.inputs.resolve import GameLike, get_plain_game
from arena.records.theorems import ProvedClaim
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.solver.solution import Solution

_VALUES = {1: "win", 0: "draw", -1: "loss"}


@takes(SolveOptions)
def solve(
    game: GameLike,
    position: str | Position | None = None,
    **options: Unpack[SolveOptions],
) -> SolveReport:
    """Return the value of a position of a game, by default of its start, for the side to move.

    ``certificate`` names a file that is to prove it, in format 2, and ``checkpoint`` a folder that
    keeps a long search, which goes on from there. Without ``plies`` it leaves out how long the
    game lasts, which can take longer than the value. Raises Undecided for a game that is too large:
    before it begins, where an estimate shows that, or after ``max_positions`` or ``max_seconds``.

    >>> solution = solve("mnk-4-3-3")
    >>> solution.value, solution.plies, solution.move
    ('win', 7, '2')
    """
    from arena.solver.checkpoint import SearchCheckpoint
    from arena.solver.solution import solve as solved

    options = complete(solve, options)
    certificate, checkpoint = options["certificate"], options["checkpoint"]
    most = options["max_positions"]
    start = _start(get_plain_game(game, "arena solve", options["catalogue"]), position)
    target = None if certificate is None else real_path(os.fspath(certificate), "certificate")
    if target is not None:
        check_target(target)
    saved = None if checkpoint is None else SearchCheckpoint(checkpoint, start)
    solution = solved(start, most, saved, options["plies"], options["max_seconds"])
    claims = () if target is None else _write(target, start, solution, most)
    move = _move(start, solution)
    return SolveReport(
        game=start.game.name,
        game_version=start.game.version,
        position=str(start),
        to_move=("first", "second")[start.to_move],
        value=_VALUES[solution.value],
        plies=solution.plies,
        move=None if move is None else start.game.format_move(move),
        written="" if move is None else start.write_move(move),
        method=solution.method,
        positions=solution.positions,
        certificate=None if target is None else str(certificate),
        claims=claims,
        account=solution.account,
    )


def _start(game: Game, position: str | Position | None) -> Position:
    if position is None:
        return game.start()
    if isinstance(position, str):
        return parsed(game, position)
    if position.game != game:
        raise UsageError(f"the position is one of {position.game.name}, not of {game.name}")
    return position


def _write(
    target: Path, start: Position, solution: Solution, most: int | None
) -> tuple[ProvedClaim, ...]:
    """Write the certificate, and return what it proves."""
    from arena.certificates.head import DRAW, Claim
    from arena.certificates.writing import write_by_position, write_certificate
    from arena.model.defaults import MAX_POSITIONS

    me = start.to_move
    claims = DRAW if not solution.value else (Claim(me if solution.value > 0 else me.other, True),)
    source = f"arena solve {start.game.name}"
    if solution.strategy is not None:
        strategies = {c: solution.strategy(c.side if c.wins else c.side.other) for c in claims}
        sizes = write_certificate(target, start, strategies, source)
    else:
        assert solution.move is not None
        moves = dict.fromkeys(claims, solution.move)
        sizes = write_by_position(target, start, moves, source, most=most or MAX_POSITIONS)
    return tuple(ProvedClaim(str(c), size.positions, size.recorded) for c, size in sizes.items())


def _move(start: Position, solution: Solution) -> int | None:
    """Return a move that keeps the value, or None where the side to move has lost."""
    if solution.value < 0:
        return None
    if solution.strategy is None:
        assert solution.move is not None
        return solution.move(start)
    import numpy as np

    from arena.solver.arrays import arrays_of

    rules = arrays_of(start.game)
    assert rules is not None
    attacker = start.to_move if solution.value else Side(1 - start.to_move)
    keys = np.array([rules.key(start)], np.uint64)
    return int(solution.strategy(attacker)(start.ply, keys)[0])
