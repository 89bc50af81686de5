"""Exact distributions over a player's moves: every way to draw, every reason not to have one."""

from __future__ import annotations

import copy
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import CannotEnumerate, PlayerFault
from arena.games.mnk import MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.proof import branches
from arena.proof import distribution as limits
from arena.proof.distribution import distribution
from arena.rng import Stream, begin
from tests.samples import few

START = mnk_game(3, 3, 3).start()

Choose = Callable[[Any, random.Random], Any]
Chances = dict[int, Fraction]


def of(choose: Choose, position: MnkPosition = START) -> Chances:
    return distribution(PlayerInfo("subject", choose), position)


def drawing(draw: Callable[[random.Random], Any]) -> Chances:
    """The distribution of a player whose move is drawn so, whatever the position."""
    return of(lambda position, rng: draw(rng))


def refusal(choose: Choose, position: MnkPosition = START) -> str:
    with pytest.raises(CannotEnumerate) as caught:
        of(choose, position)
    return str(caught.value)


def test_a_refusal_knows_its_reason_player_and_position() -> None:
    with pytest.raises(CannotEnumerate) as caught:
        of(lambda position, rng: int(rng.random()) + 1, START)
    error = caught.value
    assert (error.player, error.position) == ("subject", str(START))
    assert error.reason.startswith("it draws a float")
    assert str(error) == (
        f"the moves of subject at {START} cannot be enumerated: {error.reason}"
        "; the player may offer distribution(position) itself"
    )


def shares(moves: list[int]) -> Chances:
    """Each of the list's items as likely as the others."""
    return {move: Fraction(n, len(moves)) for move, n in sorted(Counter(moves).items())}


def shuffled(rng: random.Random, n: int) -> list[int]:
    items = list(range(n))
    rng.shuffle(items)
    return items


# Ways to draw.


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
    found = drawing(lambda rng: list(permutations(range(3))).index(tuple(shuffled(rng, 3))))
    assert found == shares(list(range(6)))


def test_the_first_of_a_shuffle_is_uniform() -> None:
    assert drawing(lambda rng: shuffled(rng, 6)[0]) == shares(list(range(6)))


def test_a_sample_has_no_item_twice() -> None:
    assert drawing(lambda rng: sum(rng.sample(range(4), 2))) == shares(
        [a + b for a, b in permutations(range(4), 2)]
    )


def test_a_sample_from_many_is_exact_too() -> None:
    # From so many items another method of sampling is used: it draws again what it drew before.
    found = drawing(lambda rng: rng.sample(range(90), 1)[0] % 9)
    assert found == shares([n % 9 for n in range(90)])


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
    found = drawing(lambda rng: sum(rng.choices((0, 1), weights=(1, 2), k=2)))
    assert found == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}


def test_probabilities_of_several_draws_multiply() -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.choice((1, 2)) if rng.randrange(3) else 3 + rng.randrange(5)

    expected = {1: Fraction(1, 3), 2: Fraction(1, 3)}
    expected |= {3 + i: Fraction(1, 15) for i in range(5)}
    assert of(choose) == expected


def test_a_later_draw_may_depend_on_an_earlier_one() -> None:
    # Triangular: n from 1 to 4, and then one of n.
    found = drawing(lambda rng: rng.randrange(rng.randint(1, 4)))
    assert found == {
        i: sum((Fraction(1, 4 * n) for n in range(i + 1, 5)), Fraction(0)) for i in range(4)
    }


def test_the_moves_come_in_ascending_order() -> None:
    assert list(drawing(lambda rng: rng.choice((8, 3, 5, 0)))) == [0, 3, 5, 8]


def test_integers_of_other_makes_are_moves() -> None:
    class Four:
        def __index__(self) -> int:
            return 4

    found = of(lambda position, rng: Four())
    assert found == {4: 1}
    assert [type(move) for move in found] == [int]


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
    """A tree of draws: a leaf is a move, a node draws one of its branches."""
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


