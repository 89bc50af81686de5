"""Define what the arena and an isolated player say of a block of positions.

The arena draws for the player: it sends the random bits of the positions of the block, of as many
draws as may be needed, and more if they were not enough. So the player learns nothing of the draws
of others.
"""

from __future__ import annotations

import pickle
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import Forfeited
from arena.game import Game, Position
from arena.games.boards import Boards, PositionBatch
from arena.games.planes import block_of
from arena.player.batches import BLOCK, BatchRandom, ChooseBatch, Failure, ask_block
from arena.sandbox.wire import protocol

#: The random bits of one draw: shape (positions,).
Bits = NDArray[np.uint64]

#: The numbers that a move may be: what is not a 64-bit integer cannot be in an array.
_MIN_MOVE, _MAX_MOVE = -(1 << 63), (1 << 63) - 1


class Ready(BatchRandom):
    """A generator of a block whose draws were made elsewhere."""

    __slots__ = ("_bits", "is_dry")

    def __init__(self, bits: Sequence[Bits]) -> None:
        self._bits = iter(bits)
        #: Whether it was asked for more draws than there are.
        self.is_dry = False

    def bits(self) -> Bits:
        """Return the next 64 random bits for each position."""
        try:
            return next(self._bits).copy()
        except StopIteration:
            self.is_dry = True
            raise LookupError("more draws are to be sent") from None


def question(number: int, positions: Sequence[Position], draws: Sequence[Bits]) -> protocol.Message:
    """Ask for the moves at a block of positions, with these draws."""
    game = positions[0].game
    content: dict[str, Any] = {"positions": [str(position) for position in positions]}
    if isinstance(positions, PositionBatch):
        boards = positions.boards
        arrays = (boards.own, boards.other, boards.plies, boards.has_line)
        content = {"arrays": _packed(arrays)}
    header = {"pickled": protocol.pickled(game), "draws": _packed([*draws])}
    return {"type": "block", "id": number, **header, **content}


def _packed(arrays: Sequence[NDArray[Any]]) -> str:
    return b64encode(pickle.dumps(arrays)).decode("ascii")


def _unpacked(text: str) -> Any:
    return pickle.loads(b64decode(text))  # noqa: S301 (the arena's)


def answer(choose_batch: ChooseBatch, message: protocol.Message, game: Game) -> dict[str, Any]:
    """Return a player's answer to such a question: moves, that it needs more draws, or a fault."""
    block: Sequence[Position]
    if "arrays" in message:
        boards = Boards(game, *_unpacked(message["arrays"]))  # type: ignore[arg-type]
        block = PositionBatch(boards, 0, len(boards))
    else:
        block = block_of([game.parse(text) for text in message["positions"]])
    rng = Ready(_unpacked(message["draws"]))
    moves = ask_block(choose_batch, block, rng)
    if rng.is_dry:
        return {"needs_draws": True}
    if isinstance(moves, Failure):
        return {"error": [moves.reason, *moves.fault, moves.frames, moves.barred]}
    return {"moves": moves.tolist()}


def read_moves(answer: protocol.Message) -> list[int] | None:
    """Return the moves of an answer, None if it needs more draws. Raises Forfeited otherwise."""
    if answer.get("needs_draws") is True:
        return None
    moves = answer.get("moves")
    if not (isinstance(moves, list) and len(moves) == BLOCK):
        raise Forfeited("protocol", f"its answer does not have {BLOCK} moves")
    if not all(type(move) is int and _MIN_MOVE <= move <= _MAX_MOVE for move in moves):
        raise Forfeited("protocol", "a move of its answer is not an integer")
    return moves
