"""Whether a busy machine costs a player games: 40 ms of work a move, of 60 that it may take."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from arena import api
from arena.executors.base import usable_cores
from arena.records.fights import FightResult
from arena.sandbox.settings import Isolation
from benchmarks.table import Row

#: Seconds that the player computes for a move, and that a move may take.
WORK, LIMIT = 0.04, 0.06

#: Makes the lowest move after so much computing. It wins by its fourth move, which is the seventh.
PLAYER = f"""
import time
def choose(position, rng):
    end = time.thread_time() + {WORK}
    while time.thread_time() < end:
        pass
    return position.legal_moves()[0]
"""
MOVES = 7


def rows(quick: bool) -> list[Row]:
    """A fight of that player with itself, twice as many games at once as there are processors."""
    moves = 100 if quick else 1000
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        result = fight(Path(folder), moves)
    return [row(result, moves, time.perf_counter() - begun)]


def fight(folder: Path, moves: int) -> FightResult:
    """So many moves of two such players under load."""
    one, other = (str(folder / name) for name in ("one.py", "other.py"))
    for name in (one, other):
        Path(name).write_text(PLAYER, encoding="utf-8")
    limits, pairs = Isolation(move_time=LIMIT), -(-moves // (2 * MOVES))
    return api.fight(one, other, pairs, seed=1, workers=2 * usable_cores(), isolation=limits)


def row(result: FightResult, moves: int, seconds: float) -> Row:
    """What came of it: nothing, if all is well."""
    made = MOVES * 2 * result.pairs
    forfeits = sum(sum(player.forfeits.values()) for player in result.both)
    work = f"{1000 * WORK:.0f} ms of work a move, limit {1000 * LIMIT:.0f} ms"
    load = f"{2 * usable_cores()} games at once on {usable_cores()} cores"
    measured = f"{forfeits} in {made} moves, {result.void} games void, {seconds:.0f} s"
    met = forfeits == 0 and made >= moves
    return Row(f"{work}, {load}: forfeits", measured, bar="none", met=met)
