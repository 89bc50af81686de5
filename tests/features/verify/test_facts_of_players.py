"""What a result says of its players beside their games: a store with it holds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import arena


def drawing(position: Any, rng: random.Random) -> int:
    """Return a move that the seed does not decide."""
    moves: tuple[int, ...] = position.legal_moves()
    return random.choice(moves)


def test_a_store_with_a_player_that_remembers_holds(tmp_path: Path) -> None:
    player = arena.PlayerInfo("drawing", drawing)
    result = arena.fight(player, "monkey", 2, seed=1, store=tmp_path / "S", executor="serial")
    assert result.a.remembers
    assert arena.verify(tmp_path / "S").divergence is None
