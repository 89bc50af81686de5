"""Limits of differences over a field: against bounds found another way, and on laws drawn from."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log, log1p

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.stats.field import MAX_T, VALUE_LEVEL, Field, _mixed
from tests.samples import few

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def psi(tilt: float) -> float:
    return -log1p(-tilt) - tilt


@pytest.mark.parametrize("sign", [1, -1])
def test_one_observation_never_raises_the_expected_product(sign: int) -> None:
    for tilt, guess, low, high in product((0.01, MAX_T, 2 * MAX_T), SCORES, SCORES, SCORES):
        for share in (0.1, 0.5, 0.9):
            mean = share * low + (1 - share) * high
            expected = sum(
                chance * exp(sign * tilt * (x - mean) - psi(tilt) * (x - guess) ** 2)
                for x, chance in ((low, share), (high, 1 - share))
            )
            assert expected <= 1 + 1e-12


def test_a_mixture_is_solved_to_the_wide_side() -> None:
    tilts = np.array([0.05, 0.1, 0.2, 0.4])
    spent = np.random.default_rng(1).uniform(0, 30, (5, 5, 4))
    bound = log(4 / 0.01)
    widths = _mixed(spent, tilts, bound)

    reached = np.log(np.exp(tilts * widths[..., None] - spent).sum(-1))
    assert (reached >= bound - 1e-9).all()
    assert reached == pytest.approx(bound, abs=1e-3)


def extreme(field: Field, a: int, b: int, most: float) -> float:
    """Return a's greatest lead over b, pairing by pairing, if the widths were 0."""
    lead, others = 0.0, range(field.entrants)
    for opponent in others:
        for own, sign in ((a, 1), (b, -1)):
            if opponent == own:
                continue
            # Against each other, b's loss is a's win: one unknown score that counts twice.
            if own == b and opponent == a:
                continue
            weight = 2 if {own, opponent} == {a, b} else sign
            number, total = field.counts[own, opponent], field.sums[own, opponent]
            lead += weight * total + max(0.0, weight * (most - number))
    return lead - most


def test_missing_observations_may_have_any_score() -> None:
    rng = np.random.default_rng(2)
    field = filled(4, rng)
    for a, b in ((0, 1), (2, 0), (3, 2)):
        for most in (3.0, 5.0, 9.0):
            result = field._gaps(field._others(), most)[a, b]
            assert result == pytest.approx(extreme(field, a, b, most))


def filled(entrants: int, rng: np.random.Generator) -> Field:
    field = Field(entrants, 0.01, 0.02, 100)
    for a in range(entrants):
        for b in range(a):
            for _ in range(3):
                field.add(a, b, rng.integers(0, 3, 5).tolist(), SCORES)
    return field


def test_a_field_looks_the_same_from_both_sides() -> None:
    one, other = Field(2, 0.01, 0.02, 100), Field(2, 0.01, 0.02, 100)
    for _ in range(5):
        one.add(0, 1, (1, 2, 3, 4, 5), SCORES)
        other.add(1, 0, (5, 4, 3, 2, 1), SCORES)
    assert one.look() == pytest.approx(other.look())
    assert one.values == pytest.approx(other.values)


def test_who_leaves_takes_its_games_along() -> None:
    three, two = Field(3, 0.01, 0.02, 100), Field(2, 0.01, 0.02, 100)
    three.add(1, 2, (0, 0, 0, 0, 30), SCORES)
    three.look()
    three.leave(2)
    for field in (three, two):
        field.add(0, 1, (0, 0, 0, 10, 10), SCORES)
    three._tilts = two._tilts
    assert three.look()[:2, :2] == pytest.approx(two.look())
    assert three.values[:2] == pytest.approx(two.values)


def errors(law: NDArray[np.float64], entrants: int, level: float, tries: int) -> int:
    """Count fields of equal entrants where a limit of one difference was wrong at any look."""
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(tries):
        field = Field(entrants, level, 0.05, 500)
        worst = inf
        for step in (4,) * 10 + (20,) * 10:
            for a in range(entrants):
                for b in range(a):
                    field.add(a, b, rng.multinomial(step, law).tolist(), SCORES)
            worst = min(worst, field.look()[0, 1])
        wrong += worst < 0
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("law", few([((0.05, 0.25, 0.4, 0.25, 0.05),), ((0.5, 0, 0, 0, 0.5),)]))
def test_a_limit_is_wrong_at_any_look_no_more_often_than_it_says(law: tuple[float, ...]) -> None:
    level, tries = 0.2, 80
    most = level * tries + 3 * (level * (1 - level) * tries) ** 0.5
    assert errors(np.array(law), 3, level, tries) <= most


def test_a_limit_gets_narrower_than_one_of_each_pairing() -> None:
    entrants = 8
    field, single = Field(entrants, 0.01, 0.02, 1000), Field(2, 0.01 / 26, 0.02, 1000)
    for _ in range(20):
        for a in range(entrants):
            for b in range(a):
                field.add(a, b, (1, 5, 8, 5, 1), SCORES)
        single.add(0, 1, (1, 5, 8, 5, 1), SCORES)
    # A score of one pairing is half the difference; fourteen of them make the lead of one entrant.
    union = 14 * float(single.look()[0, 1]) / 2 / 7
    assert float(field.look()[0, 1]) < union / 2


def test_nothing_is_known_before_a_game() -> None:
    field = Field(3, 0.01, 0.02, 100)
    assert (field.look() == 1).all()
    assert field.values == pytest.approx(0.5)


@pytest.mark.slow
def test_limits_of_values_hold_at_every_look() -> None:
    """The chance that a limit is ever wrong stays below its level, whichever pairing goes on."""
    rng, entrants, runs = np.random.default_rng(7), 3, 150
    wrong = np.zeros(entrants)
    laws = {(a, b): rng.dirichlet(np.ones(5)) for a in range(entrants) for b in range(a)}
    mean = {pair: float(law @ np.array(SCORES)) for pair, law in laws.items()}
    mean |= {(b, a): 1 - score for (a, b), score in mean.items()}
    values = [
        sum(mean[i, k] for k in range(entrants) if k != i) / (entrants - 1) for i in range(entrants)
    ]
    for _ in range(runs):
        field, missed = Field(entrants, 0.01, 0.02, 200), np.zeros(entrants, bool)
        for look in range(12):
            for (a, b), law in laws.items():
                if look < 3 or rng.random() < 0.7:  # some have fewer
                    field.add(a, b, rng.multinomial(8, law).tolist(), SCORES)
            field.look()
            missed |= (field.low > values) | (field.high < values)
        assert (field.low <= field.values).all()
        assert (field.values <= field.high).all()
        assert (field.high - field.low < 0.5).all()
        wrong += missed
    assert (wrong / runs <= 2 * VALUE_LEVEL).all()


def test_who_leaves_takes_the_limits_of_the_others_along() -> None:
    field = filled(4, np.random.default_rng(3))
    field.look()
    assert (field.low > 0).any()
    field.leave(3)
    assert (field.low == 0).all()
    assert (field.high == 1).all()
