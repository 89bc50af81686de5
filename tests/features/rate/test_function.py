"""``arena.rate`` of what people have: fights, tournaments, saved results, and mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.records.base import Tally
from tests.golden import Wording

PLAYERS = ["monkey", "triples", "tictactoe1"]


@pytest.mark.slow
def test_a_tournament_its_fights_and_its_file_have_its_ratings(tmp_path: Path) -> None:
    tournament = arena.tournament(PLAYERS, n=20, seed=1)
    file = tmp_path / "tournament.json"
    tournament.save(file)
    assert arena.load(file) == tournament
    for results in (tournament, tournament.fights, [*tournament.fights], file, str(file)):
        assert arena.rate(results).players == tournament.ratings.players
    with_prior = arena.rate(tournament, prior=2.0)
    assert with_prior.prior == 2.0


@pytest.mark.slow
def test_a_saved_fight_is_loaded_as_its_record(tmp_path: Path) -> None:
    for fight in (
        arena.fight("monkey", "triples", 10, seed=1),
        arena.fight("monkey", "monkey", 10, game="kuhn", seed=1),
        arena.sprt_fight("heuristic", "monkey", 50, seed=1),
        arena.until_fight("heuristic", "monkey", 50, seed=1, until="better"),
    ):
        file = tmp_path / "fight.json"
        fight.save(file)
        assert arena.load(file) == fight


def mistakes(folder: Path) -> dict[str, Any]:
    arena.fight("monkey", "triples", 1, seed=1, store=str(folder / "games.db"))
    (folder / "semicolons.csv").write_text("a;b;wins;draws;losses\nx;y;1;0;3\n")
    (folder / "broken.json").write_text("{")
    return {
        "store": folder / "games.db",
        "semicolons": folder / "semicolons.csv",
        "broken": folder / "broken.json",
        "tuples": [("a", "b", 1, 0, 2)],
        "nothing": [],
        "both": [arena.Result("a", "b", Tally(1, 0, 0)), arena.fight("monkey", "lines", 1)],
        "paid": arena.fight("monkey", "monkey", 1, game="kuhn"),
    }


@pytest.mark.parametrize(
    "name", ["store", "semicolons", "broken", "tuples", "nothing", "both", "paid"]
)
def test_what_cannot_be_rated_is_said(name: str, tmp_path: Path, wording: Wording) -> None:
    results = mistakes(tmp_path)[name]
    with wording.raises(UsageError):
        arena.rate(results)
