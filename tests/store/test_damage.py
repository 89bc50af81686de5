"""A store with damaged values is refused on one line by whatever reads them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import StoreError

GAME = """[Event "elsewhere"]
[White "anna"]
[Black "bert"]
[Variant "tictactoe"]
[Result "1-0"]

1. 1 2 2. 4 3 3. 7 {well played} 1-0
"""


@pytest.mark.parametrize("payoffs", ["1/0 1", "x y", "1", "1e999999999 0"])
def test_payoffs_that_are_none_are_a_damaged_store(tmp_path: Path, payoffs: str) -> None:
    store = tmp_path / "s.db"
    arena.fight("monkey", "monkey2=monkey", 1, game="kuhn", seed=1, store=store)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE games SET payoffs = ?", (payoffs,))
    for read in (arena.export, arena.report, arena.show):
        with pytest.raises(StoreError, match="arena verify"):
            read(store)


@pytest.mark.parametrize("payoffs", ["1/0 0 0", "1e999999999 0 0", "1 0 0 0"])
def test_payoffs_of_a_table_that_are_none_are_named(tmp_path: Path, payoffs: str) -> None:
    store = tmp_path / "s.db"
    arena.table_fight(
        ["monkey", "b=monkey", "c=monkey"], 1, game="mnk-3-3-3-x3", seed=1, store=store
    )
    assert arena.verify(store).divergence is None
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE games SET payoffs = ?", (payoffs,))
    assert payoffs.split()[0] in str(arena.verify(store).divergence)
    with pytest.raises(StoreError, match="arena verify"):
        arena.export(store)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with a run and an import."""
    arena.fight("monkey", "triples", 1, seed=1, store=tmp_path / "s.db")
    game = tmp_path / "game.pgn"
    game.write_text(GAME)
    arena.import_games(game, tmp_path / "s.db")
    return tmp_path / "s.db"


@pytest.mark.parametrize(
    "damage",
    [
        "imported SET comments = ''",
        "imported SET game = x'616263'",
        "imported SET moves = x'616263'",
        "fights SET result = '1/0'",
        "fights SET number = 'x'",
        "games SET seconds = '1/0'",
        "games SET forfeit_side = 'x'",
        "runs SET machine = x'616263'",
    ],
)
def test_a_damaged_value_is_named_and_not_copied(store: Path, damage: str) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(f"UPDATE {damage}")
    assert arena.verify(store).divergence is not None
    with pytest.raises(StoreError, match="arena verify"):
        arena.export(store)
    with pytest.raises(StoreError, match="arena verify"):
        arena.copy_store(store, store.parent / "to.db")


def test_a_report_that_is_not_json_is_named(tmp_path: Path) -> None:
    store, baseline = tmp_path / "s.db", tmp_path / "b.json"
    options: Any = {"baseline": baseline, "panel": ["monkey"], "n": 2, "store": store}
    arena.regress(["tictactoe3"], update=True, **options)
    arena.regress(["tictactoe3"], **options)
    assert arena.verify(store).divergence is None
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE regression_runs SET report = 'x'")
    assert "regression_runs" in str(arena.verify(store).divergence)


def test_an_empty_file_stays_empty(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    for read in (arena.export, arena.report, arena.show, arena.verify, arena.browse):
        with pytest.raises(arena.UsageError):
            read(empty)
    assert not empty.stat().st_size
    arena.fight("monkey", "triples", 1, seed=1, store=empty)
    assert arena.verify(empty).games == 2
