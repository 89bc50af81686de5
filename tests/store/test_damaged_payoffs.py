"""A store whose payoffs are damaged is refused on one line by whatever reads its games."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.errors import StoreError


@pytest.mark.parametrize("payoffs", ["1/0 1", "x y", "1", "1e999999999 0"])
def test_payoffs_that_are_none_are_a_damaged_store(tmp_path: Path, payoffs: str) -> None:
    store = tmp_path / "s.db"
    arena.fight("monkey", "monkey2=monkey", 1, game="kuhn", seed=1, store=store)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE games SET payoffs = ?", (payoffs,))
    for read in (arena.export, arena.report, arena.show):
        with pytest.raises(StoreError, match="arena verify"):
            read(store)
