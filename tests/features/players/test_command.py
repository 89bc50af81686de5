"""``arena players``, as its user sees it."""

from __future__ import annotations

import json

from tests.conftest import Run
from tests.golden import Wording


def test_players_lists_traits_and_where_a_player_comes_from(run: Run) -> None:
    record = json.loads(run("players", "--format", "json").out)
    forms = {each["name"]: each["form"] for each in record["protocols"]}
    assert forms["uci"] == "uci:COMMAND"
    assert forms["llm"] == "llm,model=NAME:URL"
    players = {player["name"]: player for player in record["players"]}
    assert players["triples"]["deterministic"] is True
    assert players["triples"]["claims"] == ["never-loses:tictactoe"]
    assert players["monkey"]["distribution"] == "proving-arena"
    claims = {
        name for name, player in players.items() if "never-loses:tictactoe" in player["claims"]
    }
    assert claims >= {"tictactoe3", "triples", "minimax"}
    assert claims & {"monkey", "tictactoe1", "tictactoe2", "heuristic"} == set()


def test_a_protocol_alone_names_no_player(run: Run, wording: Wording) -> None:
    for name in ("llm", "llm,model=x", "uci"):
        ran = run("fight", name, "monkey")
        assert ran.code == 2
        wording(ran.err)
