"""``arena browse`` and what comes after it, at games for more than two."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from tests import schemas

if TYPE_CHECKING:
    from tests.conftest import Run

#: It fails in its second turn.
CLUMSY = """
def choose(position, rng):
    if position.ply > 2:
        return 99
    return position.legal_moves()[0]
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store with a run at a table, where a player makes illegal moves."""
    monkeypatch.chdir(tmp_path)
    Path("clumsy.py").write_text(CLUMSY)
    players = ["./clumsy.py", "monkey", "a=monkey"]
    options: Any = {"game": "mnk-3-3-3-x3", "seed": 1, "store": "S", "isolation": "none"}
    arena.table_fight(players, n=3, **options)
    return tmp_path / "S"


def games(run: Run, store: Path, *options: str) -> list[dict[str, Any]]:
    ran = run("browse", "--store", str(store), *options, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    browsed = json.loads(ran.out)
    assert schemas.problems(browsed) == []
    rows: list[dict[str, Any]] = browsed["games"]
    return rows


@pytest.mark.slow
def test_what_a_player_won_drew_and_lost_are_all_its_games(run: Run, store: Path) -> None:
    every = games(run, store)
    assert len(every) == 9
    for player in ("./clumsy.py", "monkey", "a"):
        parts = [
            games(run, store, "--player", player, f"--{result}")
            for result in ("won", "drawn", "lost")
        ]
        names = [[row["game"] for row in part] for part in parts]
        assert sorted(name for part in names for name in part) == sorted(
            row["game"] for row in every
        )
        assert {row["winner"] for row in parts[0]} <= {player}
        assert {row["winner"] for row in parts[1]} <= {None}
    assert len(parts[2]) < 9
    assert {tuple(row["forfeited"]) for row in every} == {("./clumsy.py",)}


@pytest.mark.slow
def test_the_last_loss_and_forfeit_are_those_of_the_list(run: Run, store: Path) -> None:
    [first, *_] = games(run, store)
    for word in ("last-loss", "last-forfeit"):
        replayed = json.loads(run("replay", word, "--format", "json").out)
        assert replayed["game_id"] == first["game"]
    [lost, *_] = games(run, store, "--player", "monkey", "--lost")
    assert (
        json.loads(run("replay", "last-loss", "--format", "json").out)["game_id"] == (lost["game"])
    )


@pytest.mark.slow
def test_an_export_fits_its_schema(run: Run, store: Path) -> None:
    exported = json.loads(run("export", "--store", str(store), "--format", "json").out)
    assert schemas.problems(exported) == []
    [fight] = exported["runs"][0]["fights"]
    assert {game["forfeits"][0]["reason"] for game in fight["games"]} == {"illegal"}


def test_csv_has_the_games_of_two_and_of_more(run: Run, store: Path) -> None:
    arena.fight("monkey", "triples", 2, seed=1, store=store)
    for runs in ((), ("1", "2"), ("2", "1")):
        ran = run("browse", str(store), *runs, "--format", "csv")
        assert (ran.code, ran.err) == (0, "")
        rows = [*csv.DictReader(ran.out.splitlines())]
        assert len(rows) == 9 + 4
        assert all(bool(row["payoffs"]) is not bool(row["first"]) for row in rows)
