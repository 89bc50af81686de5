"""Blocks of positions with arrays: Othello, hex and chess against what their positions say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import arena
from arena.errors import UsageError
from arena.games.chess.fen import letters_of
from arena.games.planes import PositionPlanes, block_of
from arena.plugin import PositionBatch
from tests.golden import Wording

BOARDS = ("othello", "othello-4", "othello-18", "hex-1", "hex-4", "hex-11")
#: Letters of a side's men in the order of their planes.
MEN = ("PNBRQK", "pnbrqk")


def positions_of(name: str, number: int) -> list[Any]:
    """Return positions of random games, one after the other, the ends among them."""
    game, rng = arena.get_game(name), random.Random(name)
    positions: list[Any] = []
    while len(positions) < number:
        position = game.start()
        positions.append(position)
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            positions.append(position)
    return positions[:number]


def assert_moves(block: Any, positions: list[Any]) -> None:
    """Check what all games with arrays have."""
    assert isinstance(block, PositionPlanes)
    assert list(block) == positions
    assert block.game is positions[0].game
    assert block.to_move.tolist() == [position.to_move for position in positions]
    legal = [np.flatnonzero(row).tolist() for row in block.legal]
    assert legal == [list(position.legal_moves()) for position in positions]
    for array in (block.mine, block.theirs, block.legal, block.to_move):
        assert len(array) == len(positions)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("name", BOARDS)
def test_the_squares_of_a_board_are_those_of_its_text(name: str) -> None:
    positions = positions_of(name, 60)
    block: Any = block_of(positions)
    assert_moves(block, positions)
    for at, position in enumerate(positions):
        text = str(position).split()[0]
        letters = "ox" if position.to_move else "xo"
        for planes, letter in zip((block.mine, block.theirs), letters, strict=True):
            assert planes[at].tolist() == [mark == letter for mark in text]


@pytest.mark.parametrize("name", ["chess", "chess960"])
def test_the_men_of_chess_are_those_of_its_board(name: str) -> None:
    positions = positions_of(name, 120)
    block: Any = block_of(positions)
    assert_moves(block, positions)
    for at, position in enumerate(positions):
        board = letters_of(position.men)
        sides = MEN[::-1] if position.to_move else MEN
        for planes, letters in zip((block.mine, block.theirs), sides, strict=True):
            assert planes[at].tolist() == [[man == letter for man in board] for letter in letters]


def test_other_games_have_their_own_block_or_a_tuple(wording: Wording) -> None:
    boards = positions_of("connect4", 5)
    assert isinstance(block_of(iter(boards)), PositionBatch)
    assert list(block_of(boards)) == boards
    heaps = positions_of("nim-3-4-5", 5)
    assert type(block_of(heaps)) is tuple
    with wording.raises(UsageError):
        block_of([])
