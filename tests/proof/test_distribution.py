"""Exact distributions over a player's moves: when there is none, and a player's own account."""

from __future__ import annotations

import copy
import math
import pickle
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import CannotEnumerate, PlayerFault
from arena.games.mnk import MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.proof import branches
from arena.proof import distribution as limits
from arena.proof.distribution import distribution
from arena.rng import STATE_READ
from tests.errors import Unspeakable
from tests.golden import Wording
from tests.proof.drawing import START, Choose, drawing, of, refusal, shares
from tests.samples import few


def test_a_refusal_knows_its_reason_player_and_position(wording: Wording) -> None:
    with pytest.raises(CannotEnumerate) as caught:
        of(lambda position, rng: int(rng.random()) + 1, START)
    error = caught.value
    assert (error.player, error.position) == ("subject", str(START))
    wording(error.reason)
    wording(str(error), f"{START}", f"{error.reason}")


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
    assert "float" in refusal(lambda position, rng: draw(rng))


FALLS = {
    "raises": "def choose(position, rng):\n    rng.random()\n    raise ValueError('oh no')\n",
    "illegal": "def choose(position, rng):\n    rng.random()\n    return 99\n",
    "no move": "def choose(position, rng):\n    rng.random()\n    return 'a5'\n",
}


@pytest.mark.parametrize("isolation", few(["process", "none"]))
@pytest.mark.parametrize("fall", FALLS.values(), ids=FALLS)
def test_a_fault_after_a_float_is_none_that_every_enumeration_finds(
    fall: str, isolation: str, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(fall)
    with wording.raises(CannotEnumerate) as caught:
        arena.distribution(str(bot), START, isolation=isolation)
    assert not isinstance(caught.value, PlayerFault)
    certain = tmp_path / "certain.py"
    certain.write_text(fall.replace("rng.random()", "rng.randrange(3)"))
    with pytest.raises(PlayerFault):
        arena.distribution(str(certain), START, isolation=isolation)


def test_a_refusal_names_the_player_the_position_and_a_way_out(wording: Wording) -> None:
    position = START.play(4)
    message = refusal(lambda p, rng: rng.random(), position)
    wording(message, "____x____")


def test_one_draw_has_a_limit_of_values(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr(branches, "MAX_VALUES", 80)
    assert drawing(lambda rng: rng.randrange(80) % 8) == shares(list(range(8)))
    message = refusal(lambda position, rng: rng.randrange(81))
    wording(message, "81", "80")


def test_many_bits_are_too_many_values() -> None:
    assert drawing(lambda rng: rng.getrandbits(8) % 8) == shares(list(range(8)))
    for k in (13, 63, 64, 256):
        assert " 4096)" in refusal(lambda p, rng, k=k: rng.getrandbits(k))  # type: ignore[misc]
    for k in (257, 10**6):
        assert " 256 bits" in refusal(lambda p, rng, k=k: rng.getrandbits(k))  # type: ignore[misc]


def test_a_player_has_a_limit_of_branches(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(limits, "MAX_BRANCHES", 100)
    coins = Fraction(1, 2**6)
    result = drawing(lambda rng: sum(rng.randrange(2) for _ in range(6)))
    assert result == {n: math.comb(6, n) * coins for n in range(7)}
    message = refusal(lambda position, rng: sum(rng.randrange(2) for _ in range(7)))
    wording(message, "100")


def test_just_as_many_branches_as_the_limit_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BRANCHES", 64)
    result = drawing(lambda rng: (8 * rng.randrange(8) + rng.randrange(8)) % 8)
    assert result == shares(list(range(8)))


@pytest.mark.parametrize(
    "seeding",
    [
        lambda rng: rng.seed(5),
        lambda rng: rng.seed(),
        lambda rng: rng.setstate(random.Random(5).getstate()),
    ],
    ids=["seed", "no seed", "setstate"],
)
def test_a_player_may_not_seed_its_generator(
    seeding: Callable[[random.Random], object], wording: Wording
) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        seeding(rng)
        return rng.choice(position.legal_moves())

    wording(refusal(choose))


@pytest.mark.parametrize(
    "reading", [lambda r: r.getstate(), copy.copy, copy.deepcopy, pickle.dumps]
)
def test_a_player_may_not_read_the_state_of_its_generator(
    reading: Callable[[random.Random], object],
) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        reading(rng)
        return 0

    assert STATE_READ in refusal(choose)


@pytest.mark.parametrize("forbidden", ["gauss", "getstate", "seed"])
def test_a_player_that_catches_the_refusal_is_refused_all_the_same(forbidden: str) -> None:
    def careful(position: MnkPosition, rng: random.Random) -> int:
        try:
            getattr(rng, forbidden)()
        except Exception:
            return position.legal_moves()[0]
        return rng.choice(position.legal_moves())

    refusal(careful)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "3",
        3.0,
        float("nan"),
        True,
        [3],
        int,
        -1,
        9,
        2**70,
        4,
    ],
)
def test_an_answer_that_is_no_legal_move_is_named(answer: object, wording: Wording) -> None:
    wording(refusal(lambda position, rng: answer, START.play(4)))


def test_a_number_too_long_to_print_is_no_legal_move(wording: Wording) -> None:
    wording(refusal(lambda position, rng: 10**5000), "16610")


def test_an_answer_that_raises_when_asked_for_its_number_is_no_move(wording: Wording) -> None:
    class Evil:
        def __index__(self) -> int:
            raise RuntimeError("no number")

    wording(refusal(lambda position, rng: Evil()))


def test_a_move_that_is_only_sometimes_illegal_is_found(wording: Wording) -> None:
    choose: Choose = lambda position, rng: rng.choice((0, 1, 4))  # noqa: E731
    wording(refusal(choose, START.play(4)), " 4, ")
    assert of(choose) == shares([0, 1, 4])


def raising(error: BaseException) -> Choose:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        raise error

    return choose


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad luck"),
        RecursionError("deep"),
        SystemExit(3),
    ],
    ids=["ValueError", "RecursionError", "SystemExit"],
)
def test_an_exception_is_named(error: BaseException, wording: Wording) -> None:
    try:
        message = refusal(raising(error))
    except SystemExit:
        message = "the program has ended"
    wording(message)


