"""Measure if a busy machine costs a player games: 40 ms of work per move, of a limit of 60."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import arena
from arena.executors.base import usable_cores
from arena.records.fights import FightResult
from arena.sandbox.settings import Isolation
from benchmarks.table import Row

#: Seconds that the player computes for a move, and that a move may take.
WORK, LIMIT = 0.04, 0.06

#: A player that computes, then makes the lowest move. It wins by its fourth move, the seventh.
PLAYER = f"""
import time
def choose(position, rng):
    end = time.thread_time() + {WORK}
    while time.thread_time() < end:
        pass
    return position.legal_moves()[0]
"""
MOVES = 7

#: The limit of each move, and the same time on a clock for the four moves of a game.
LIMITS = {
    f"limit {1000 * LIMIT:.0f} ms": Isolation(move_time=LIMIT),
    f"clock {4 * LIMIT:g} s a game": Isolation(clock=f"{4 * LIMIT:g}"),
}


def rows(quick: bool) -> list[Row]:
    """Run fights of that player with itself, with twice as many games at once as processors."""
    moves = 100 if quick else 1000
    found = []
    for name, limits in LIMITS.items():
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            result = fight(Path(folder), moves, limits)
        found.append(row(result, moves, time.perf_counter() - begun, name))
    return found


def fight(folder: Path, moves: int, limits: Isolation) -> FightResult:
    """Play this many moves of two such players under load."""
    one, other = (str(folder / name) for name in ("one.py", "other.py"))
    for name in (one, other):
        Path(name).write_text(PLAYER, encoding="utf-8")
    pairs = -(-moves // (2 * MOVES))
    return arena.fight(one, other, pairs, seed=1, workers=2 * usable_cores(), isolation=limits)


def row(result: FightResult, moves: int, seconds: float, limit: str) -> Row:
    """Return the row of a fight; without forfeits all is well."""
    made = MOVES * 2 * result.pairs
    forfeits = sum(sum(player.forfeits.values()) for player in result.both)
    work = f"{1000 * WORK:.0f} ms of work a move, {limit}"
    load = f"{2 * usable_cores()} games at once on {usable_cores()} cores"
    measured = f"{forfeits} in {made} moves, {result.void} games void, {seconds:.0f} s"
    met = forfeits == 0 and made >= moves
    return Row(f"{work}, {load}: forfeits", measured, bar="none", met=met)
