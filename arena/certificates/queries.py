"""Ask a player for all moves that it may make, at many positions of one ply."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm
from multiprocessing import current_process
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates.index import CertificateIndex, index_of
from arena.certificates.key_rules import BLOCK_POSITIONS, KeyRules
from arena.errors import CannotEnumerate, Forfeited, PlayerFault, quoted
from arena.executors.base import TaskFailed, TaskList, usable_cores
from arena.executors.processes import ProcessExecutor
from arena.model.defaults import HAS_WORKERS
from arena.player import PlayerInfo
from arena.proof.distribution import distributions

MoveWeights = NDArray[np.int32]

#: Returns the squares of all moves that the player may make at each position.
Ask: TypeAlias = "Callable[[Keys], Keys]"

#: Returns how likely each move is at each position, in parts of the row's sum: shape (positions,
#: moves).
Weigh: TypeAlias = "Callable[[Keys], MoveWeights]"

#: Positions of a task where a player is asked for one after the other.
A_TASK = 256

#: The largest common denominator of the probabilities at a position.
MAX_PARTS = 2**31 - 1


def query_method(player: PlayerInfo) -> str:
    """Return how :func:`asker` asks a player, in words."""
    if index_of(player) is not None:
        return "by its certificate"
    if player.shows_batches:
        return "by its choose_batch"
    if player.choose_batch is not None:
        return "by its choose_batch where it leaves nothing to chance"
    return "by its own declaration" if player.distribution is not None else "move by move"


def asker(player: PlayerInfo, rules: KeyRules) -> Ask:
    """Return a query of a player that keeps no state, in as many processes as there are processors.

    An isolated player has processes of its own. Raises CannotEnumerate where its moves cannot be
    found.
    """
    weigh, size = _way(player, rules)
    ask = partial(_spread, player, partial(_squares, player, rules, weigh), size)
    index = index_of(player)
    return ask if index is None else partial(_by_certificate, index, ask)


def _by_certificate(index: CertificateIndex, otherwise: Ask, keys: Keys) -> Keys:
    """Ask a certificate, and the player where that says nothing."""
    squares = index.squares(keys)
    rest = squares == 0
    if rest.any():
        squares[rest] = otherwise(keys[rest])
    return squares


def weigher(player: PlayerInfo, rules: KeyRules) -> Weigh:
    """Return a query in the same way that says how likely the moves of a player are."""
    weigh, size = _way(player, rules)
    return partial(_spread, player, partial(_legal, player, rules, weigh), size)


def _way(player: PlayerInfo, rules: KeyRules) -> tuple[Weigh, int]:
    """Return the query of a player in this process, and the number of positions of a task."""
    if player.choose_batch is not None:
        return partial(_by_batch, player, rules), BLOCK_POSITIONS
    return partial(_by_position, player, rules), A_TASK


def _spread(player: PlayerInfo, ask: Callable[[Keys], Any], size: int, keys: Keys) -> Any:
    """Ask about this many positions at a time, in other processes where this one may have some."""
    parts = [keys[start : start + size] for start in range(0, len(keys), size)]
    if player.remote is not None or current_process().daemon or not HAS_WORKERS:
        return np.concatenate(list(map(ask, parts)))
    executor, blocks = ProcessExecutor(min(usable_cores(), len(parts))), {}
    for number, answers in executor.run(
        partial(_numbered, ask, parts), TaskList(range(len(parts)))
    ):
        if isinstance(answers, TaskFailed):
            raise PlayerFault(f"{player.name}: {answers.reason}")
        blocks[number] = answers
    return np.concatenate([blocks[number] for number in range(len(parts))])


def _numbered(work: Callable[[Keys], Any], parts: list[Keys], number: int) -> Any:
    return work(parts[number])


def _squares(player: PlayerInfo, rules: KeyRules, weigh: Weigh, keys: Keys) -> Keys:
    """Return the squares of the moves that have a weight."""
    return _mask_squares(player, rules, keys, weigh(keys) != 0)


def _legal(player: PlayerInfo, rules: KeyRules, weigh: Weigh, keys: Keys) -> MoveWeights:
    """Return the weights. Raises PlayerFault if a move that has one is not legal."""
    weights = weigh(keys)
    _mask_squares(player, rules, keys, weights != 0)
    return weights


def _by_position(player: PlayerInfo, rules: KeyRules, keys: Keys) -> MoveWeights:
    """Ask for one position after the other."""
    weights = np.zeros((len(keys), rules.moves), np.int32)
    positions = [rules.position(key) for key in keys.tolist()]
    each = distributions(player, positions)
    for row, position, chances in zip(weights, positions, each, strict=True):
        whole = lcm(*(chance.denominator for chance in chances.values()))
        if whole > MAX_PARTS:
            reason = f"its probabilities have a common denominator above {MAX_PARTS}"
            raise CannotEnumerate(reason, player.name, str(position))
        row[list(chances)] = [int(chance * whole) for chance in chances.values()]
    return weights


class _ChoiceRecorder:
    """A generator that records what a player lets chance decide: one choice among some moves."""

    def __init__(self, last: bool) -> None:
        self._last = last
        self.allowed: NDArray[np.bool_] | None = None
        self.drawn: NDArray[np.int64] | None = None

    def choice(self, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the first or the last column of each row that is true."""
        if self.allowed is not None:
            raise CannotEnumerate("it draws twice for a move")
        self.allowed = np.array(allowed, bool)
        columns = self.allowed.shape[1]
        if self._last:
            self.drawn = columns - 1 - self.allowed[:, ::-1].argmax(axis=1)
        else:
            self.drawn = self.allowed.argmax(axis=1)
        return self.drawn.copy()

    def __getattr__(self, name: str) -> Any:
        raise CannotEnumerate(f"it draws by rng.{name}, and not by rng.choice")