def test_an_exception_whose_message_cannot_be_read_is_named(wording: Wording) -> None:
    wording(refusal(raising(Unspeakable())))


def test_an_interrupt_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        of(raising(KeyboardInterrupt()))


def test_after_the_end_a_player_has_no_moves(wording: Wording) -> None:
    over = START.game.parse("xxxoo____")
    wording(refusal(lambda position, rng: 5, over))
    assert "raises IndexError" in refusal(lambda p, rng: rng.choice(p.legal_moves()), over)


@pytest.mark.parametrize(
    "sizes",
    [[2, 3], [3, 2], [2, 0], [3, 3, 0], [4, 1]],
    ids=str,
)
def test_a_player_that_draws_otherwise_the_next_time_is_found(
    sizes: list[int], wording: Wording
) -> None:
    calls = count()

    def choose(position: MnkPosition, rng: random.Random) -> int:
        size = sizes[min(next(calls), len(sizes) - 1)]
        return rng.randrange(size) if size else 0

    wording(refusal(choose))


def test_a_stateful_player_has_no_distribution(wording: Wording) -> None:
    player = PlayerInfo("learner", object, stateless=False)
    with wording.raises(CannotEnumerate):
        distribution(player, START)


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
    chances = distribution(player, START)
    assert list(chances.items()) == [(0, Fraction(2, 3)), (8, Fraction(1, 3))]


def test_the_account_is_given_the_position() -> None:
    player = declaring(lambda position: {position.legal_moves()[-1]: 1})
    assert distribution(player, START.play(8)) == {7: 1}


def test_floats_that_add_up_exactly_are_taken() -> None:
    chances = distribution(declaring(lambda position: {0: 0.25, 1: 0.75}), START)
    assert chances == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    assert all(type(chance) is Fraction for chance in chances.values())


@pytest.mark.parametrize(
    "chances",
    [
        {0: Fraction(1, 2)},
        {0: 1, 1: 1},
        {},
        dict.fromkeys((0, 1, 2), 0.1),
        {0: Fraction(3, 2), 1: Fraction(-1, 2)},
        {4: 1},
        {0: Fraction(1, 2), 9: Fraction(1, 2)},
        {0: math.nan},
        {0: math.inf},
        {0: None},
        {"1": 1},
        {True: 1},
        None,
    ],
)
def test_an_account_that_cannot_be_is_refused(chances: Any, wording: Wording) -> None:
    wording(declared_refusal(lambda position: chances))


def test_an_account_that_raises_is_refused(wording: Wording) -> None:
    def broken(position: MnkPosition) -> dict[int, Fraction]:
        raise KeyError("x")

    wording(declared_refusal(broken), "KeyError", "'x'")


@pytest.mark.slow
def test_a_player_that_draws_until_it_likes_the_draw_is_refused(wording: Wording) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        while True:
            square = rng.randrange(9)
            if square in position.legal_moves():
                return square

    wording(refusal(choose, START.play(0)), "256")


def test_a_sample_of_many_is_enumerated() -> None:
    """Where random.sample itself draws again and again."""

    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.sample(position.legal_moves(), 2)[1]

    position = mnk_game(5, 5, 5).start()
    chances = distribution(PlayerInfo("samples", choose), position)
    assert chances == dict.fromkeys(range(25), Fraction(1, 25))


def test_a_player_that_draws_from_the_global_generator_is_refused(wording: Wording) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        return random.choice(position.legal_moves()[:1])

    wording(refusal(choose))


def test_a_declared_distribution_that_exits_is_a_fault(wording: Wording) -> None:
    def leave(position: MnkPosition) -> dict[int, Fraction]:
        raise SystemExit(0)

    player = PlayerInfo("leaves", lambda position, rng: 0, distribution=leave)
    with wording.raises(PlayerFault):
        distribution(player, START)