@given(programs)
def test_any_tree_of_draws_has_the_chances_that_the_tree_says(program: Any) -> None:
    found = drawing(lambda rng: run(program, rng))
    assert found == chances_of(program)
    assert sum(found.values()) == 1


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


# Reasons not to have a distribution.


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: int(9 * rng.random()),
        lambda rng: int(rng.uniform(0, 9)),
        lambda rng: int(rng.gauss(4, 1)),
        lambda rng: int(rng.triangular(0, 9)),
        lambda rng: int(rng.expovariate(1)),
        lambda rng: int(rng.betavariate(1, 1)),
    ],
)
def test_a_float_is_too_much(draw: Callable[[random.Random], int]) -> None:
    assert "it draws a float" in refusal(lambda position, rng: draw(rng))


FALLS = {
    "raises": "def choose(position, rng):\n    rng.random()\n    raise ValueError('oh no')\n",
    "illegal": "def choose(position, rng):\n    rng.random()\n    return 99\n",
    "no move": "def choose(position, rng):\n    rng.random()\n    return 'a5'\n",
}


@pytest.mark.parametrize("isolation", few(["process", "none"]))
@pytest.mark.parametrize("fall", FALLS.values(), ids=FALLS)
def test_a_fault_after_a_float_is_none_that_every_enumeration_finds(
    fall: str, isolation: str, tmp_path: Path
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(fall)
    with pytest.raises(CannotEnumerate, match="it draws a float") as caught:
        arena.distribution(str(bot), START, isolation=isolation)
    assert not isinstance(caught.value, PlayerFault)
    certain = tmp_path / "certain.py"
    certain.write_text(fall.replace("rng.random()", "rng.randrange(3)"))
    with pytest.raises(PlayerFault):
        arena.distribution(str(certain), START, isolation=isolation)


def test_a_refusal_names_the_player_the_position_and_a_way_out() -> None:
    position = START.play(4)
    message = refusal(lambda p, rng: rng.random(), position)
    assert message.startswith("the moves of subject at ____x____ cannot be enumerated: ")
    assert message.endswith("; the player may offer distribution(position) itself")


def test_one_draw_has_a_limit_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MAX_VALUES", 80)
    assert drawing(lambda rng: rng.randrange(80) % 8) == shares(list(range(8)))
    message = refusal(lambda position, rng: rng.randrange(81))
    assert "it draws one of 81 values at once (at most 80)" in message


def test_many_bits_are_too_many_values() -> None:
    assert drawing(lambda rng: rng.getrandbits(8) % 8) == shares(list(range(8)))
    for k in (13, 63, 64, 256):
        assert "values at once" in refusal(lambda p, rng, k=k: rng.getrandbits(k))  # type: ignore[misc]
    for k in (257, 10**6):
        assert "more than 256 bits" in refusal(lambda p, rng, k=k: rng.getrandbits(k))  # type: ignore[misc]


def test_a_player_has_a_limit_of_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BRANCHES", 100)
    coins = Fraction(1, 2**6)
    found = drawing(lambda rng: sum(rng.randrange(2) for _ in range(6)))
    assert found == {n: math.comb(6, n) * coins for n in range(7)}
    message = refusal(lambda position, rng: sum(rng.randrange(2) for _ in range(7)))
    assert "it has more than 100 branches" in message


def test_just_as_many_branches_as_the_limit_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BRANCHES", 64)
    found = drawing(lambda rng: (8 * rng.randrange(8) + rng.randrange(8)) % 8)
    assert found == shares(list(range(8)))


@pytest.mark.parametrize(
    "seeding",
    [
        lambda rng: rng.seed(5),
        lambda rng: rng.seed(),
        lambda rng: rng.setstate(random.Random(5).getstate()),
    ],
    ids=["seed", "no seed", "setstate"],
)
def test_a_player_may_not_seed_its_generator(seeding: Callable[[random.Random], object]) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        seeding(rng)
        return rng.choice(position.legal_moves())

    assert "the generator it is given" in refusal(choose)


@pytest.mark.parametrize(
    "reading", [lambda r: r.getstate(), copy.copy, copy.deepcopy, pickle.dumps]
)
def test_a_player_may_not_read_the_state_of_its_generator(
    reading: Callable[[random.Random], object],
) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        reading(rng)
        return 0

    assert "reads the state" in refusal(choose)


@pytest.mark.parametrize("forbidden", ["random", "getstate", "seed"])
def test_a_player_that_catches_the_refusal_is_refused_all_the_same(forbidden: str) -> None:
    def careful(position: MnkPosition, rng: random.Random) -> int:
        try:
            getattr(rng, forbidden)()
        except Exception:
            return position.legal_moves()[0]
        return rng.choice(position.legal_moves())

    refusal(careful)


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (None, "choose returned None: a branch without return?"),
        ("3", "choose returned '3', which is not an int"),
        (3.0, "returned 3.0, which"),
        (float("nan"), "returned nan, which"),
        (True, "returned True, which"),
        ([3], "returned [3], which"),
        (int, "not an int"),
        (-1, "choose returned -1; the legal moves are 0, 1, 2, 3, 5, 6, 7, 8"),
        (9, "choose returned 9; the legal moves"),
        (2**70, "choose returned 1180591620717411303424; the"),
        (4, "choose returned 4, a taken square; the legal moves"),
    ],
)
def test_an_answer_that_is_no_legal_move_is_named(answer: object, part: str) -> None:
    assert part in refusal(lambda position, rng: answer, START.play(4))


