"""Draws that a player only compares: few branches, with exact probabilities."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.player import PlayerInfo
from arena.proof.distribution import distribution, find_branches, moves_of
from tests.proof.drawing import START, drawing, refusal, shares
from tests.samples import few


def decisions(rng: random.Random, depth: int = 0) -> Callable[[random.Random], int]:
    """Make a player at random that draws, compares and uses its draws."""
    if depth == 3 or rng.random() < 0.2:
        move = rng.randrange(9)
        return lambda _: move
    one, other = (decisions(rng, depth + 1) for _ in range(2))
    size, bound = rng.randrange(1, 8), rng.randrange(8)
    sort = rng.choice(["below", "equal", "twice", "used", "late", "used here", "used late"])

    def choose(stream: random.Random) -> int:
        drawn = stream.randrange(size)
        if sort == "below":
            return one(stream) if drawn < bound else other(stream)
        if sort == "equal":
            return other(stream) if drawn + 1 != bound else one(stream)
        if sort == "twice":
            return one(stream) if bound // 2 <= drawn <= bound else other(stream)
        if sort == "used":
            return (drawn + one(stream)) % 9
        if sort == "used here":  # and only compared elsewhere
            return (drawn + one(stream)) % 9 if drawn < bound else other(stream)
        if sort == "used late":
            move = other(stream)
            return (drawn + move) % 9 if stream.randrange(3) == 1 else move
        move = other(stream)  # compared after what is drawn later
        return move if drawn * 2 >= bound else one(stream)

    return choose


@pytest.mark.parametrize("seed", range(60))
def test_draws_that_are_compared_have_the_moves_of_draws_value_by_value(seed: int) -> None:
    draw = decisions(random.Random(seed))
    player = PlayerInfo("subject", lambda position, rng: draw(rng))
    plain = moves_of(find_branches(player, START, twice=True, is_traced=False))
    for _ in range(5):  # the system draws which values of a range are asked for
        assert distribution(player, START) == plain


@pytest.mark.parametrize(
    ("draw", "chance"),
    [
        (lambda rng: rng.randrange(1000) < 10, Fraction(1, 100)),
        (lambda rng: rng.randint(1, 10**6) <= 300, Fraction(3, 10**4)),
        (lambda rng: rng.random() < 0.25, Fraction(1, 4)),
        (lambda rng: rng.random() < 0.1, Fraction(math.ceil(Fraction(0.1) * 2**53), 2**53)),
        (lambda rng: 100 * rng.random() >= 50, Fraction(1, 2)),
        (lambda rng: rng.uniform(0, 8) < 1, Fraction(1, 8)),
    ],
)
def test_a_rare_blunder_has_its_exact_chance(
    draw: Callable[[random.Random], bool], chance: Fraction
) -> None:
    assert drawing(lambda rng: 8 if draw(rng) else rng.choice([0, 1])) == {
        0: (1 - chance) / 2,
        1: (1 - chance) / 2,
        8: chance,
    }


@pytest.mark.slow
@pytest.mark.parametrize("isolation", few(["process", "none"]))
def test_an_isolated_player_is_asked_what_it_compares(isolation: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position, rng):\n"
        "    if rng.random() < 0.25 or rng.randrange(1000) < 10:\n"
        "        return rng.choice(position.legal_moves())\n"
        "    return position.legal_moves()[rng.randrange(2)]\n"
    )
    moves = arena.distribution(str(bot), START, isolation=isolation)
    slip = Fraction(1, 4) + Fraction(3, 4) * Fraction(1, 100)
    assert moves[8] == slip / 9
    assert moves[0] == moves[1] == slip / 9 + (1 - slip) / 2


def test_a_player_that_needs_a_true_int_is_asked_value_by_value() -> None:
    assert drawing(lambda rng: int(json.dumps(rng.randrange(4)))) == shares([0, 1, 2, 3])


def test_a_player_that_plays_otherwise_with_true_ints_is_refused() -> None:
    assert "differs" in refusal(lambda position, rng: int(type(rng.randrange(2)) is int))


@pytest.mark.slow
@pytest.mark.parametrize("isolation", few(["process", "none"]))
def test_a_check_enumerates_a_rare_blunder(isolation: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position, rng):\n"
        "    moves = position.legal_moves()\n"
        "    return moves[-1] if rng.random() < 0.05 else moves[0]\n"
    )
    report = arena.check(str(bot), positions=20, isolation=isolation)
    findings = {finding.check: finding for finding in report.findings}
    assert findings["enumerable"].message.startswith("exact probabilities")
