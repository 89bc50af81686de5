"""Ask a player for many moves at once: ``choose_batch(positions, rng) -> moves``.

It is always asked in blocks of :data:`BLOCK` positions, of which the last is filled up: libraries
that multiply matrices round otherwise for another size of a block, but not for other company in it.
A draw depends on the name of the fight, the number of the pair, the half, and the number of the
move alone. So a player that looks at one position at a time makes the same move in any company.
"""

from __future__ import annotations

import logging
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.arrays import Ints
from arena.dataclass import dataclass
from arena.errors import Forfeited, GameFault, VoidGame, Withdrawn, is_stop, unavailability
from arena.game import Position
from arena.games.boards import Boards, PositionBatch, has_boards
from arena.games.planes import block_of
from arena.player.faults import Fault, barred, player_frames, raised

logger = logging.getLogger(__name__)

#: How many positions a player is asked about at a time.
BLOCK = 256

#: The errors that an isolated player's choose_batch may raise.
VERDICTS = (Forfeited, GameFault, VoidGame)

#: The name of the function in messages.
FUNCTION_OF_BATCHES = "choose_batch"

#: The function that a player offers.
ChooseBatch = Callable[[Any, "BatchRandom"], Any]


class ChooseElsewhere(ABC):
    """The ``choose_batch`` of a player in another process, which may raise arena's verdicts.

    These are Forfeited, VoidGame and Withdrawn. A player in this process that raises them is
    charged with an exception.
    """

    @abstractmethod
    def __call__(self, positions: Any, rng: BatchRandom, /) -> list[int]:
        """Return its moves at a block of positions."""

    @abstractmethod
    def certain(self, positions: Any, /) -> list[int] | None:
        """Return its moves at a block of positions, or None if it leaves one to chance."""


#: Words that one step of the counter of NumPy's Philox makes.
_WORDS = 4


class Draws:
    """The draws for one move of consecutive games, each by the number of its game.

    ``name`` is the fight, the half, and the number of the move. The games have the numbers
    ``start`` to ``stop`` - 1.
    """

    def __init__(self, name: str, start: int, stop: int) -> None:
        self._name, self._start, self._stop = name, start, stop
        self._cache: list[NDArray[np.uint64]] = []

    def get(self, turn: int) -> NDArray[np.uint64]:
        """Return the draw of that turn, counted from 0, for every game: 64 random bits each."""
        while len(self._cache) <= turn:
            self._cache.append(self._draw(len(self._cache)))
        return self._cache[turn]

    def _draw(self, turn: int) -> NDArray[np.uint64]:
        digest = blake2b(f"{self._name}/{turn}".encode(), digest_size=16, person=b"batch").digest()
        counter, skipped = divmod(self._start, _WORDS)
        philox = np.random.Philox(key=int.from_bytes(digest, "little"), counter=counter)
        raw = philox.random_raw(skipped + self._stop - self._start)
        return np.asarray(raw, np.uint64)[skipped:]


class BatchRandom:
    """The generator of a block: every draw is an array with a value for each position."""

    __slots__ = ("_draws", "_rows", "_turn")

    def __init__(self, draws: Draws, rows: Ints) -> None:
        self._draws, self._rows, self._turn = draws, rows, 0

    def bits(self) -> NDArray[np.uint64]:
        """Return 64 random bits for each position: shape (positions,)."""
        bits = self._draws.get(self._turn).take(self._rows)
        self._turn += 1
        return bits

    def random(self) -> NDArray[np.float64]:
        """Return floats in [0, 1) with 53 random bits: shape (positions,)."""
        return np.asarray((self.bits() >> np.uint64(11)) * 2.0**-53, np.float64)

    def integers(self, high: ArrayLike) -> Ints:
        """Return ints from 0 to below ``high``, one bound or one for each: shape (positions,).

        A bound is at most 2**31.
        """
        bound = np.asarray(high).astype(np.uint64)
        scaled = (self.bits() >> np.uint64(32)) * bound >> np.uint64(32)
        return scaled.astype(np.int64)

    def choice(self, allowed: NDArray[np.bool_]) -> Ints:
        """Return a column of each row that is true there, all of them equally likely.

        ``allowed`` has shape (positions, moves), the result (positions,). Raises ValueError if a
        row has nothing to choose from.
        """
        rows, columns = allowed.shape
        number = np.count_nonzero(allowed, axis=1)
        if not number.all():
            raise ValueError("a row has nothing to choose from")
        indices = np.cumsum(number) - number + self.integers(number)
        return np.asarray(np.flatnonzero(allowed)[indices] - columns * np.arange(rows))


class _OneDraw(BatchRandom):
    """A generator of a block that repeats one position: its draws are those of a plain one."""

    __slots__ = ("_plain",)

    def __init__(self, plain: random.Random) -> None:
        self._plain = plain

    def bits(self) -> NDArray[np.uint64]:
        """Return the same 64 random bits for each position."""
        return np.full(BLOCK, self._plain.getrandbits(64), np.uint64)


