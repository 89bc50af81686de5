"""Measure the engine ``batch``: a small network, and a policy that costs nearly nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import arena
from arena.games.boards import BatchedGame, Boards, PositionBatch
from arena.player import PlayerInfo
from arena.player.batches import BLOCK
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from benchmarks.table import Bar, Row, Sign, cost, speed
from benchmarks.timing import PROCESSOR, minima

SEED = 1
HIDDEN = 64
#: Games that the bare loop plays side by side, as the engine does.
TOGETHER = 4096
LOCKSTEP = Bar(Sign.AT_MOST, 1.5)
TWENTY = Bar(Sign.AT_LEAST, 20)


class Network:
    """Two layers over both sides' marks; a draw decides between what the softmax gives."""

    def __init__(self, squares: int, moves: int) -> None:
        weights = np.random.Generator(np.random.PCG64(SEED))
        self.into = weights.standard_normal((2 * squares, HIDDEN)).astype(np.float32) / 4
        self.out = weights.standard_normal((HIDDEN, moves)).astype(np.float32) / 4

    def choose_batch(self, positions: Any, rng: Any) -> Any:
        """Return a move at each position."""
        seen = np.concatenate([positions.mine, positions.theirs], axis=1, dtype=np.float32)
        scores = np.maximum(seen @ self.into, 0) @ self.out
        upto = np.cumsum(np.exp(scores) * positions.legal, axis=1)
        return (upto > (rng.random() * upto[:, -1])[:, None]).argmax(axis=1)

    def choose(self, position: Any, rng: random.Random) -> int:
        """Return a move at one position, as an author would write it."""
        me = position.to_move
        squares = np.arange(position.game.squares)
        planes = [position.marks(side) >> squares & 1 for side in (me, me.other)]
        scores = np.maximum(np.concatenate(planes, dtype=np.float32) @ self.into, 0) @ self.out
        legal = list(position.legal_moves())
        upto = np.cumsum(np.exp(scores[legal]))
        return int(legal[(upto > rng.random() * upto[-1]).argmax()])


class ByPosition:
    """A network that makes the arrays of a block itself, as at a game without arrays."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.choose = network.choose

    def choose_batch(self, positions: Any, rng: Any) -> Any:
        """Return a move at each position."""
        game = positions[0].game
        planes = np.zeros((2, len(positions), len(game.reading_order)), bool)
        legal = np.zeros((len(positions), game.move_count), bool)
        for row, position in enumerate(positions):
            sides = position.first, position.second
            for plane, side in enumerate(sides[::-1] if position.to_move else sides):
                planes[plane, row] = [side >> bit & 1 for bit in game.reading_order]
            legal[row, position.legal_moves()] = True
        block = SimpleNamespace(mine=planes[0], theirs=planes[1], legal=legal)
        return self._network.choose_batch(block, rng)


class _Generator:
    """One generator for all games, with the methods that these players call."""

    def __init__(self) -> None:
        self._own = np.random.Generator(np.random.Philox(SEED))

    def random(self) -> Any:
        return self._own.random(BLOCK)


def rows(quick: bool) -> list[Row]:
    """Measure games per second of processor time, in this process, against other loops."""
    pairs, rounds = (512, 2) if quick else (16384, 10)
    games, turns = (600, 1) if quick else (10_000, 5)
    large = [_connect4(pairs, rounds), _othello(pairs // 128, rounds)]
    return [*_tictactoe(pairs, rounds), *large, _training(games, turns)]


def _tictactoe(pairs: int, rounds: int) -> list[Row]:
    network = Network(9, 9)
    few = pairs // 64
    engine, bare, calls = minima(
        [
            partial(_engine, "tictactoe", network, pairs, "batch"),
            partial(_bare, "tictactoe", network.choose_batch, 2 * pairs),
            partial(_engine, "tictactoe", network, few, "calls"),
        ],
        rounds,
        PROCESSOR,
    )
    work = f"`batch`, a network of {HIDDEN} units against itself, {2 * pairs} games"
    return [
        cost(f"{work}: time against a bare NumPy loop over it", engine, bare, LOCKSTEP),
        speed(f"{work}: speed against `calls`, by the game", engine / pairs, calls / few, TWENTY),
    ]


def _connect4(pairs: int, rounds: int) -> Row:
    network = Network(42, 7)
    works: list[Callable[[], object]] = [
        partial(_engine, "connect4", network, pairs, "batch"),
        partial(_bare, "connect4", network.choose_batch, 2 * pairs),
    ]
    engine, bare = minima(works, rounds, PROCESSOR)
    work = f"`batch`, the same at connect4, {2 * pairs} games: time against a bare NumPy loop"
    return cost(work, engine, bare, LOCKSTEP)


def _othello(pairs: int, rounds: int) -> Row:
    network = Network(64, 65)
    arrays, positions = minima(
        [
            partial(_engine, "othello", network, pairs, "batch"),
            partial(_engine, "othello", ByPosition(network), pairs, "batch"),
        ],
        rounds,
        PROCESSOR,
    )
    work = f"`batch`, the same at othello, {2 * pairs} games: speed against making its own arrays"
    return speed(work, arrays, positions)


def _training(games: int, rounds: int) -> Row:
    single, at_once = minima(
        [partial(_train, games, 1), partial(_train, games, 256)], rounds, PROCESSOR
    )
    work = f"`arena train lms --games {games}`: speed of `--at-once 256` against one by one"
    return speed(work, at_once, single)


def _train(games: int, at_once: int) -> None:
    arena.train("lms", games=games, seed=SEED, at_once=at_once, catalogue=_catalogue())


@cache
def _catalogue() -> Catalogue:
    return load_catalogue()


def _engine(game: str, network: Network | ByPosition, pairs: int, engine: str) -> None:
    a, b = (
        PlayerInfo(name, network.choose, choose_batch=network.choose_batch) for name in ("a", "b")
    )
    arena.fight(
        a,
        b,
        n=pairs,
        game=game,
        seed=SEED,
        engine=engine,
        executor="serial",
        catalogue=_catalogue(),
    )


def _bare(name: str, choose_batch: Callable[..., Any], games: int) -> None:
    """Play games in lockstep and count results: no names, no seeds, no check of a move."""
    game, rng, results = arena.get_game(name), _Generator(), np.zeros(3, np.int64)
    assert isinstance(game, BatchedGame)
    for start in range(0, games, TOGETHER):
        boards = Boards.start(game, min(TOGETHER, games - start))
        while len(boards):
            size = len(boards)
            rows = np.arange(size + -size % BLOCK) % size
            padded = boards.take(rows)
            moves = np.concatenate(
                [
                    choose_batch(PositionBatch(padded, at, at + BLOCK), rng)
                    for at in range(0, size, BLOCK)
                ]
            )
            boards = boards.play(moves[:size])
            over = boards.is_over
            results += np.bincount(boards.points[over], minlength=3)
            boards = boards.take(np.flatnonzero(~over))
