"""Streams: what they draw is decided by a game's name and nothing else."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rng import (
    FRESH_SEED_LIMIT,
    MIN_FRESH_SEED,
    READY_BITS,
    SEED_LIMIT,
    Stream,
    begin,
    fresh_seed,
    named_stream,
)
from tests.golden import Wording

#: One draw of each kind, by a name and a number from 1 on.
KINDS: dict[str, Callable[[random.Random, int], Any]] = {
    "choice": lambda rng, n: rng.choice(range(n)),
    "randrange": lambda rng, n: rng.randrange(n),
    "randint": lambda rng, n: rng.randint(-n, n),
    "shuffle": lambda rng, n: shuffled(rng, n),
    "sample": lambda rng, n: rng.sample(range(n), n // 2),
    "getrandbits": lambda rng, n: rng.getrandbits(n),
    "randbytes": lambda rng, n: rng.randbytes(n % 9),
}
FLOATS: dict[str, Callable[[random.Random, int], Any]] = {
    "random": lambda rng, n: rng.random(),
    "uniform": lambda rng, n: rng.uniform(0, n),
    "choices": lambda rng, n: rng.choices(range(n), k=3),
    "gauss": lambda rng, n: rng.gauss(0, n),
}

draws = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(1, 40)), max_size=120)
all_draws = st.lists(
    st.tuples(st.sampled_from(sorted(KINDS | FLOATS)), st.integers(1, 40)), max_size=60
)


def shuffled(rng: random.Random, n: int) -> list[int]:
    items = list(range(n))
    rng.shuffle(items)
    return items


def stream(name: str, side: int = 0) -> Stream:
    """Return a stream begun under a game's name."""
    both = Stream(), Stream()
    begin(both, name)
    return both[side]


def draw_all(rng: random.Random, script: list[tuple[str, int]]) -> list[Any]:
    return [(KINDS | FLOATS)[kind](rng, n) for kind, n in script]


class Inherited(random.Random):
    """All that ``random.Random`` itself does with the bits of a stream."""

    def __init__(self, source: Stream) -> None:
        super().__init__(0)
        self.source = source

    def getrandbits(self, k: int, /) -> int:
        return self.source.getrandbits(k)


def chi_square(counts: Counter[int], values: int) -> float:
    expected = sum(counts.values()) / values
    return sum((counts[value] - expected) ** 2 / expected for value in range(values))


# Names decide.


@pytest.mark.slow
@given(st.text(max_size=30), all_draws)
def test_the_same_name_gives_the_same_draws(name: str, script: list[tuple[str, int]]) -> None:
    for side in (0, 1):
        assert draw_all(stream(name, side), script) == draw_all(stream(name, side), script)


def test_a_stream_by_name_alone_is_that_of_the_first_side() -> None:
    assert named_stream("g").first_bits == stream("g", 0).first_bits != stream("g", 1).first_bits


def test_different_names_and_sides_give_different_draws() -> None:
    names = [f"tictactoe/a/b/7/{pair}.{half}" for pair in range(1, 500) for half in (1, 2)]
    drawn = {stream(name, side).getrandbits(64) for name in names for side in (0, 1)}
    assert len(drawn) == 2 * len(names)


def test_sides_differ_beyond_the_ready_bits_too() -> None:
    far = [stream("g", side).getrandbits(READY_BITS + 64) for side in (0, 1)]
    assert far[0] != far[1]


def test_later_bits_come_from_a_digest_of_the_ready_half() -> None:
    name = b"tictactoe/a/b/7/1.1"
    digest = blake2b(name).digest()
    for side, half in enumerate((digest[:32], digest[32:])):
        rng = stream(name.decode(), side)
        bits = sum(rng.getrandbits(1) << i for i in range(256))
        assert bits == int.from_bytes(half, "little")
        seed = int.from_bytes(blake2b(half, person=b"twister").digest(), "little")
        twister = random.Random(seed)
        assert rng.getrandbits(99) == twister.getrandbits(99)
        assert rng.choice(range(1000)) == twister.choice(range(1000))
        assert rng.random() == twister.random()


def test_the_global_generator_is_neither_used_nor_disturbed() -> None:
    random.seed(1)
    before = random.getstate()
    one = draw_all(stream("g"), [("random", 1)] * 9)
    assert random.getstate() == before
    random.seed(2)
    assert draw_all(stream("g"), [("random", 1)] * 9) == one


# The draws are those of random.Random.


