"""Train by many games at once: all of them are played by the same weights, in lockstep.

The weights change after such a batch of games, example by example as in ``training.py``, and the
training values are those of the weights that played.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Ints
from arena.errors import PlayerFault, UsageError
from arena.game import Side
from arena.games.boards import Boards
from arena.learning.boards import best_moves, table_of
from arena.learning.critic import Example
from arena.learning.features import Features
from arena.learning.generalizer import refine
from arena.learning.hypothesis import Hypothesis, diverged, ignorance
from arena.player import PlayerInfo
from arena.player.batches import BatchRandom, Draws, ask
from arena.records.training import Course

#: How many random beginnings are drawn for a game; the last is the empty board, for if all the
#: others are over.
BEGINNINGS = 12

#: V of a finished game, by the points of the player that moved first: for the first side and for
#: the second.
_WORTH = ((-100.0, 0.0, 100.0), (100.0, 0.0, -100.0))


class _Afterstates(NamedTuple):
    """The boards that movers left behind by one move each: arrays of shape (games,)."""

    games: Ints
    sides: Ints
    #: Their numbers in the table of features, as the mover sees them.
    numbers: Ints
    is_over: NDArray[np.bool_]


def lessons_at_once(
    course: Course, features: Features, opponent: PlayerInfo | None
) -> Iterator[Hypothesis]:
    """Yield the hypothesis before the first game and after every game of the course.

    It changes with the last game of each batch. Raises UsageError for an opponent that does not
    offer ``choose_batch``, and when the weights diverge. Raises PlayerFault for an opponent that
    fails.
    """
    if opponent is not None and opponent.choose_batch is None:
        raise UsageError(f"{opponent.name} does not offer choose_batch: leave --at-once out")
    hypothesis = ignorance(features)
    yield hypothesis
    for start in range(0, course.games, course.at_once):
        stop = min(start + course.at_once, course.games)
        played, points = _play(course, hypothesis, opponent, start, stop)
        learned = _learn(course, hypothesis, opponent is None, start, played, points)
        if diverged(learned):
            raise UsageError(
                f"the weights diverge in the games {start + 1} to {stop}: a rate of {course.rate}"
                " is too large for these features"
            )
        yield from repeat(hypothesis, stop - start - 1)
        hypothesis = learned
        yield hypothesis


def _play(
    course: Course, hypothesis: Hypothesis, opponent: PlayerInfo | None, start: int, stop: int
) -> tuple[list[_Afterstates], NDArray[np.int8]]:
    """Play the games ``start`` to ``stop`` - 1. Return what was left behind, and the points."""
    game = hypothesis.features.game
    name = f"train/{game.name}/{course.seed}"
    boards, games = _begin(course, hypothesis, name, start, stop), np.arange(stop - start)
    table = table_of(hypothesis.features)
    played, points = [], np.ones(stop - start, np.int8)
    for step in range(game.max_plies):
        draws = Draws(f"{name}/{step}", start, stop)
        moves = BatchRandom(draws, games).choice(best_moves(hypothesis, boards))
        if opponent is not None:
            theirs = np.flatnonzero((start + games) % 2 != boards.to_move)
            moves[theirs] = _answers(opponent, boards.take(theirs), draws, games[theirs])
        numbers = table.numbers(boards.mine, boards.theirs) + table.powers[moves]
        after = boards.play(moves)
        played.append(_Afterstates(games, boards.to_move, numbers, after.is_over))
        points[games] = after.points
        on = np.flatnonzero(~after.is_over)
        boards, games = after.take(on), games[on]
        if not len(games):
            break
    return played, points


def _begin(course: Course, hypothesis: Hypothesis, name: str, start: int, stop: int) -> Boards:
    """Return where the games begin: after any number of random moves that leaves one to make."""
    game, number = hypothesis.features.game, stop - start
    if course.start == "empty":
        return Boards.start(game, number)
    rows = np.arange(number * BEGINNINGS)

    def rng(what: str) -> BatchRandom:
        ends = start * BEGINNINGS, stop * BEGINNINGS
        return BatchRandom(Draws(f"{name}/start/{what}", *ends), rows)

    plies_left = rng("plies").integers(game.max_plies)
    plies_left[BEGINNINGS - 1 :: BEGINNINGS] = 0
    boards = Boards.start(game, len(rows))
    ready: list[tuple[Ints, Boards]] = []
    for ply in range(game.max_plies):
        done = np.flatnonzero((plies_left == 0) & ~boards.is_over)
        ready.append((rows[done], boards.take(done)))
        on = np.flatnonzero((plies_left > 0) & ~boards.is_over)
        boards, rows, plies_left = boards.take(on), rows[on], plies_left[on] - 1
        if not len(rows):
            break
        boards = boards.play(rng(str(ply)).choice(boards.legal))
    return _first_of_each(ready, number)


def _first_of_each(ready: list[tuple[Ints, Boards]], number: int) -> Boards:
    """Return the first of the beginnings of each game that came about."""
    rows = np.concatenate([numbers for numbers, _ in ready])
    every = Boards.joined([boards for _, boards in ready])
    order = np.argsort(rows)
    _, first = np.unique(rows[order] // BEGINNINGS, return_index=True)
    assert len(first) == number
    return every.take(order[first])


def _answers(opponent: PlayerInfo, boards: Boards, draws: Draws, games: Ints) -> Ints:
    """Return the opponent's moves. Raises PlayerFault if it fails."""
    assert opponent.choose_batch is not None
    answers = ask(opponent.choose_batch, boards, draws, games) if len(boards) else None
    if answers is None:
        return games
    for index, failure in answers.failures.items():
        raise PlayerFault(f"{opponent.name}: {failure.fault.message} at {boards[index]}")
    for index in np.flatnonzero(~boards.is_legal(answers.moves)).tolist():
        raise PlayerFault(
            f"{opponent.name}: {answers.moves[index]} is not legal at {boards[index]}"
        )
    return answers.moves


def _learn(
    course: Course,
    hypothesis: Hypothesis,
    learns_both: bool,
    start: int,
    played: list[_Afterstates],
    points: NDArray[np.int8],
) -> Hypothesis:
    """Return the hypothesis after the examples of all games, one game after the other."""
    table, both = table_of(hypothesis.features), np.array(hypothesis.weights).T
    boards_left: list[tuple[list[tuple[int, float | None]], ...]] = [([], []) for _ in points]
    for games, sides, numbers, is_over in played:
        values = table.values(numbers, both[:, sides])
        rows = zip(
            *(own_values.tolist() for own_values in (games, sides, numbers, is_over, values)),
            strict=True,
        )
        for game, side, number, over, value in rows:
            boards_left[game][side].append((number, None if over else value))
    weights = list(hypothesis.weights)
    for game, (sides_left, result) in enumerate(zip(boards_left, points.tolist(), strict=True)):
        for side in Side if learns_both else (Side((start + game) % 2),):
            own_values, worth = sides_left[side], _WORTH[side][result]
            successors = [value for _, value in own_values[1:] if value is not None]
            successors += [worth] * (len(own_values) - len(successors))
            examples = [
                Example(table.vector(number), value)
                for (number, _), value in zip(own_values, successors, strict=True)
            ]
            weights[side] = refine(weights[side], examples, course.rate)
    return Hypothesis(hypothesis.features, (weights[0], weights[1]))
