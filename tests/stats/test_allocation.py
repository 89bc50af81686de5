"""Play until a question is answered: small simulations; ``benchmarks.coverage until`` is large."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.allocation import GROWTH, MIN_ROUND_PAIRS, FieldQuestion, PairingSample
from benchmarks.coverage.until import Scene, circle, is_wrong, ladder, of_elo, play

MARGIN = 0.1


def answers(scene: Scene, top: int | None, tries: int = 4) -> None:
    """Assert that a few answers are right, and decided."""
    for seed in range(tries):
        result, _ = play(scene, top, np.random.default_rng(seed), margin=MARGIN)
        assert result.is_decided
        assert not is_wrong(result, scene.values, top, MARGIN)


@pytest.mark.slow
@pytest.mark.parametrize("top", [1, 2, None])
@pytest.mark.parametrize(
    "scene",
    [
        Scene("equal", of_elo([0] * 4)),
        Scene("one is better", of_elo([100] + [0] * 4), "wild"),
        Scene("a chain", of_elo([180, 120, 60, 0]), "drawish"),
        Scene("a circle", circle(3, 0.9)),
        Scene("certain winners", ladder(2, 4)),
    ],
    ids=lambda scene: scene.name,
)
def test_answers_are_right(scene: Scene, top: int | None) -> None:
    answers(scene, top)


@pytest.mark.slow
def test_two_good_ones_among_many_are_found_in_a_quarter_of_the_games() -> None:
    scene = Scene("", of_elo([300, 260, *[0] * 22]))
    ours = theirs = 0
    for seed in range(3):
        ours += play(scene, 1, np.random.default_rng(seed))[1]
        theirs += play(scene, 1, np.random.default_rng(seed), adaptive=False)[1]
    assert ours <= theirs / 4


def test_players_without_chance_stay_undecided() -> None:
    scene = Scene("", ladder(4, 4), fixed=4)
    result, pairs = play(scene, 1, np.random.default_rng(1))
    assert not result.is_decided
    assert pairs == 6 * -(-MIN_ROUND_PAIRS // 6)


def test_others_do_not_play_for_ever_where_a_pairing_has_nothing_to_tell() -> None:
    scene = Scene("", of_elo([20, 0, -300]), fixed=2)
    result, pairs = play(scene, 1, np.random.default_rng(1))
    assert not result.is_decided
    assert pairs < 2000


def test_a_cap_ends_it_undecided() -> None:
    question = FieldQuestion(3, 1, 0.02, 0.05, 40)
    while pairings := question.next_round():
        for a, b in pairings:
            question.add(a, b, PairingSample((1,), (0.5,)))
    assert question.played == 40
    assert not question.answer().is_decided


def test_rounds_grow_so_that_there_are_few_of_them() -> None:
    question, rounds = FieldQuestion(2, 1, 0.0, 0.05, 10**6), [0]
    while question.next_round():
        rounds.append(question.played)
    steps = np.diff(rounds)
    assert min(steps[:-1]) >= MIN_ROUND_PAIRS
    assert len(rounds) < 100
    assert all(steps[8:-1] >= np.array(rounds[8:-2]) // GROWTH)


def test_the_best_two_of_two_that_are_left_are_known() -> None:
    question = FieldQuestion(3, 2, 0.02, 0.05, 100)
    question.next_round()
    question.leave(1)
    assert question.next_round() == []
    assert question.answer().groups == ((0, 2), (), ())


def test_nobody_is_asked_for_when_one_is_left() -> None:
    for top in (1, None):
        question = FieldQuestion(2, top, 0.02, 0.05, 100)
        question.next_round()
        question.leave(0)
        assert question.next_round() == []
        assert question.answer().is_decided
        question.leave(1)
        assert question.next_round() == []
