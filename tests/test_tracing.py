"""Numbers that note what is done with them: they behave as ints and floats do."""

from __future__ import annotations

import copy
import json
import math
import operator
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from arena.rng import FLOAT, READY_BITS, Draw, SeenPart, Stream
from arena.tracing import FLOAT_BITS, TracedStream, noted

ONE = Fraction(1)
BITS = random.Random(5).getrandbits(READY_BITS)


def streams(bits: int = BITS) -> tuple[Stream, TracedStream]:
    """Return a stream and a traced one with the same bits."""
    plain, traced = Stream(), TracedStream()
    plain.begin(bits)
    traced.begin(bits)
    return plain, traced


USES: dict[str, Callable[[Any], object]] = {
    "int": lambda rng: int(rng.randrange(9)),
    "index": lambda rng: "abcdefghi"[rng.randrange(9)],
    "key": lambda rng: {n: -n for n in range(9)}[rng.randrange(9)],
    "member": lambda rng: rng.randrange(9) in {1, 3, 5},
    "text": lambda rng: f"{rng.randrange(9)}, {rng.random():.3f}, {rng.randint(1, 6)!r}",
    "arithmetic": lambda rng: (
        2 - rng.randrange(9) // 2 + 7 % (1 + rng.randrange(9)) ** 2 + -rng.randrange(9),
        1 << rng.randrange(9) | 5 ^ rng.randrange(9) & 6,
        divmod(17, 1 + rng.randrange(4)),
        -3 * rng.random() + 1 / (1 + rng.random()) - abs(-rng.random()),
    ),
    "rounding": lambda rng: (round(9 * rng.random()), math.floor(9 * rng.random())),
    "functions": lambda rng: (math.log(1 + rng.random()), rng.gauss(0, 1), rng.triangular(0, 1)),
    "methods": lambda rng: (rng.randrange(9).bit_length(), rng.random().hex()),
    "copies": lambda rng: (
        copy.deepcopy(rng.randrange(9)),
        pickle.loads(pickle.dumps(rng.randint(1, 9))),
    ),
    "two": lambda rng: (rng.randrange(9) < rng.randrange(9), rng.random() == rng.random()),
    "fraction": lambda rng: Fraction(1, 3) < rng.random(),
    "sum": lambda rng: sum(rng.randrange(9) for _ in range(4)),
    "sorted": lambda rng: sorted(range(5), key=lambda _: rng.random()),
}


@pytest.mark.parametrize("use", USES)
def test_a_value_that_is_used_is_that_of_any_stream(use: str) -> None:
    for seed in range(20):
        plain, traced = streams(random.Random(seed).getrandbits(READY_BITS))
        assert USES[use](traced) == USES[use](plain)


COMPARED: dict[str, tuple[Callable[[Any], object], list[Draw]]] = {
    "nothing": (lambda rng: rng.randrange(1000), [SeenPart(1000, 0, 1000)]),
    "a blunder": (lambda rng: rng.randrange(1000) < 10, [SeenPart(1000, 10, 1000)]),
    "a die": (lambda rng: rng.randint(1, 6) == 7, [SeenPart(6, 0, 6)]),
    "a bool": (lambda rng: bool(rng.randrange(9)), [SeenPart(9, 1, 9)]),
    "two bounds": (lambda rng: 10 <= rng.randrange(1000) <= 999, [SeenPart(1000, 10, 1000)]),
    "a float": (lambda rng: rng.random() < 0.25, [SeenPart(-53, 1 << 51, 1 << 53)]),
    "a percentage": (lambda rng: 100 * rng.random() < 25, [SeenPart(-53, 1 << 51, 1 << 53)]),
    "uniform": (lambda rng: rng.uniform(-1, 1) <= -0.5, [SeenPart(-53, (1 << 51) + 1, 1 << 53)]),
    "not a number": (lambda rng: rng.random() < math.nan, [SeenPart(-53, 0, 1 << 53)]),
    "a float used": (lambda rng: int(9 * rng.random()), [FLOAT]),
    "a value used": (lambda rng: [*range(9)][rng.randrange(9)], [9]),
    "a shuffle": (lambda rng: rng.shuffle([1, 2, 3]), [3, 2]),
    "a sample": (lambda rng: rng.sample("abc", 2), [3, 2]),
    "a choice": (lambda rng: rng.choice("abc"), [3]),
    "choices": (lambda rng: rng.choices("abc", [1, 2, 1]), [(ONE, 2 * ONE, ONE)]),
}


@pytest.mark.parametrize("use", COMPARED)
def test_a_stream_notes_what_a_player_can_have_seen(use: str) -> None:
    draw, notes = COMPARED[use]
    _, traced = streams((1 << READY_BITS) - 1 - (0b1101 << 52) & ~(1 << 9 | 1 << 3))
    draw(traced)
    assert noted(traced.draws) == notes


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("bound", [-1, 0, 3, 3.5, 8, 9, True, math.inf, -math.inf, math.nan])
def test_all_values_of_a_range_compare_alike(compare: Callable[..., bool], bound: float) -> None:
    for seed in range(20):
        plain, traced = streams(random.Random(seed).getrandbits(READY_BITS))
        answer = compare(traced.randrange(9), bound)
        assert answer == compare(plain.randrange(9), bound)
        (part,) = noted(traced.draws)
        assert isinstance(part, SeenPart)
        same = [value for value in range(9) if compare(value, bound) == answer]
        assert same == [*range(part.low, part.high)]


@pytest.mark.parametrize("bound", [0.1, 0.3, 1 / 3, 0.7, 2.0**-53, 1 - 2.0**-53])
def test_the_range_of_a_float_ends_where_its_rounding_does(bound: float) -> None:
    for scale in (1.0, 3.0, 0.1):
        _, traced = streams()
        is_below = scale * traced.random() < bound * scale
        (part,) = noted(traced.draws)
        assert isinstance(part, SeenPart)
        end = part.high if is_below else part.low
        below, above = (scale * (value * 2.0**-FLOAT_BITS) for value in (end - 1, end))
        assert below < bound * scale <= above


def test_a_traced_number_says_that_it_is_a_number() -> None:
    _, traced = streams()
    assert isinstance(traced.randrange(9), int)
    assert isinstance(traced.random(), float)
    with pytest.raises(TypeError):
        json.dumps(traced.randrange(9))  # the reason why players are asked again without tracing
    with pytest.raises(TypeError):
        "abc"[traced.random()]


def test_a_stream_that_has_run_out_of_bits_draws_as_any_twister() -> None:
    plain, traced = streams()
    drawn = [[rng.randrange(100) for _ in range(60)] for rng in (plain, traced)]
    assert drawn[0] == [int(number) for number in drawn[1]]
    assert type(traced.random()) is float
