"""Streams note their draws, and shared generators show whether they were drawn from; samples."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from arena.rng import (
    EXHAUSTED,
    FLOAT,
    READY_BITS,
    SEEDED,
    STATE_READ,
    STATE_SET,
    Draw,
    Stream,
    drawn_generators,
    global_state,
    named_stream,
    shared_generators,
)
from tests.golden import Wording

THIRDS, SHARES = (Fraction(1),) * 3, (Fraction(1), Fraction(2), Fraction(4))

NOTED: dict[str, tuple[Callable[[Stream], object], list[Draw]]] = {
    "a choice": (lambda rng: rng.choice("abc"), [3]),
    "a number below": (lambda rng: rng.randrange(5, 9), [4]),
    "a shuffle": (lambda rng: rng.shuffle([1, 2, 3]), [3, 2]),
    "bits": (lambda rng: rng.getrandbits(5), [-5]),
    "as many bits as a float has": (lambda rng: rng.getrandbits(53), [-53]),
    "a float": (lambda rng: rng.random(), [FLOAT]),
    "a float after bits": (lambda rng: (rng.getrandbits(2), rng.random()), [-2, FLOAT]),
    "choices": (lambda rng: rng.choices("abc", k=2), [THIRDS] * 2),
    "weighted choices": (lambda rng: rng.choices("abc", [1, 2, 4]), [SHARES]),
    "cumulative weights": (lambda rng: rng.choices("abc", cum_weights=[1, 3, 7]), [SHARES]),
    "choices after a float": (lambda rng: (rng.random(), rng.choices("abc")), [FLOAT, THIRDS]),
    "no choices": (lambda rng: rng.choices("abc", k=0), []),
    "a seed": (lambda rng: rng.seed(1), [SEEDED]),
    "its state read": (lambda rng: rng.getstate(), [STATE_READ, EXHAUSTED]),
    "a state": (lambda rng: rng.setstate(random.Random(1).getstate()), [STATE_SET]),
    "too many bits": (lambda rng: rng.getrandbits(READY_BITS + 1), [EXHAUSTED]),
    "too many bits for a float": (
        lambda rng: (rng.getrandbits(READY_BITS), rng.random()),
        [-READY_BITS, EXHAUSTED],
    ),
}


@pytest.mark.parametrize("draw", NOTED)
def test_a_stream_notes_every_draw_until_it_is_a_twister(draw: str) -> None:
    drawn, noted = NOTED[draw]
    rng = named_stream("g")
    assert (rng.draws, rng.first_bits) == ([], named_stream("g").getrandbits(READY_BITS))
    drawn(rng)
    assert rng.draws == noted
    assert (rng.first_bits is None) == bool(noted)


def test_a_generator_that_code_shares_shows_that_it_was_drawn_from() -> None:
    before = shared_generators()
    python = next(iter(before))
    assert before[python] == global_state()
    assert not drawn_generators(before, shared_generators())
    random.random()
    assert drawn_generators(before, shared_generators()) == [python]
    assert not drawn_generators(shared_generators(), shared_generators())


def test_the_generator_of_numpy_shows_that_it_was_drawn_from() -> None:
    numpy = pytest.importorskip("numpy")
    before = shared_generators()
    name = next(iter(before))
    numpy.random.random()
    assert shared_generators()[name] == before[name]
    assert drawn_generators(before, shared_generators())
    numpy.random.seed(1)
    python = {name: before[name]}
    assert not drawn_generators(python, shared_generators()), "a new one that only has its seed"
    numpy.random.random()
    assert drawn_generators(python, shared_generators()) == ["numpy.random"]


@pytest.mark.parametrize("size", [9, 4000, 4001, 4096])
def test_a_sample_of_few_draws_from_the_values_that_remain(size: int) -> None:
    rng, fresh = named_stream("g"), named_stream("g")
    sample, pool = rng.sample(range(size), 4), list(range(size))
    expected = []
    for last in range(size - 1, size - 5, -1):
        index = fresh.randrange(last + 1)
        expected.append(pool[index])
        pool[index] = pool[last]
    assert sample == expected
    assert rng.draws == fresh.draws == [size, size - 1, size - 2, size - 3]


@pytest.mark.parametrize("size", [4097, 5000])
def test_a_sample_of_many_draws_as_random_does(size: int) -> None:
    rng = named_stream("g")
    assert rng.sample(range(size), 4) == random.Random.sample(named_stream("g"), range(size), 4)
    assert rng.draws == [size] * 4


def test_samples_on_both_sides_of_the_bound_stay_as_they_are_under_a_seed() -> None:
    samples = {size: named_stream("g").sample(range(size), 3) for size in (4000, 4001, 4096, 4097)}
    assert samples == {
        4000: [1245, 3040, 3195],
        4001: [1245, 3040, 3195],
        4096: [1245, 3568, 1597],
        4097: [1245, 798, 376],
    }


@pytest.mark.parametrize("size", [0, 1, 5])
def test_a_sample_of_all_is_a_permutation(size: int, wording: Wording) -> None:
    assert sorted(named_stream("g").sample(range(size), size)) == list(range(size))
    assert named_stream("g").sample(range(size), 0) == []
    for wrong in (size + 1, -1):
        with wording.raises(ValueError):
            named_stream("g").sample(range(size), wrong)
