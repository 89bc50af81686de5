"""Count the moves off connect four's certificate that the solver values, and the time it takes.

``python -m benchmarks.blunders`` prints the table of docs/certificates.md, after some minutes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import arena
from arena.features.explain.options import SOLVER_POSITIONS
from arena.solver.compiled import INSTALL_NUMBA, is_installed
from arena.solver.values import Solver
from benchmarks.timing import PROCESSOR

FILE = Path(__file__).parent.parent / "examples" / "certificates" / "connect4.cert"

#: The plies of the moves, from 1, all of the side that begins.
PLIES = (1, 3, 5, 9, 15)

#: So many tries find a position of a ply that was not there before, or there is none.
MAX_TRIES = 1000


def main() -> None:
    """Print a row for each ply."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=30, help="moves of each ply")
    parser.add_argument("--positions", type=int, default=SOLVER_POSITIONS, help="for each move")
    arguments = parser.parse_args()
    if not is_installed():
        raise SystemExit(f"the solver of connect four needs numba: {INSTALL_NUMBA}")
    game = arena.get_game("connect4")
    Solver(game, 1000).value(game.start())  # compile
    print("| ply of the move | valued | processor time, median |\n|---|---|---|")
    for ply in PLIES:
        found = [valued(position, arguments.positions) for position in off(ply, arguments.moves)]
        told = sum(value is not None for value, _ in found)
        seconds = median(seconds for _, seconds in found)
        print(f"| {ply} | {told} of {len(found)} | {seconds:.2g} s |", flush=True)


def off(ply: int, number: int) -> Iterator[arena.Position]:
    """Yield different positions after a move of that ply that leaves the certificate."""
    player, rng = arena.get_player(f"certified:{FILE}").player, random.Random(ply)
    seen: set[arena.Position] = set()
    for _ in range(MAX_TRIES):
        position = arena.get_game("connect4").start()
        while position.ply < ply - 1 and position.outcome() is None:
            moves = position.legal_moves()
            is_ours = position.to_move == 0
            position = position.play(player(position, rng) if is_ours else rng.choice(moves))
        if position.outcome() is not None:
            continue
        others = set(position.legal_moves()) - {player(position, rng)}
        position = position.play(rng.choice(sorted(others)))
        if position.outcome() is None and position not in seen:
            seen.add(position)
            yield position
        if len(seen) == number:
            return


def valued(position: arena.Position, positions: int) -> tuple[int | None, float]:
    """Return the value that the solver finds by itself, and the seconds that it takes."""
    solver, begun = Solver(position.game, positions), PROCESSOR()
    value = solver.value(position)
    return value, PROCESSOR() - begun


if __name__ == "__main__":
    main()