@pytest.mark.slow
@given(st.text(max_size=9), draws)
def test_draws_are_what_the_inherited_methods_make_of_the_same_bits(
    name: str, script: list[tuple[str, int]]
) -> None:
    assert draw_all(stream(name), script) == draw_all(Inherited(stream(name)), script)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_draws_past_the_ready_bits_are_the_inherited_ones_too(kind: str) -> None:
    script = [(kind, n) for n in (1, 2, 3, 5, 9, 17, 33) for _ in range(40)]
    for name in "abc":
        assert draw_all(stream(name), script) == draw_all(Inherited(stream(name)), script)


def test_choice_works_on_anything_with_a_length_and_items() -> None:
    for thing in ("abc", (1, 2, 3), [1, 2, 3], range(3), b"abc"):
        assert stream("g").choice(thing) == thing[stream("g").randrange(3)]


def test_nothing_can_be_chosen_from_nothing() -> None:
    rng = stream("g")
    for _ in range(2):
        with pytest.raises(IndexError):
            rng.choice([])
        rng.getrandbits(READY_BITS + 1)


@pytest.mark.slow
@given(st.text(max_size=9), st.lists(st.integers(0, 300), max_size=12))
def test_getrandbits_gives_so_many_bits(name: str, sizes: list[int]) -> None:
    rng = stream(name)
    for k in sizes:
        assert 0 <= rng.getrandbits(k) < 1 << k


def test_a_negative_number_of_bits_is_refused_at_any_time(wording: Wording) -> None:
    rng = stream("g")
    for _ in range(2):
        with wording.raises(ValueError):
            rng.getrandbits(-1)
        rng.getrandbits(READY_BITS + 1)


@given(st.text(max_size=9))
def test_a_float_is_at_least_0_and_less_than_1(name: str) -> None:
    rng = stream(name)
    assert all(0.0 <= rng.random() < 1.0 for _ in range(12))


# Past the ready bits.


@pytest.mark.parametrize("spent", range(READY_BITS - 8, READY_BITS + 2))
@pytest.mark.parametrize("n", [3, 5, 9, 129])
def test_a_stream_goes_on_wherever_its_ready_bits_end(spent: int, n: int) -> None:
    # With n just above a power of two nearly half of the draws are rejected and made again.
    for name in "abcdefgh":
        for draw in (KINDS["choice"], KINDS["randrange"]):
            rng = stream(name)
            rng.getrandbits(spent)
            drawn = {draw(rng, n) for _ in range(99)}
            assert drawn <= set(range(n))
            assert len(drawn) >= min(n, 30)


def test_a_method_held_from_before_draws_as_the_stream_draws() -> None:
    held, fresh = stream("g"), stream("g")
    getrandbits, choice = held.getrandbits, held.choice
    for _ in range(200):
        assert getrandbits(5) == fresh.getrandbits(5)
        assert choice(range(5)) == fresh.choice(range(5))


def test_the_bits_do_not_repeat_when_the_ready_ones_end() -> None:
    rng = stream("g")
    words = [rng.getrandbits(32) for _ in range(1000)]
    assert len(set(words)) == len(words)


# Beginning anew.


def spoil_by_attributes(rng: Stream) -> None:
    for name in ("choice", "random", "getrandbits", "shuffle", "randrange", "_randbelow"):
        setattr(rng, name, lambda *_: 0)


def spoil_by_deleting(rng: Stream) -> None:
    rng.__dict__.clear()


SPOILERS: dict[str, Callable[[Stream], object]] = {
    "a draw": lambda rng: rng.choice(range(9)),
    "many draws": lambda rng: [rng.random() for _ in range(999)],
    "a seed": lambda rng: rng.seed(1),
    "a state": lambda rng: rng.setstate(random.Random(1).getstate()),
    "its state read": lambda rng: rng.getstate(),
    "half a pair of normal numbers": lambda rng: rng.gauss(0, 1),
    "attributes": spoil_by_attributes,
    "deleted attributes": spoil_by_deleting,
}


@pytest.mark.parametrize("spoiler", SPOILERS.values(), ids=SPOILERS)
def test_a_stream_begun_anew_remembers_nothing(spoiler: Callable[[Stream], object]) -> None:
    script = [(kind, n) for kind in ("gauss", *KINDS, *FLOATS) for n in (2, 9)]
    both = Stream(), Stream()
    begin(both, "before")
    spoiler(both[0])
    spoiler(both[1])
    begin(both, "g")
    for side in (0, 1):
        assert draw_all(both[side], script) == draw_all(stream("g", side), script)


