"""Measure a tournament in rounds, and what a player prints."""

from __future__ import annotations

import random
import tempfile
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import arena
from arena.game import Position
from benchmarks.table import Row, cost
from benchmarks.timing import PROCESSOR, minima

SEED = 1
PLAYERS = ("monkey", "tictactoe1", "tictactoe3", "heuristic", "triples")

QUIET = """
def choose(position, rng):
    return rng.choice(position.legal_moves())
"""
CHATTY = QUIET.replace("    return", "    print('I look at', position)\n    return")


def rows(quick: bool) -> list[Row]:
    """Measure rounds against one pairing after the other, and a chatty player against a quiet."""
    pairs, rounds = (20, 1) if quick else (500, 10)
    return [_rounds(pairs, rounds), _prints(pairs, rounds), _isolated(pairs // 5, rounds)]


def _rounds(pairs: int, rounds: int) -> Row:
    options: dict[str, Any] = {"seed": SEED, "engine": "calls", "executor": "serial"}
    in_rounds = partial(arena.tournament, PLAYERS, pairs, **options)

    def one_by_one() -> None:
        for a, b in combinations(PLAYERS, 2):
            arena.fight(a, b, pairs, **options)

    ours, theirs = minima([in_rounds, one_by_one], rounds, PROCESSOR)
    work = f"{len(PLAYERS)} players, {pairs} pairs per pairing: time of a tournament in rounds"
    return cost(f"{work}, against its fights one after the other", ours, theirs)


def quiet(position: Position, rng: random.Random) -> int:
    """Draw any legal move."""
    return rng.choice(position.legal_moves())


def chatty(position: Position, rng: random.Random) -> int:
    """Say so, and do the same."""
    print("I look at", position)
    return rng.choice(position.legal_moves())


def _prints(pairs: int, rounds: int) -> Row:
    options: dict[str, Any] = {"seed": SEED, "engine": "calls", "executor": "serial"}
    works = [partial(arena.fight, player, "monkey", pairs, **options) for player in (chatty, quiet)]
    ours, theirs = minima(works, rounds, PROCESSOR)
    work = f"{2 * pairs} games: time with a player that prints a line a move"
    return cost(f"{work}, against one that does not", ours, theirs)


def _isolated(pairs: int, rounds: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "chatty.py", Path(folder) / "quiet.py"]
        for file, code in zip(files, (CHATTY, QUIET), strict=True):
            file.write_text(code)
        options: dict[str, Any] = {"seed": SEED, "executor": "serial", "isolation": "process"}
        named = [f"bot={file}" for file in files]  # one name, and so the same games
        works = [partial(arena.fight, player, "monkey", pairs, **options) for player in named]
        ours, theirs = minima(works, rounds)
    work = f"{2 * pairs} games in tier process: time with a file that prints a line a move"
    return cost(f"{work}, against one that does not", ours, theirs)
