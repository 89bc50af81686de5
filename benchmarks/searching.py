"""Measure the search against alpha-beta alone, and minimax's time for a move."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import arena
from arena.game import Position
from arena.games.search import Search
from arena.players import minimax
from benchmarks.table import Row, speed
from benchmarks.timing import WALL, minima

#: Games with the plies to play at random, and the plies to search then.
RACES = (("mnk-5-5-4", 6, 5), ("connect4", 8, 7))
SEED = 1

#: Limit of a move in seconds, even when other programs use the cores.
MOVE_SECONDS = 1.0


def rows(quick: bool) -> list[Row]:
    """Return two rows per game."""
    number, rounds = (1, 1) if quick else (6, 2)
    found = []
    for name, plies, depth in RACES:
        positions = _positions(name, plies, number)
        ours, theirs = minima(
            [partial(_searched, positions, depth), partial(_alone, positions, depth)], rounds
        )
        work = f"search: {depth} plies of {name}, against alpha-beta without tables and bounds"
        found.append(speed(work, ours, theirs))
        found.append(_slowest_move(name, 1 if quick else 4))
    return found


def _positions(name: str, plies: int, number: int) -> list[Position]:
    rng, game = random.Random(SEED), arena.get_game(name)
    found: list[Position] = []
    while len(found) < number:
        position = game.start()
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def _searched(positions: Sequence[Position], depth: int) -> None:
    for position in positions:
        search = Search()
        for plies in range(1, depth + 1):
            search.best_moves(position, plies)


def _alone(positions: Sequence[Position], depth: int) -> None:
    for position in positions:
        _alpha_beta(position, depth, -1000, 1000)


def _alpha_beta(position: Position, depth: int, alpha: int, beta: int) -> int:
    outcome = position.outcome()
    if outcome is not None:
        left = position.game.max_plies - position.ply
        return 0 if outcome.winner is None else -left - 1
    if not depth:
        return 0
    for move in position.legal_moves():
        alpha = max(alpha, -_alpha_beta(position.play(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def _slowest_move(name: str, games: int) -> Row:
    seconds = max(move for seed in range(games) for move in _times(name, seed))
    return Row(
        work=f"minimax: its slowest move in {games} games against a monkey at {name}",
        measured=f"{1000 * seconds:.0f} ms",
        bar=f"under {MOVE_SECONDS:g} s",
        met=seconds < MOVE_SECONDS,
    )


def _times(name: str, seed: int) -> Iterator[float]:
    """Yield the seconds of every move of a game against a monkey."""
    rng, position = random.Random(seed), arena.get_game(name).start()
    while position.outcome() is None:
        start = WALL()
        move = minimax.choose(position, rng)
        yield WALL() - start
        position = position.play(move)
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