def test_a_number_too_long_to_print_is_no_legal_move() -> None:
    assert "returned a number of 16610 bits;" in refusal(lambda position, rng: 10**5000)


def test_an_answer_that_raises_when_asked_for_its_number_is_no_move() -> None:
    class Evil:
        def __index__(self) -> int:
            raise RuntimeError("no number")

    assert "which is not an int" in refusal(lambda position, rng: Evil())


def test_a_move_that_is_only_sometimes_illegal_is_found() -> None:
    choose: Choose = lambda position, rng: rng.choice((0, 1, 4))  # noqa: E731
    assert "returned 4, a taken square" in refusal(choose, START.play(4))
    assert of(choose) == shares([0, 1, 4])


def raising(error: BaseException) -> Choose:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        raise error

    return choose


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (ValueError("bad luck"), "it raises ValueError: bad luck"),
        (RecursionError("deep"), "it raises RecursionError: deep"),
        (SystemExit(3), "it raises SystemExit: 3"),
    ],
    ids=["ValueError", "RecursionError", "SystemExit"],
)
def test_an_exception_is_named(error: BaseException, part: str) -> None:
    try:
        message = refusal(raising(error))
    except SystemExit:
        message = "the program has ended"
    assert part in message


class Rude(BaseException):
    """No Exception."""


class Unspeakable(Exception):
    """Its message cannot be read."""

    def __str__(self) -> str:
        raise Rude("no message")


def test_an_exception_whose_message_cannot_be_read_is_named() -> None:
    assert "it raises Unspeakable: (its message cannot be read)" in refusal(raising(Unspeakable()))


def test_an_interrupt_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        of(raising(KeyboardInterrupt()))


def test_after_the_end_a_player_has_no_moves() -> None:
    over = START.game.parse("xxxoo____")
    assert "the game is over" in refusal(lambda position, rng: 5, over)
    assert "raises IndexError" in refusal(lambda p, rng: rng.choice(p.legal_moves()), over)


@pytest.mark.parametrize(
    "sizes",
    [[2, 3], [3, 2], [2, 0], [3, 3, 0], [4, 1]],
    ids=str,
)
def test_a_player_that_draws_otherwise_the_next_time_is_found(sizes: list[int]) -> None:
    calls = count()

    def choose(position: MnkPosition, rng: random.Random) -> int:
        size = sizes[min(next(calls), len(sizes) - 1)]
        return rng.randrange(size) if size else 0

    assert "when it is run again" in refusal(choose)


