"""Measure the cost of keeping every game, and the length of a regression run."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import arena
from benchmarks import server
from benchmarks.table import Row, cost, speed
from benchmarks.timing import minima

ROOT = Path(__file__).parent.parent
SEED = 1


def rows(quick: bool) -> list[Row]:
    """Measure fights with a store against fights without, its check, and the regression check."""
    pairs, rounds = (200, 1) if quick else (20_000, 5)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "arena.db"
        kept, bare, resumed, checked = minima(
            [
                partial(_fight, pairs, store),
                partial(_fight, pairs),
                partial(arena.resume, store, 1),
                partial(_verify, pairs, Path(folder) / "one.db"),
            ],
            rounds,
        )
    baseline = ROOT / "arena-baseline.json"
    regressed, certified = minima(
        [partial(arena.regress, baseline=baseline), partial(arena.certify, "tictactoe3")],
        1 if quick else 3,
    )
    fight = f"monkey against monkey, {2 * pairs} games"
    return [
        cost(f"{fight}: time with every game in a store, against without", kept, bare),
        speed(f"{fight}: speed of resuming the finished run, against playing", resumed, bare),
        speed(f"{fight}: speed of checking them in the store, against playing", checked, bare),
        cost("arena regress: time against that of one certificate", regressed, certified),
        *server.rows(quick),
    ]


def _fight(pairs: int, store: Path | None = None) -> None:
    arena.fight("monkey", "monkey", n=pairs, seed=SEED, engine="calls", store=store, again=True)


def _verify(pairs: int, store: Path) -> None:
    if not store.exists():
        _fight(pairs, store)
    assert arena.verify(store).divergence is None
