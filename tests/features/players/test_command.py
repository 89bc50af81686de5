"""``arena players``, as its user sees it."""

from __future__ import annotations

import json

from tests.conftest import Run


def test_players_lists_traits_and_where_a_player_comes_from(run: Run) -> None:
    record = json.loads(run("players", "--format", "json").out)
    players = {player["name"]: player for player in record["players"]}
    assert players["triples"]["deterministic"] is True
    assert players["triples"]["claims"] == ["never-loses:tictactoe"]
    assert players["monkey"]["distribution"] == "proving-arena"
    claims = {
        name for name, player in players.items() if "never-loses:tictactoe" in player["claims"]
    }
    assert claims >= {"tictactoe3", "triples", "minimax"}
    assert claims & {"monkey", "tictactoe1", "tictactoe2", "heuristic"} == set()
