"""Players that are asked for many moves at once: blocks, draws, and answers that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arena
from arena.games.boards import BatchedGame, Boards
from arena.player.batches import BLOCK, BatchRandom, Draws, ask
from tests.golden import Wording


def empty(number: int) -> Boards:
    game = arena.get_game("tictactoe")
    assert isinstance(game, BatchedGame)
    return Boards.start(game, number)


def asked(choose_batch: Callable[..., Any], number: int) -> Any:
    return ask(choose_batch, empty(number), Draws("name", 1, 1 + number), np.arange(number))


@pytest.mark.parametrize(("start", "stop"), [(1, 2), (4, 5), (3, 11), (250, 300)])
def test_draws_go_by_the_number_of_the_game(start: int, stop: int) -> None:
    every = Draws("name", 1, 400)
    some = Draws("name", start, stop)
    for turn in (1, 0):
        assert (some.get(turn) == every.get(turn)[start - 1 : stop - 1]).all()
    assert (every.get(0) != every.get(1)).all()
    assert (every.get(0) != Draws("another", 1, 400).get(0)).all()


def test_a_choice_is_fair_and_only_of_what_is_allowed(wording: Wording) -> None:
    rng = BatchRandom(Draws("name", 0, 6000), np.arange(6000))
    allowed = np.tile([False, True, True, False, True], (6000, 1))
    counts = np.bincount(rng.choice(allowed), minlength=5)
    assert counts[[0, 3]].tolist() == [0, 0]
    assert abs(counts[[1, 2, 4]] - 2000).max() < 180  # five standard deviations
    drawn = rng.random()
    assert abs(drawn.mean() - 0.5) < 0.02
    assert 0 <= drawn.min() < drawn.max() < 1
    assert sorted({*rng.integers(3).tolist()}) == [0, 1, 2]
    with wording.raises(ValueError):
        rng.choice(np.zeros((6000, 2), bool))


@pytest.mark.parametrize("number", [1, BLOCK - 1, BLOCK, BLOCK + 1, 600])
def test_blocks_are_always_full(number: int) -> None:
    sizes = []

    def choose_batch(positions: Any, rng: BatchRandom) -> Any:
        sizes.append((len(positions), len(rng.random()), len(positions.mine)))
        return positions.to_move + 3

    answers = asked(choose_batch, number)
    assert answers.moves.tolist() == [3] * number
    assert set(sizes) == {(BLOCK, BLOCK, BLOCK)}
    assert len(sizes) == -(-number // BLOCK)


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: np.zeros(255, int),
        lambda _: np.zeros((BLOCK, 1), int),
        lambda _: None,
        lambda _: np.full(BLOCK, np.nan),
        lambda _: np.ones(BLOCK),
        lambda _: [True] * BLOCK,
        lambda _: ["1"] * BLOCK,
        lambda positions: positions.hidden,
    ],
)
def test_a_wrong_answer_is_told_in_one_line(answer: Callable[..., Any], wording: Wording) -> None:
    answers = asked(lambda positions, rng: answer(positions), 2)
    assert sorted(answers.failures) == [0, 1]
    for failure in answers.failures.values():
        wording(failure.fault.message)
        assert "\n" not in failure.fault.message


def test_only_who_fails_alone_fails() -> None:
    rejected: list[int] = []

    def choose_batch(positions: Any, rng: BatchRandom) -> Any:
        drawn = rng.integers(1000)
        rejected[:] = rejected or [int(drawn[5])]
        if (drawn == rejected[0]).any():
            raise ValueError("that one")
        return drawn % 9

    answers = asked(choose_batch, 300)
    drawn = BatchRandom(Draws("name", 1, 301), np.arange(300)).integers(1000)
    assert [*answers.failures] == np.flatnonzero(drawn == drawn[5]).tolist()
    fine = drawn != drawn[5]
    assert (answers.moves[fine] == drawn[fine] % 9).all()
    assert {failure.reason for failure in answers.failures.values()} == {"exception"}


def test_an_interrupt_is_not_a_fault() -> None:
    def choose_batch(positions: Any, rng: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(choose_batch, 3)
