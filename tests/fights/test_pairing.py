"""The ids of games."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.fights.pairing import GameId
from tests.golden import Wording


@pytest.mark.parametrize("half", [1, 2])
def test_game_ids_round_trip(half: int) -> None:
    game_id = f"tictactoe-4/.%2Fbot%20a.py%3Ax/minimax/{2**62}/123.{half}"
    named = GameId.parse(game_id)
    players = "./bot a.py:x", "minimax"
    assert named == GameId("tictactoe-4", players, 2**62, "calls", 123, half - 1)
    assert GameId.parse(game_id.replace("/123", "/table/123")).engine == "table"


@pytest.mark.parametrize(
    "text",
    ["", "x", "a/b/c/d", "g/a/b/1/2", "g/a/b/1/2.3", "g/a/b/x/2.1", "g/a/b/1/0.1", "g/a/b/1/²."],
)
def test_what_is_no_game_id_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        GameId.parse(text)
