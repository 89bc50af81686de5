"""Built-in players that offer many moves at once: the moves of each position asked alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arena
from arena.games.boards import BatchedGame, Boards, PositionBatch
from arena.learning.boards import best_moves as valued
from arena.player.batches import BLOCK, BatchRandom, Draws
from arena.players import lines, lms


def block(name: str) -> PositionBatch:
    """Return a block of positions in which somebody moves, of random games."""
    game, rng = arena.get_game(name), random.Random(name)
    assert isinstance(game, BatchedGame)
    positions: list[Any] = []
    while len(positions) < BLOCK:
        position = game.start()
        while position.outcome() is None:
            positions.append(position)
            position = position.play(rng.choice(position.legal_moves()))
    return PositionBatch(Boards.of(game, positions[:BLOCK]), 0, BLOCK)


def assert_same(found: Any, positions: PositionBatch, best: Callable[..., Any]) -> None:
    assert [np.flatnonzero(row).tolist() for row in found] == [list(best(p)) for p in positions]


@pytest.mark.parametrize(
    "name", ["tictactoe", "mnk-4-4-3", "mnk-6-5-4", "tictactoe-corners", "mnk-1-1-1", "mnk-2-1-2"]
)
def test_lines_searches_as_for_one_position(name: str) -> None:
    positions = block(name)
    assert_same(lines.best_of(positions), positions, lines.best_moves)


def test_lines_searches_in_parts_and_where_floats_are_too_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    positions = block("tictactoe")
    whole = lines.best_of(positions)
    monkeypatch.setattr(lines, "MAX_ARRAY_BYTES", 5_000)
    assert (lines.best_of(positions) == whole).all()
    moves = []
    for exact in (lines.EXACT, 0):
        monkeypatch.setattr(lines, "EXACT", exact)
        rng = BatchRandom(Draws("name", 0, BLOCK), np.arange(BLOCK))
        moves.append([int(move) for move in lines.choose_batch(positions, rng)])
    assert moves[0] == moves[1]


def test_lms_values_as_for_one_position() -> None:
    positions = block("tictactoe")
    performer = lms.shipped()
    assert_same(valued(performer.hypothesis, positions), positions, performer.best_moves)
