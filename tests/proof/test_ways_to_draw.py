"""Every way to draw has the chances that it says."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.mnk import MnkPosition
from arena.rng import Stream, begin
from tests.proof.drawing import START, Chances, drawing, of, refusal, shares, shuffled


def test_a_player_that_draws_nothing_has_one_move() -> None:
    assert of(lambda position, rng: 4) == {4: 1}


@pytest.mark.parametrize("n", range(1, 10))
def test_choice_and_its_like_are_uniform(n: int) -> None:
    uniform = dict.fromkeys(range(n), Fraction(1, n))
    assert drawing(lambda rng: rng.choice(range(n))) == uniform
    assert drawing(lambda rng: rng.randrange(n)) == uniform
    assert drawing(lambda rng: rng.randint(0, n - 1)) == uniform
    assert drawing(lambda rng: rng.choices(range(n))[0]) == uniform
    assert drawing(lambda rng: rng.sample(range(n), 1)[0]) == uniform


def test_randrange_steps_as_it_is_told() -> None:
    assert drawing(lambda rng: rng.randrange(1, 9, 3)) == shares([1, 4, 7])


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_getrandbits_is_uniform_over_its_values(k: int) -> None:
    assert drawing(lambda rng: rng.getrandbits(k)) == shares(list(range(1 << k)))


def test_randbytes_are_uniform() -> None:
    assert drawing(lambda rng: rng.randbytes(1)[0] % 8) == shares(list(range(8)))


def test_a_shuffle_makes_all_orders_equally_likely() -> None:
    result = drawing(lambda rng: list(permutations(range(3))).index(tuple(shuffled(rng, 3))))
    assert result == shares(list(range(6)))


def test_the_first_of_a_shuffle_is_uniform() -> None:
    assert drawing(lambda rng: shuffled(rng, 6)[0]) == shares(list(range(6)))


def test_a_sample_has_no_item_twice() -> None:
    assert drawing(lambda rng: sum(rng.sample(range(4), 2))) == shares(
        [a + b for a, b in permutations(range(4), 2)]
    )


def test_a_sample_from_many_is_exact_too() -> None:
    # From so many items another method of sampling is used: it draws again what it drew before.
    result = drawing(lambda rng: rng.sample(range(90), 1)[0] % 9)
    assert result == shares([n % 9 for n in range(90)])


def test_choices_draw_with_replacement() -> None:
    assert drawing(lambda rng: sum(rng.choices(range(3), k=3))) == shares(
        [a + b + c for a, b, c in product(range(3), repeat=3)]
    )


@pytest.mark.parametrize(
    "weights", [(1, 2, 3), (0, 1, 0), (1, 0, 3), (0.5, 0.25, 0.25), (Fraction(1, 3), 1, 1)]
)
def test_choices_follow_weights(weights: tuple[Any, ...]) -> None:
    total = sum(map(Fraction, weights))
    expected = {i: Fraction(w) / total for i, w in enumerate(weights) if w}
    assert drawing(lambda rng: rng.choices(range(3), weights)[0]) == expected
    sums = [sum(weights[: i + 1]) for i in range(3)]
    assert drawing(lambda rng: rng.choices(range(3), cum_weights=sums)[0]) == expected


def test_what_has_no_weight_is_never_chosen() -> None:
    assert drawing(lambda rng: rng.choices((99, 0, 99), (0, 1, 0))[0]) == {0: 1}


def test_one_thing_is_chosen_unless_more_are_asked_for() -> None:
    assert drawing(lambda rng: len(rng.choices("ab"))) == {1: 1}
    assert drawing(lambda rng: len(rng.choices("ab", k=0))) == {0: 1}
    assert drawing(lambda rng: len(rng.choices("ab", (1, 2), k=4))) == {4: 1}


@pytest.mark.parametrize(
    "keywords",
    [
        {"weights": (1, 2)},
        {"weights": (1, 2, 3, 4)},
        {"weights": (0, 0, 0)},
        {"cum_weights": (1, 2)},
        {"weights": (1, 1, 1), "cum_weights": (1, 2, 3)},
        {"weights": (1, 1, math.inf)},
    ],
    ids=str,
)
def test_choices_that_the_real_method_refuses_are_refused(keywords: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        random.Random(0).choices(range(3), **keywords)
    assert "it raises" in refusal(lambda position, rng: rng.choices(range(3), **keywords)[0])


def test_weights_hold_for_each_of_several_choices() -> None:
    result = drawing(lambda rng: sum(rng.choices((0, 1), weights=(1, 2), k=2)))
    assert result == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}


def test_probabilities_of_several_draws_multiply() -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.choice((1, 2)) if rng.randrange(3) else 3 + rng.randrange(5)

    expected = {1: Fraction(1, 3), 2: Fraction(1, 3)}
    expected |= {3 + i: Fraction(1, 15) for i in range(5)}
    assert of(choose) == expected


def test_a_later_draw_may_depend_on_an_earlier_one() -> None:
    # Triangular: n from 1 to 4, and then one of n.
    result = drawing(lambda rng: rng.randrange(rng.randint(1, 4)))
    assert result == {
        i: sum((Fraction(1, 4 * n) for n in range(i + 1, 5)), Fraction(0)) for i in range(4)
    }


def test_the_moves_come_in_ascending_order() -> None:
    assert list(drawing(lambda rng: rng.choice((8, 3, 5, 0)))) == [0, 3, 5, 8]


def test_integers_of_other_makes_are_moves() -> None:
    class Four:
        def __index__(self) -> int:
            return 4

    result = of(lambda position, rng: Four())
    assert result == {4: 1}
    assert [type(move) for move in result] == [int]


def test_the_position_decides() -> None:
    position = START.game.parse("xo_xo_xo_".replace("x", "_", 1).replace("o", "_", 1))
    assert of(lambda p, rng: rng.choice(p.legal_moves()), position) == shares([0, 1, 2, 5, 8])


programs = st.recursive(
    st.integers(0, 8),
    lambda inner: st.tuples(
        st.sampled_from(["choice", "randrange", "sample", "choices"]),
        st.lists(inner, min_size=1, max_size=4),
    ),
    max_leaves=9,
)


def run(program: Any, rng: random.Random) -> int:
    """Return a tree of draws: a leaf is a move, a node draws one of its branches."""
    while not isinstance(program, int):
        kind, branches = program
        if kind == "choice":
            program = rng.choice(branches)
        elif kind == "randrange":
            program = branches[rng.randrange(len(branches))]
        elif kind == "sample":
            program = rng.sample(branches, 1)[0]
        else:
            program = rng.choices(branches, weights=range(1, len(branches) + 1))[0]
    return program


def chances_of(program: Any) -> Chances:
    if isinstance(program, int):
        return {program: Fraction(1)}
    kind, branches = program
    weights = range(1, len(branches) + 1) if kind == "choices" else [1] * len(branches)
    total: Chances = {}
    for weight, branch in zip(weights, branches, strict=True):
        for move, chance in chances_of(branch).items():
            part = chance * Fraction(weight, sum(weights))
            total[move] = total.get(move, Fraction(0)) + part
    return total


@pytest.mark.slow
@given(programs)
def test_any_tree_of_draws_has_the_chances_that_the_tree_says(program: Any) -> None:
    result = drawing(lambda rng: run(program, rng))
    assert result == chances_of(program)
    assert sum(result.values()) == 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.choice(range(9)),
        lambda rng: shuffled(rng, 5)[2],
        lambda rng: max(rng.sample(range(9), 3)),
        lambda rng: rng.randint(0, 3) + rng.randint(0, 3),
        lambda rng: rng.choices(range(4), weights=(1, 2, 3, 4))[0],
        lambda rng: rng.getrandbits(3),
    ],
)
def test_streams_draw_what_the_distribution_says(draw: Callable[[random.Random], int]) -> None:
    exact, streams = drawing(draw), (Stream(), Stream())
    seen: Counter[int] = Counter()
    for number in range(4000):
        begin(streams, f"g/{number}")
        seen[draw(streams[0])] += 1
    assert set(seen) == set(exact)
    statistic = sum(
        (seen[move] - float(4000 * chance)) ** 2 / float(4000 * chance)
        for move, chance in exact.items()
    )
    # Twice the degrees of freedom and twenty is beyond the 99.99 % point of each.
    assert statistic < 2 * len(exact) + 20
