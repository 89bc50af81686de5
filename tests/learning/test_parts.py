"""The four parts, one by one: what each is given and what it makes of it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import Outcome, Side
from arena.games.mnk import MnkPosition, mnk_game
from arena.learning.critic import Example, training_examples, worth
from arena.learning.experiment_generator import GENERATORS
from arena.learning.features import features_of
from arena.learning.generalizer import refine
from arena.learning.hypothesis import Hypothesis, estimate, ignorance
from arena.learning.performance_system import Performer, perform
from arena.player import PlayerInfo
from arena.players import monkey, triples
from arena.proof.distribution import distribution

GAME = mnk_game(3, 3, 3)
FEATURES = features_of(GAME, ("line-mine", "wins-mine", "wins-theirs"))
KNOWING = Hypothesis(FEATURES, ((1.0, 100.0, 10.0, -50.0), (-2.0, 100.0, 5.0, -60.0)))

seeds = st.integers(0, 2**32)


def boards(moves: str) -> list[MnkPosition]:
    """Return the trace of a game from the empty board, with squares from 1."""
    trace = [GAME.start()]
    for move in moves:
        trace.append(trace[-1].play(int(move) - 1))
    return trace


def test_the_performer_moves_to_the_board_of_the_largest_value() -> None:
    for text, moves in (("xx_oo____", [2]), ("x___o_x__", [3]), ("_________", list(range(9)))):
        assert Performer(KNOWING).best_moves(GAME.parse(text)) == moves


@given(seeds)
def test_what_the_performer_chooses_between_is_worth_more_than_all_else(seed: int) -> None:
    rng = random.Random(seed)
    position = GENERATORS["random"](KNOWING, rng)
    me, best = position.to_move, Performer(KNOWING).best_moves(position)
    values = {m: KNOWING.value(position.play(m), me) for m in position.legal_moves()}
    assert best == [m for m in values if values[m] == max(values.values())]
    assert Performer(KNOWING)(position, rng) in best
    info = PlayerInfo("knowing", Performer(KNOWING))
    assert distribution(info, position) == Performer(KNOWING).distribution(position)


def test_chance_decides_between_boards_that_look_alike() -> None:
    rng = random.Random(1)
    counts = Counter(Performer(ignorance(FEATURES))(GAME.start(), rng) for _ in range(900))
    assert set(counts) == set(range(9))
    assert min(counts.values()) > 60


@given(seeds)
def test_a_trace_goes_from_the_problem_to_the_end_one_move_at_a_time(seed: int) -> None:
    rng = random.Random(seed)
    problem = GENERATORS["random"](KNOWING, rng)
    players: Any = (monkey.choose, triples.choose)
    trace = perform(problem, players, (rng, rng))
    assert trace[0] == problem
    assert trace[-1].outcome() is not None
    for before, after in pairwise(trace):
        assert after in map(before.play, before.legal_moves())


def test_the_critic_uses_the_successors_estimate_and_the_value_of_the_end() -> None:
    trace = boards("1259467")
    winner = Outcome.FIRST_WINS
    assert trace[-1].outcome() is winner
    for side in Side:
        values = [trace[ply] for ply in range(1, 8) if (ply - 1) % 2 == side]
        examples = training_examples(trace, side, KNOWING)
        assert [e.features for e in examples] == [FEATURES.vector(b, side) for b in values]
        last = worth(winner, side)
        # A side that won left the last board behind; both it and the one before know the end.
        known = 2 if winner.winner == side else 1
        estimated = [KNOWING.value(b, side) for b in values[1 : len(values) - known + 1]]
        assert [e.value for e in examples] == estimated + [last] * known


@pytest.mark.parametrize(
    ("outcome", "values"),
    [(Outcome.FIRST_WINS, (100, -100)), (Outcome.SECOND_WINS, (-100, 100)), (Outcome.DRAW, (0, 0))],
)
def test_ends_are_worth_what_the_book_says(outcome: Outcome, values: tuple[int, int]) -> None:
    assert tuple(worth(outcome, side) for side in Side) == values


def test_who_makes_no_move_learns_nothing() -> None:
    trace = [GAME.parse("xx_oo____"), GAME.parse("xxxoo____")]
    assert training_examples(trace, Side.SECOND, KNOWING) == []
    assert [e.value for e in training_examples(trace, Side.FIRST, KNOWING)] == [100]


numbers = st.floats(-100, 100)


@given(st.lists(numbers, min_size=3, max_size=3), st.lists(st.integers(-3, 3), min_size=2), numbers)
def test_a_step_is_down_the_gradient_of_the_squared_error(
    weights: list[float], xs: list[int], value: float
) -> None:
    features = (1, *xs[:2])
    after = refine(tuple(weights), [Example(features, value)], rate=1e-3)

    def error(w: list[float]) -> float:
        return (value - estimate(tuple(w), features)) ** 2

    for i, (old, new) in enumerate(zip(weights, after, strict=True)):
        up, down = list(weights), list(weights)
        up[i] += 1e-3
        down[i] -= 1e-3
        gradient = (error(up) - error(down)) / 2e-3
        assert new - old == pytest.approx(-1e-3 * gradient / 2, abs=1e-6)


@pytest.mark.slow
def test_again_and_again_the_rule_arrives_at_the_least_squares() -> None:
    rng = random.Random(5)
    examples = [
        Example((1, rng.randrange(3), rng.randrange(-1, 2)), rng.uniform(-100, 100))
        for _ in range(30)
    ]
    weights: tuple[float, ...] = (0.0, 0.0, 0.0)
    for _ in range(4000):
        weights = refine(weights, examples, rate=0.0005)
    matrix = np.array([e.features for e in examples])
    values = np.array([e.value for e in examples])
    best = np.linalg.lstsq(matrix, values, rcond=None)[0]
    assert weights == pytest.approx(tuple(best), abs=1)


def test_a_weight_changes_only_by_an_error_and_with_its_feature() -> None:
    assert refine((1.0, 2.0), [Example((1, 3), 7.0)], rate=0.1) == (1.0, 2.0)
    assert refine((1.0, 2.0), [Example((1, 0), 7.0)], rate=0.1)[1] == 2.0


def test_the_generators_propose_boards_on_which_a_move_can_be_made() -> None:
    rng = random.Random(3)
    assert GENERATORS["empty"](KNOWING, rng) == GAME.start()
    results = [GENERATORS["random"](KNOWING, rng) for _ in range(2000)]
    assert all(board.outcome() is None for board in results)
    assert all(GAME.parse(str(board)) == board for board in results)
    assert {board.ply for board in results} == set(range(9))
    assert len(set(results)) > 500