def test_one_stream_does_not_disturb_the_other() -> None:
    both = Stream(), Stream()
    begin(both, "g")
    for _ in range(300):
        both[0].random()
    both[0].seed(3)
    assert both[1].random() == stream("g", 1).random()


def refused_seed(rng: Stream) -> None:
    with pytest.raises(TypeError):
        rng.seed([])


def refused_state(rng: Stream) -> None:
    with pytest.raises(ValueError, match="version 99"):
        rng.setstate((99, (), None))


REFUSED = pytest.mark.parametrize("refused", [refused_seed, refused_state])


@REFUSED
def test_after_a_refused_seed_or_state_no_earlier_game_decides(
    refused: Callable[[Stream], None],
) -> None:
    both = Stream(), Stream()
    drawn = []
    for name in ("one", "another"):
        begin(both, name)
        both[0].getrandbits(READY_BITS + 1)
        begin(both, "g")
        refused(both[0])
        drawn.append([both[0].random() for _ in range(9)])
    assert drawn[0] == drawn[1]


@REFUSED
def test_after_a_refused_seed_or_state_draws_are_still_random(
    refused: Callable[[Stream], None],
) -> None:
    rng = stream("g")
    refused(rng)
    assert len({rng.random() for _ in range(9)}) == 9


# State.


@pytest.mark.slow
@given(st.text(max_size=9), draws, draws)
def test_a_state_set_again_gives_the_draws_again(
    name: str, before: list[tuple[str, int]], after: list[tuple[str, int]]
) -> None:
    rng, other = stream(name), Stream()
    draw_all(rng, before)
    state = rng.getstate()
    other.setstate(state)
    drawn = draw_all(rng, after)
    assert draw_all(other, after) == drawn
    rng.setstate(state)
    assert draw_all(rng, after) == drawn


def test_a_state_is_one_of_random_random() -> None:
    rng, plain = stream("g"), random.Random()
    plain.setstate(rng.getstate())
    assert [plain.random() for _ in range(5)] == [rng.random() for _ in range(5)]


@pytest.mark.parametrize("spent", [0, 100, READY_BITS, 2000])
def test_a_copy_goes_on_as_the_stream_does(spent: int) -> None:
    rng = stream("g")
    rng.getrandbits(spent)
    copies = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))]
    script = [(kind, 9) for kind in KINDS | FLOATS]
    drawn = draw_all(rng, script)
    for again in copies:
        assert type(again) is Stream
        assert draw_all(again, script) == drawn


def test_a_seeded_stream_is_random_random_with_that_seed() -> None:
    rng = stream("g")
    rng.seed(5)
    script = [(kind, 9) for kind in KINDS | FLOATS]
    assert draw_all(rng, script) == draw_all(random.Random(5), script)


def test_two_streams_that_nobody_began_are_alike() -> None:
    assert Stream().random() == Stream().random()


# Uniformity over names: the statistics are the same in every run; the bounds have p < 1e-6.


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("skipped", [0, 1, 70])
def test_choices_are_uniform_over_names(side: int, skipped: int) -> None:
    counts: Counter[int] = Counter()
    for number in range(9000):
        rng = stream(f"tictactoe/a/b/{number % 3}/{number}.1", side)
        for _ in range(skipped):
            rng.getrandbits(5)
        counts[rng.choice(range(9))] += 1
    assert chi_square(counts, 9) < 44


def test_the_two_sides_are_independent() -> None:
    counts: Counter[int] = Counter()
    both = Stream(), Stream()
    for number in range(9000):
        begin(both, f"g/{number}")
        counts[3 * both[0].choice(range(3)) + both[1].choice(range(3))] += 1
    assert chi_square(counts, 9) < 44


def test_successive_draws_are_independent() -> None:
    rng = stream("g")
    drawn = [rng.choice(range(3)) for _ in range(9001)]
    assert chi_square(Counter(3 * a + b for a, b in pairwise(drawn)), 9) < 50


def test_floats_are_uniform() -> None:
    counts = Counter(int(10 * stream(f"g/{number}").random()) for number in range(9000))
    assert chi_square(counts, 10) < 46


def test_a_fresh_seed_is_a_root_seed() -> None:
    assert (MIN_FRESH_SEED, FRESH_SEED_LIMIT, SEED_LIMIT) == (2**32, 2**53, 2**63)
    seeds = {fresh_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert all(MIN_FRESH_SEED <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**52
