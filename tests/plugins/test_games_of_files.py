"""Players of certificates and strategies know the games of plugins in files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

PLUGIN = """
import arena
from arena.games.kuhn import Kuhn
from arena.plugin import MnkGame

LINES = [(0, 5, 7), (1, 3, 8), (2, 3, 7), (1, 5, 6)]

class Mine(Kuhn):
    name = "mine"

    def __reduce__(self):
        return Mine, ()

@arena.hookimpl
def arena_register_games(register):
    register("knight", lambda: MnkGame("knight", 3, 3, LINES), summary="a knight's move apart")
    register("mine", Mine, summary="cards of one's own")
"""

PLAYERS = [
    ("knight", ["solve", "knight", "--certificate", "moves"], "certified:moves"),
    pytest.param(
        *("mine", ["solve", "mine", "--certificate", "moves"], "solved:moves"),
        marks=pytest.mark.needs("highspy"),
    ),
    (
        "mine",
        ["certify", "monkey", "--game", "mine", "--output", "moves"],
        "best-response:moves",
    ),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.py").write_text(PLUGIN)


@pytest.mark.parametrize(("game", "words", "player"), PLAYERS)
@pytest.mark.parametrize("how", ["--isolate", "--executor=threads"])
def test_a_file_of_a_plugins_game_can_play(
    run: Run, game: str, words: list[str], player: str, how: str
) -> None:
    assert run("-p", "./games.py", *words).code == 0
    fight = ("fight", player, "monkey", "--game", game, "-n", "3", "--seed", "1", how)
    ran = run("-p", "./games.py", *fight, "--format", "json")
    assert ran.code == 0
    record = json.loads(ran.out)
    assert record["games"] == 6
    assert not any(record["forfeits"][player].values())
