"""Measure the check of connect four's certificate, and the player that plays its moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import arena
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import PROCESSOR, minima

#: The certificate, in the repository and not in the wheel.
FILE = Path(__file__).parent.parent / "examples" / "certificates" / "connect4.cert"

#: Keys of the array whose sort is the measure.
KEYS = 31_000_000
FOUR = Bar(Sign.AT_MOST, 4)
WORK = "`certify --check` of connect four's certificate: time against np.sort of 31 million uint64"


def rows(quick: bool) -> list[Row]:
    """Measure processor time in this process."""
    if not FILE.exists():
        return [skipped(WORK, f"{FILE.name} is not there: arena solve makes it", FOUR)]
    keys = np.random.default_rng(1).integers(0, 2**49, KEYS, np.uint64)
    works: list[Callable[[], object]] = [
        partial(arena.check_certificate, FILE),
        partial(np.sort, keys),
    ]
    check, sort = minima(works, 1 if quick else 3, PROCESSOR)
    return [cost(WORK, check, sort, FOUR), _move()]


def _move() -> Row:
    """Measure a move of ``certified:FILE`` against 50 microseconds."""
    player, rng = arena.get_player(f"certified:{FILE}").player, random.Random(1)
    game, positions = arena.get_game("connect4"), []
    for _ in range(200):
        position = game.start()
        while position.outcome() is None:
            if position.to_move == 0:
                positions.append(position)
                position = position.play(player(position, rng))
            else:
                position = position.play(rng.choice(position.legal_moves()))
    (seconds,) = minima([lambda: [player(p, rng) for p in positions]], 5, PROCESSOR)
    moves = seconds / len(positions)
    return cost("a move of `certified:FILE` against 50 µs", moves, 50e-6, Bar(Sign.AT_MOST, 1))