def test_a_stateful_player_has_no_distribution() -> None:
    player = PlayerInfo("learner", object, stateless=False)
    with pytest.raises(CannotEnumerate, match="learner keeps state"):
        distribution(player, START)


# A player's own account.


def declaring(chances: Callable[[Any], Mapping[Any, Any]]) -> PlayerInfo:
    return PlayerInfo("subject", raising(AssertionError("asked")), distribution=chances)


def declared_refusal(chances: Callable[[Any], Mapping[Any, Any]]) -> str:
    with pytest.raises(CannotEnumerate) as caught:
        distribution(declaring(chances), START.play(4))
    message = str(caught.value)
    assert "subject" in message
    assert "the player may offer" not in message
    return message


def test_a_players_own_account_is_used_instead_of_asking_it() -> None:
    player = declaring(lambda position: {8: Fraction(1, 3), 0: Fraction(2, 3), 3: 0})
    found = distribution(player, START)
    assert list(found.items()) == [(0, Fraction(2, 3)), (8, Fraction(1, 3))]


def test_the_account_is_given_the_position() -> None:
    player = declaring(lambda position: {position.legal_moves()[-1]: 1})
    assert distribution(player, START.play(8)) == {7: 1}


def test_floats_that_add_up_exactly_are_taken() -> None:
    found = distribution(declaring(lambda position: {0: 0.25, 1: 0.75}), START)
    assert found == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    assert all(type(chance) is Fraction for chance in found.values())


@pytest.mark.parametrize(
    ("chances", "part"),
    [
        ({0: Fraction(1, 2)}, "adds up to 1/2"),
        ({0: 1, 1: 1}, "adds up to 2"),
        ({}, "adds up to 0"),
        (dict.fromkeys((0, 1, 2), 0.1), "adds up to"),
        ({0: Fraction(3, 2), 1: Fraction(-1, 2)}, "negative"),
        ({4: 1}, "distribution returned 4, a taken square"),
        ({0: Fraction(1, 2), 9: Fraction(1, 2)}, "distribution returned 9; the"),
        ({0: math.nan}, "raises ValueError"),
        ({0: math.inf}, "raises OverflowError"),
        ({0: None}, "raises TypeError"),
        ({"1": 1}, "distribution returned '1', which is not an int"),
        ({True: 1}, "returned True, which is not an int"),
        (None, "raises AttributeError"),
    ],
)
def test_an_account_that_cannot_be_is_refused(chances: Any, part: str) -> None:
    assert part in declared_refusal(lambda position: chances)


def test_an_account_that_raises_is_refused() -> None:
    def broken(position: MnkPosition) -> dict[int, Fraction]:
        raise KeyError("x")

    assert "its distribution raises KeyError: 'x'" in declared_refusal(broken)


def test_a_player_that_draws_until_it_likes_the_draw_is_refused() -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        while True:
            square = rng.randrange(9)
            if square in position.legal_moves():
                return square

    assert "it draws more than 256 bits for one move" in refusal(choose, START.play(0))


def test_a_sample_of_many_is_enumerated() -> None:
    """Where random.sample itself draws again and again."""

    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.sample(position.legal_moves(), 2)[1]

    position = mnk_game(5, 5, 5).start()
    found = distribution(PlayerInfo("samples", choose), position)
    assert found == dict.fromkeys(range(25), Fraction(1, 25))


def test_a_player_that_draws_from_the_global_generator_is_refused() -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        return random.choice(position.legal_moves()[:1])

    assert "it draws from the global generator" in refusal(choose)


def test_a_declared_distribution_that_exits_is_a_fault() -> None:
    def leave(position: MnkPosition) -> dict[int, Fraction]:
        raise SystemExit(0)

    player = PlayerInfo("leaves", lambda position, rng: 0, distribution=leave)
    with pytest.raises(PlayerFault, match="its distribution raises SystemExit: 0"):
        distribution(player, START)