@dataclass(frozen=True)
class Single:
    """The ``choose(position, rng)`` of a player that only has ``choose_batch``.

    It asks for a block that repeats the position, so it rounds as a batch does.
    """

    choose_batch: ChooseBatch

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Return the move at one position."""
        if has_boards(position.game):  # once, not for each of a block
            one = Boards.of(cast("Any", position.game), [position])
            block: Any = PositionBatch(one.take(np.zeros(BLOCK, np.int64)), 0, BLOCK)
        else:
            block = block_of((position,) * BLOCK)
        return int(np.asarray(self.choose_batch(block, _OneDraw(rng)))[0])


class Batches(Protocol):
    """Some positions of one game of which players are shown blocks. See Boards."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Position: ...

    def take(self, which: Ints, /) -> Self:
        """Return the positions of these numbers, in that order."""


class Failure(NamedTuple):
    """Why a player has no move: the reason of its forfeit, and the fault in words."""

    #: ``illegal`` or ``exception``; of an isolated player also ``timeout``, ``crash`` or
    #: ``protocol``.
    reason: str
    fault: Fault
    #: The traceback of its own frames, for the log.
    frames: str = ""
    #: As :func:`arena.player.faults.barred` has it.
    barred: str = ""


class BatchMoves(NamedTuple):
    """The moves of a player, and its failures by the number of the position."""

    #: Shape (positions,); where there is a failure, the number means nothing.
    moves: Ints
    failures: dict[int, Failure]


def ask(choose_batch: ChooseBatch, positions: Batches, draws: Draws, games: Ints) -> BatchMoves:
    """Ask a player for a move at every position. Legality is for the caller to check.

    ``games`` has the number of each position's game among the draws: shape (positions,). Where a
    block's answer is not one integer for each position, or an exception, every position of it is
    asked alone, in a block that repeats it: so that it fails where it fails alone.
    """
    size = len(positions)
    moves, failures = np.zeros(size, np.int64), dict[int, Failure]()
    rows = np.concatenate([np.arange(size), np.zeros(-size % BLOCK, np.int64)])
    padded, numbers = positions.take(rows), games[rows]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        block = batch_slice(padded, start, start + BLOCK)
        answer = ask_block(choose_batch, block, BatchRandom(draws, numbers[start : start + BLOCK]))
        if not isinstance(answer, Failure):
            moves[start:stop] = answer[: stop - start]
            continue
        for index in range(start, stop):
            alone = ask_alone(choose_batch, positions, draws, games, index)
            if isinstance(alone, Failure):
                failures[index] = alone
            else:
                moves[index] = alone
    return BatchMoves(moves, failures)


def ask_alone(
    choose_batch: ChooseBatch, positions: Batches, draws: Draws, games: Ints, index: int
) -> int | Failure:
    """Ask a player for its move at one position, in a block that repeats it."""
    rows = np.full(BLOCK, index)
    block = batch_slice(positions.take(rows), 0, BLOCK)
    answer = ask_block(choose_batch, block, BatchRandom(draws, games[rows]))
    return answer if isinstance(answer, Failure) else int(answer[0])


def batch_slice(positions: Batches, start: int, stop: int) -> Sequence[Position]:
    """Return the positions ``start`` to ``stop`` - 1 as a player sees them."""
    if isinstance(positions, Boards):
        return PositionBatch(positions, start, stop)
    return block_of([positions[index] for index in range(start, stop)])


def ask_block(choose: ChooseBatch, block: Sequence[Position], rng: BatchRandom) -> Ints | Failure:
    """Return the answer to a block as ints, or what is wrong with it as a whole."""
    try:
        answer = np.asarray(choose(block, rng))
        problem = _misfit(answer)
    except BaseException as error:
        if is_stop(error):
            raise
        if isinstance(choose, ChooseElsewhere) and isinstance(error, VERDICTS):
            return _failure(error)
        if (absence := unavailability(error)) is not None:
            raise absence from error
        fault = raised(error)
        logger.info("a player raised %s", fault.message, exc_info=error)
        return Failure("exception", fault, player_frames(error), barred(error))
    return Failure("illegal", Fault(problem)) if problem else answer.astype(np.int64)


def _failure(error: Forfeited | GameFault | VoidGame) -> Failure:
    """Return the failure of a player in another process. Raises the others."""
    if not isinstance(error, Forfeited) or isinstance(error, Withdrawn):
        raise error
    logger.info("a player forfeits (%s): %s", error.reason, error)
    return Failure(error.reason, Fault(str(error), error.where, error.remedy), error.frames)


def _misfit(answer: NDArray[Any]) -> str:
    """Return why an array is not one move for each position of a block. The result is empty if it
    is.
    """
    if answer.shape != (BLOCK,):
        return f"{FUNCTION_OF_BATCHES} returned the shape {answer.shape}, not ({BLOCK},)"
    if answer.dtype.kind not in "iu":
        nan = answer.dtype.kind == "f" and bool(np.isnan(answer).any())
        return f"{FUNCTION_OF_BATCHES} returned {answer.dtype}{' with NaN' * nan}, not ints"
    return ""
