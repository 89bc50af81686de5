"""``arena games``: the families, the patterns that players declare, and one game."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase

from tests.conftest import Run


def test_a_pattern_that_a_message_names_is_listed(run: Run) -> None:
    refused = run("fight", "lines", "monkey", "--game", "connect4").err
    listed = run("games").out
    assert "lines-*" in refused
    assert "chess-*" in listed
    assert "lines-*" in listed


def test_a_kind_of_a_game_matches_the_pattern_of_its_player(run: Run) -> None:
    patterns = json.loads(run("games", "--format", "json").out)["patterns"]
    players = next(row["players"] for row in patterns if row["pattern"] == "lines-*")
    (game,) = json.loads(run("games", "mnk-5-4-3", "--format", "json").out)["games"]
    (kind,) = game["kinds"]
    assert fnmatchcase(kind, "lines-*")
    assert set(players) <= set(game["players"])
