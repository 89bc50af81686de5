"""The CSV of a report: the rows that each of its results has by itself."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arena

if TYPE_CHECKING:
    from tests.conftest import Run


def rows_of(run: Run, *arguments: str) -> list[dict[str, str]]:
    ran = run(*arguments, "--format", "csv")
    assert (ran.code, ran.err) == (0, "")
    return [*csv.DictReader(ran.out.splitlines())]


def test_every_kind_of_result_has_its_rows(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    seeded: Any = {"seed": 1, "store": store}
    arena.fight("monkey", "triples", 2, **seeded)
    arena.fight("cfr", "monkey", 2, game="kuhn", **seeded)
    arena.tournament(["monkey", "triples", "heuristic"], n=1, **seeded)
    arena.table_tournament(["monkey", "a=monkey", "b=monkey"], 1, game="mnk-3-3-3-x3", **seeded)
    rows = rows_of(run, "report", str(store))
    assert [row["from"] for row in rows] == ["run 1", "run 2", *["run 3"] * 3, *["run 4"] * 3]
    for number in range(1, 5):
        own = rows_of(run, "show", str(store), str(number))
        shown = [row for row in own if row.pop("a_moves", "total") == "total"]
        reported = [row for row in rows if row["from"] == f"run {number}"]
        assert shown == [{key: row[key] for key in shown[0]} for row in reported]
    assert rows[1]["payoff"] != ""
    assert {row["player"] for row in rows[5:]} == {"monkey", "a", "b"}


def test_columns_are_those_that_have_a_value(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    players = ["monkey", "a=monkey", "b=monkey"]
    arena.table_tournament(players, 1, game="mnk-3-3-3-x3", seed=1, store=store)
    row, *_ = rows_of(run, "report", str(store))
    assert [*row][:3] == ["from", "rank", "player"]
    assert "a" not in row
