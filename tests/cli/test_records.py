"""A command prints the record that one function of the API returns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from tests import schemas
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

CASES: dict[str, Callable[[], Any]] = {
    "fight triples monkey -n 4 --seed 3": lambda: arena.fight("triples", "monkey", 4, seed=3),
    "fight triples monkey -n 4 --seed 3 --exact": lambda: arena.checked_fight(
        "triples", "monkey", 4, seed=3
    ),
    "fight triples monkey --sprt --elo1 200 --seed 3 --openings all:1": lambda: arena.sprt_fight(
        "triples", "monkey", elo1=200, seed=3, openings="all:1"
    ),
    "fight triples monkey --until ±20% --seed 3": lambda: arena.until_fight(
        "triples", "monkey", until="±20%", seed=3
    ),
    "fight monkey triples --until better --margin 0.1 --alpha 0.1 --seed 3 -n 30": (
        lambda: arena.until_fight(
            "monkey", "triples", 30, until="better", margin=0.1, alpha=0.1, seed=3
        )
    ),
    "tournament triples monkey tree -n 2 --seed 3 --gauntlet tree": lambda: arena.tournament(
        ["triples", "monkey", "tree"], 2, seed=3, gauntlet="tree"
    ),
    "exact triples monkey --openings all:1": lambda: arena.exact(
        "triples", "monkey", openings="all:1"
    ),
    "exact triples monkey tree": lambda: arena.exact_tournament(["triples", "monkey", "tree"]),
    "certify triples --seed 1 --games 40": lambda: arena.certify("triples", seed=1, games=40),
    "check triples --seed 1 --positions 20": lambda: arena.check("triples", seed=1, positions=20),
    "sprt --counts 0,9,1 --elo0 0 --elo1 5": lambda: arena.sprt([0, 9, 1], elo0=0, elo1=5),
    "move monkey ____x____": lambda: arena.move("monkey", "____x____"),
    "replay tictactoe/triples/monkey/7/3.2": lambda: arena.replay("tictactoe/triples/monkey/7/3.2"),
    "train lms --games 50 --seed 1 --against monkey": lambda: arena.train(
        games=50, seed=1, against="monkey"
    ),
    "regress triples --game tictactoe": lambda: arena.regress(["triples"], game="tictactoe"),
    "games": arena.installed_games,
    "players": arena.installed_players,
    "plugins": arena.installed_plugins,
    "games othello-4": lambda: arena.describe_game("othello-4"),
    "players minimax": lambda: arena.describe_player("minimax"),
    "plugins minimax": lambda: arena.describe_plugin("minimax"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", few(CASES, 5))
def test_a_command_prints_the_record_of_one_function(
    run: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = json.loads(run(*command.split(), "--format", "json").out)
    assert printed == json.loads(json.dumps(CASES[command]().as_json()))
    assert schemas.problems(printed) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", few(["show", "export", "runs", "verify"], 2))
def test_a_command_prints_the_record_of_a_store(run: Run, command: str, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    arena.fight("triples", "monkey", 2, seed=3, store=store)
    where = (store,) if command == "verify" else ("--store", store)
    printed = json.loads(run(command, *where, "--format", "json").out)
    function = {"runs": arena.stored_runs}.get(command) or getattr(arena, command)
    assert printed == json.loads(json.dumps(function(store).as_json()))
    assert schemas.problems(printed) == []
