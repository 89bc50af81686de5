"""Measure the engine ``table``, its counting sampler, and exact results."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from time import perf_counter

import numpy as np

import arena
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.proof.policy import Policy
from arena.proof.tables import GAMES_AT_ONCE, CompiledTree, compile_tree
from benchmarks.table import Bar, Row, Sign, cost
from benchmarks.timing import PROCESSOR, minima

SEED = 1
LOCKSTEP = Bar(Sign.AT_MOST, 1.5)
COUNTED = Bar(Sign.AT_MOST, 2)
EXACT_SECONDS = 5


def rows(quick: bool) -> list[Row]:
    """Measure millions of games through tables, any number by counting, and exact results."""
    catalogue = load_catalogue()
    pairs, rounds = (50_000, 2) if quick else (5_000_000, 5)
    return [_lockstep(catalogue, pairs, rounds), _counting(2 if quick else 10), _exact(catalogue)]


def _lockstep(catalogue: Catalogue, pairs: int, rounds: int) -> Row:
    game = catalogue.game("tictactoe")
    a, b = (Policy(catalogue.player(name), game) for name in ("tictactoe3", "monkey"))
    trees = [compile_tree(a, b), compile_tree(b, a)]
    engine, bare = minima(
        [partial(_engine, catalogue, pairs), partial(_bare, trees, pairs)], rounds, PROCESSOR
    )
    work = f"`table`, tictactoe3 against monkey, {2 * pairs:,} games: time against"
    return cost(f"{work} a bare NumPy loop over the same tables", engine, bare, LOCKSTEP)


def _engine(catalogue: Catalogue, pairs: int) -> None:
    arena.fight(
        "tictactoe3",
        "monkey",
        n=pairs,
        seed=SEED,
        engine="table",
        executor="serial",
        catalogue=catalogue,
    )


def _bare(trees: list[CompiledTree], pairs: int) -> None:
    """Play, and count results: without pairs, distinct games or separate streams."""
    generator = np.random.Generator(np.random.SFC64(SEED))
    for tree in trees:
        results = np.zeros(4, np.int64)
        for start in range(0, pairs, GAMES_AT_ONCE):
            games = min(GAMES_AT_ONCE, pairs - start)
            nodes = np.zeros(games, np.int32)
            for _ in range(tree.depth):
                drawn = generator.integers(0, 1 << 32, games, np.uint32) * tree.width[nodes].astype(
                    np.uint64
                )
                nodes = tree.slots[tree.base[nodes] + (drawn >> np.uint64(32)).astype(np.int32)]
            results += np.bincount(tree.points[nodes], minlength=4)


def _counting(rounds: int) -> Row:
    many, few = minima(
        [partial(_process, "1000000000"), partial(_process, "1000")],
        rounds,
    )
    work = "whole process, `arena fight tictactoe3 monkey -n 1000000000`: time against `-n 1000`"
    return cost(work, many, few, COUNTED)


def _process(pairs: str) -> None:
    code = "import sys; from arena.main import main; sys.exit(main())"
    argv = ["fight", "tictactoe3", "monkey", "-n", pairs]
    subprocess.run([sys.executable, "-c", code, *argv], check=True, stdout=subprocess.DEVNULL)


def _exact(catalogue: Catalogue) -> Row:
    own = list(catalogue.players_of(arena.get_game("tictactoe")))
    players = [info.name for info in own if info.package == "proving-arena"]
    start = perf_counter()
    arena.exact_tournament(players, catalogue=catalogue)
    seconds = perf_counter() - start
    return Row(
        work=f"all exact pairings of the {len(players)} built-in tictactoe players together",
        measured=f"{seconds:.2f} s",
        bar=f"under {EXACT_SECONDS} s",
        met=seconds < EXACT_SECONDS,
    )
