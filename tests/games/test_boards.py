"""Vectorised rules against those of single positions: at every move of random games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import arena
from arena.games.boards import BatchedGame, Boards, PositionBatch
from arena.games.lines import line_game

NAMES = (
    *("tictactoe", "tictactoe-misere", "tictactoe-corners", "mnk-5-4-3", "mnk-8-8-3"),
    *("mnk-9-8-5", "connect4", "connect-3-5-3", "connect-8-7-4", "connect-12-10-4"),
    *("connect-4-4-3-misere", "mnk-1-1-1", "connect-9-2-1"),
)
WINS = {"X": 2, "O": 0}


def game_of(name: str) -> BatchedGame:
    game = arena.get_game(name)
    assert isinstance(game, BatchedGame)
    return game


def assert_same(boards: Boards, positions: list[Any]) -> None:
    """Check everything that boards know against the positions of their own."""
    outcomes = [position.outcome() for position in positions]
    assert [boards[at] for at in range(len(boards))] == positions
    assert boards.to_move.tolist() == [position.to_move for position in positions]
    assert boards.is_over.tolist() == [outcome is not None for outcome in outcomes]
    points = [1 if o is None or o.winner is None else 2 - 2 * o.winner for o in outcomes]
    assert boards.points.tolist() == points
    legal = [np.flatnonzero(row).tolist() for row in boards.legal]
    assert legal == [list(position.legal_moves()) for position in positions]
    for at, position in enumerate(positions):
        letters = "ox" if position.to_move else "xo"
        for planes, letter in zip((boards.mine, boards.theirs), letters, strict=True):
            assert "".join("*" if held else "_" for held in planes[at]) == "".join(
                "*" if mark == letter else "_" for mark in str(position)
            )


@pytest.mark.parametrize("name", NAMES)
def test_boards_follow_the_rules_of_positions(name: str) -> None:
    game, rng = game_of(name), random.Random(name)
    positions: list[Any] = [game.start()] * 12
    boards = Boards.start(game, 12)
    while positions:
        assert_same(boards, positions)
        assert_same(Boards.of(game, positions), positions)
        on = [at for at, position in enumerate(positions) if position.outcome() is None]
        boards, positions = boards.take(np.array(on, np.int64)), [positions[at] for at in on]
        if not positions:
            break
        moves = [rng.choice(position.legal_moves()) for position in positions]
        assert boards.is_legal(np.array(moves)).all()
        boards = boards.play(np.array(moves))
        positions = [p.play(move) for p, move in zip(positions, moves, strict=True)]


def test_a_square_without_a_line_wins_nothing() -> None:
    game = line_game("two", "board 3 1\n1 2")
    boards = Boards.start(game, 1)
    for move in (0, 2, 1):
        boards = boards.play(np.array([move]))
    assert boards.points.tolist() == [2]
    assert boards.is_over.all()


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_no_integer_is_legal_but_the_moves(name: str) -> None:
    game = game_of(name)
    boards = Boards.start(game, 8).play(np.zeros(8, np.int64))
    moves = np.array([-1, 0, 1, 6, 8, 9, 2**62, -(2**63)])
    positions = [boards[at] for at in range(8)]
    known = [p.is_legal(int(m)) for p, m in zip(positions, moves, strict=True)]
    assert boards.is_legal(moves).tolist() == known


def test_a_player_cannot_write_into_its_block() -> None:
    boards = Boards.start(game_of("tictactoe"), 4)
    block = PositionBatch(boards, 1, 3)
    for array in (block.mine, block.theirs, block.legal, block.to_move):
        assert len(array) == 2
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert list(block) == [block[0], block[-1]] == list(block[0:2])
    with pytest.raises(IndexError):
        block[2]
