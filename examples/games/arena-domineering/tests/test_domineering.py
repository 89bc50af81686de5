"""Both builds of the rules agree, and the game keeps its contract in each."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from arena_domineering import DomineeringPosition, domineering

import arena

TWINS = [getattr(DomineeringPosition, name) for name in ("legal_moves", "play")]
PYTHON = [getattr(twin, "__wrapped__", twin) for twin in TWINS]


def test_the_twins_answer_as_python_does() -> None:
    rng = random.Random(1)
    for n in range(2, 9):
        for _ in range(20):
            position = domineering(n).start()
            while position.outcome() is None:
                moves = position.legal_moves()
                assert moves == PYTHON[0](position)
                move = rng.choice(moves)
                assert position.play(move) == PYTHON[1](position, move)
                position = position.play(move)
            assert PYTHON[0](position) == ()


def test_an_illegal_move_is_refused() -> None:
    for move in (-1, 3, 15, 2**70):
        with pytest.raises(arena.IllegalMove, match="no domino fits"):
            domineering(4).start().play(0).play(move if move != 3 else 0)


@pytest.mark.parametrize("pure", ["0", "1"])
def test_the_game_keeps_its_contract(pure: str) -> None:
    words = [sys.executable, "-m", "arena", "check", "game", "domineering-4", "--seed", "1"]
    done = subprocess.run(
        words, env={**os.environ, "ARENA_PURE": pure}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_first_side_wins_on_four_by_four() -> None:
    """Berlekamp, "Blockbusting and domineering" (1988): who begins wins on 4 by 4."""
    assert arena.solve("domineering-4").value == "win"


def test_minimax_looks_at_as_many_positions_in_both_builds() -> None:
    words = "fight minimax monkey -n 3 --game domineering-6 --seed 1 --engine calls --format json"
    outputs = [
        subprocess.run(
            [sys.executable, "-m", "arena", *words.split()],
            env={**os.environ, "ARENA_PURE": pure},
            capture_output=True,
            check=True,
        ).stdout
        for pure in "01"
    ]
    assert outputs[0] == outputs[1]