def _by_batch(player: PlayerInfo, rules: KeyRules, keys: Keys) -> MoveWeights:
    """Ask in blocks as games do, twice: chance takes the first of the moves, and then the last."""
    from arena.games.boards import Boards
    from arena.player.batches import BLOCK as SHOWN
    from arena.player.batches import batch_slice

    weights = []
    for offset in range(0, len(keys), BLOCK_POSITIONS):
        part = keys[offset : offset + BLOCK_POSITIONS]
        padded = np.concatenate([part, np.full(-len(part) % SHOWN, part[0], np.uint64)])
        first, stones = rules.split(padded)
        plies = np.array([int(stones[0]).bit_count()] * len(padded))
        side = int(plies[0]) & 1
        mine, theirs = (first ^ stones, first) if side else (first, first ^ stones)
        has_line = np.zeros(len(padded), bool)
        game: Any = rules.position(int(part[0])).game
        block = Boards(game, mine[None, :], theirs[None, :], plies, has_line)
        masks = [
            _block_weights(
                player, rules, batch_slice(block, start, start + SHOWN), part[start : start + SHOWN]
            )
            for start in range(0, len(padded), SHOWN)
        ]
        weights.append(np.concatenate(masks)[: len(part)])
    return np.concatenate(weights).astype(np.int32)


def _block_weights(
    player: PlayerInfo, rules: KeyRules, block: Any, keys: Keys
) -> NDArray[np.generic]:
    """Return the weights of moves at a block. Ask for each position alone where that is necessary.

    The draws of an isolated player cannot be looked at, but it can be asked without any.
    """
    from arena.player.batches import ChooseElsewhere

    if player.shows_batches:
        return _mask(player, block, rules.moves)
    assert isinstance(player.choose_batch, ChooseElsewhere)
    try:
        answers = [player.choose_batch.certain(block) for _ in range(2)]
    except Forfeited:  # it may fail at one position alone, which is named then
        answers = [None]
    if None in answers:
        return _by_position(player, rules, keys)
    moves = np.array(answers)
    if not np.array_equal(moves[0], moves[1]):
        raise CannotEnumerate(f"{player.name} answers differently when it is asked again")
    return np.asarray(moves[0][:, None] == np.arange(rules.moves))


def _mask(player: PlayerInfo, block: Any, moves: int) -> NDArray[np.bool_]:
    """Return which moves a player may make: bools of shape (positions, moves)."""
    assert player.choose_batch is not None
    answers, recorders = [], []
    for last in (False, True):
        rng = _ChoiceRecorder(last)
        try:
            answers.append(np.asarray(player.choose_batch(block, rng)).astype(np.int64))
        except CannotEnumerate as error:
            raise CannotEnumerate(f"{player.name} cannot be certified: {error}") from error
        recorders.append(rng)
        if rng.drawn is not None and not np.array_equal(rng.drawn, answers[-1]):
            raise CannotEnumerate(f"{player.name} does not play what it draws")
    if recorders[0].allowed is None:
        if not np.array_equal(answers[0], answers[1]):
            raise CannotEnumerate(f"{player.name} answers differently when it is asked again")
        return np.asarray(answers[0][:, None] == np.arange(moves))
    return recorders[0].allowed


def _mask_squares(player: PlayerInfo, rules: KeyRules, keys: Keys, mask: NDArray[np.bool_]) -> Keys:
    """Return the squares of these moves. Raises PlayerFault for one that is not legal."""
    landings = rules.landings(rules.split(keys)[1])
    squares, number = np.zeros_like(keys), np.zeros(len(keys), np.int64)
    for move, part in enumerate(rules.each_move(landings)):
        is_made = mask[:, move] & (part != 0)
        squares[is_made] |= part[is_made]
        number += is_made
    wrong = np.flatnonzero((number != mask.sum(axis=1)) | (number == 0))
    if len(wrong):
        position = quoted(str(rules.position(int(keys[wrong[0]]))))
        raise PlayerFault(f"{player.name} has a move at {position} that is not legal")
    return squares
