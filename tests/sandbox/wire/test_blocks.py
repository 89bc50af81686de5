"""Questions of a block of positions, and their answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from arena.errors import Forfeited
from arena.games.boards import Boards, PositionBatch
from arena.games.mnk import mnk_game
from arena.player.batches import BLOCK, BatchRandom
from arena.sandbox.wire import blocks
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)
DRAWS = [np.arange(BLOCK, dtype=np.uint64) << np.uint64(32 + turn) for turn in range(2)]


def sequence() -> Sequence[Any]:
    """Return a block of one position after different moves each."""
    return [GAME.start().play(index % 9) for index in range(BLOCK)]


def batch() -> PositionBatch:
    """Return the same block as arrays."""
    boards = Boards.start(GAME, BLOCK).play(np.arange(BLOCK) % 9)
    return PositionBatch(boards, 0, BLOCK)


def told(positions: Sequence[Any], draws: Sequence[Any] = DRAWS) -> dict[str, Any]:
    """Return a question as the player's process reads it."""
    message = blocks.question(5, positions, draws)
    assert (message["type"], message["id"]) == ("block", 5)
    read: dict[str, Any] = json.loads(json.dumps(message))
    return read


@pytest.mark.parametrize("positions", [sequence(), batch()], ids=["sequence", "arrays"])
def test_a_player_sees_the_positions_and_the_draws_that_were_sent(positions: Sequence[Any]) -> None:
    seen: list[Any] = []

    def choose_batch(block: Any, rng: BatchRandom) -> Any:
        seen.extend([[str(position) for position in block], rng.bits(), rng.bits()])
        return [(index + 1) % 9 for index in range(BLOCK)]

    answer = blocks.answer(choose_batch, told(positions), GAME)
    assert answer == {"moves": [(index + 1) % 9 for index in range(BLOCK)]}
    assert seen[0] == [str(position) for position in sequence()]
    assert [bits.tolist() for bits in seen[1:]] == [drawn.tolist() for drawn in DRAWS]


def test_a_player_that_lacks_draws_says_so() -> None:
    def choose_batch(block: Any, rng: BatchRandom) -> Any:
        return max(rng.bits().max() for _ in range(3))

    assert blocks.answer(choose_batch, told(sequence()), GAME) == {"needs_draws": True}
    assert blocks.read_moves({"needs_draws": True}) is None


def test_a_fault_is_told_with_its_reason() -> None:
    def choose_batch(block: Any, rng: BatchRandom) -> Any:
        raise ZeroDivisionError("oh no")

    error = blocks.answer(choose_batch, told(sequence()), GAME)["error"]
    assert error[:2] == ["exception", "ZeroDivisionError: oh no"]


@pytest.mark.parametrize("move", [0, -(2**63), 2**63 - 1])
def test_a_move_is_any_integer_of_64_bits(move: int) -> None:
    assert blocks.read_moves({"moves": [move] * BLOCK}) == [move] * BLOCK


@pytest.mark.parametrize("move", [-(2**63) - 1, 2**63, True, 1.0, "1", None])
def test_another_move_is_a_protocol_forfeit(move: Any, wording: Wording) -> None:
    with wording.raises(Forfeited) as caught:
        blocks.read_moves({"moves": [0] * (BLOCK - 1) + [move]})
    assert caught.value.reason == "protocol"


@pytest.mark.parametrize(
    "answer",
    [{}, {"moves": [0] * (BLOCK - 1)}, {"moves": [0] * (BLOCK + 1)}, {"moves": "0" * BLOCK},
     {"needs_draws": 1}],
)  # fmt: skip
def test_another_number_of_moves_is_a_protocol_forfeit(answer: Any, wording: Wording) -> None:
    with wording.raises(Forfeited, match="256"):
        blocks.read_moves(answer)
