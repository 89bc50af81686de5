"""The chosen test of a fit: valid under the truth at every sample size, and named."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from arena.stats.goodness import (
    MAX_SUMMED_TABLES,
    CellSample,
    goodness_of_fit,
    goodness_of_fit_of_each,
    number_of_tables,
)

#: Wins, draws and losses of two halves: tictactoe1 against monkey, and others with rare cells.
LAWS = {
    "tictactoe1-monkey": (
        (Fraction(35, 36), Fraction(7, 288), Fraction(1, 288)),
        (Fraction(758, 945), Fraction(407, 2835), Fraction(22, 405)),
    ),
    "never loses": (
        (Fraction(7003, 7560), Fraction(557, 7560), Fraction(0)),
        (Fraction(59, 60), Fraction(1, 60), Fraction(0)),
    ),
    "one game in a thousand": (
        (Fraction(1, 1000), Fraction(998, 1000), Fraction(1, 1000)),
        (Fraction(1), Fraction(0), Fraction(0)),
    ),
}


def p_values(name: str, n: int, draws: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Test samples that were drawn from the law itself."""
    rng = np.random.default_rng([n, draws])
    laws = LAWS[name]
    drawn = [rng.multinomial(n, [float(p) for p in law], draws).tolist() for law in laws]
    results = {}
    values = []
    for halves in zip(*drawn, strict=True):
        key = tuple(map(tuple, halves))
        if key not in results:
            first, second = zip(halves, laws, strict=True)
            results[key] = goodness_of_fit(first, second).p_value
        values.append(results[key])
    return np.array(values)


@pytest.mark.parametrize("n", [3, 20, 50, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LAWS)
def test_small_p_values_are_as_rare_as_they_say(name: str, n: int) -> None:
    values = p_values(name, n, draws := 2000)
    for level in (0.05, 0.01, 0.001):
        assert np.mean(values <= level) <= level + 4 * sqrt(level / draws)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe1-monkey", "one game in a thousand"])
def test_so_they_are_where_there_are_too_many_tables(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.stats.goodness.MAX_SUMMED_TABLES", 100)
    for n in (100, 1000):
        values = p_values(name, n, draws := 2000)
        for level in (0.05, 0.01, 0.001):
            assert np.mean(values <= level) <= level + 4 * sqrt(level / draws)


@pytest.mark.slow
def test_the_test_is_chosen_by_expected_counts_and_by_cost() -> None:
    rare = [Fraction(998, 1000), Fraction(1, 1000), Fraction(1, 1000)]

    def chosen(n: int) -> str:
        sample = ([n, 0, 0], rare)
        return goodness_of_fit(sample, ([0, 0, 0], rare)).test

    tests = {n: chosen(n) for n in (100, 1998, 1999, 4999, 5000)}
    assert list(tests.values()) == [
        *["exact multinomial"] * 2,
        *["binomial and chi-square"] * 2,
        "chi-square",
    ]
    assert (
        number_of_tables(([1998, 0, 0], rare))
        <= MAX_SUMMED_TABLES
        < number_of_tables(([1999, 0, 0], rare))
    )


def test_every_test_finds_a_gross_misfit_and_a_cell_that_cannot_occur() -> None:
    rare = [Fraction(9989, 10000), Fraction(1, 1000), Fraction(1, 10000), Fraction(0)]
    for n, test in ((1000, "exact multinomial"), (4000, "binomial and chi-square")):
        sure: CellSample = ([n], [Fraction(1)])
        misfit = goodness_of_fit(([n - 30, 0, 30, 0], rare), sure)
        impossible = goodness_of_fit(([n - 1, 0, 0, 1], rare), sure)
        assert misfit.p_value < 1e-20
        assert impossible.p_value == 0
        if n == 4000:
            assert (misfit.test, impossible.test) == (test, test)


def test_nothing_left_to_chance_has_a_p_value_of_one() -> None:
    sure: CellSample = ([3, 0], [Fraction(1), Fraction(0)])
    assert goodness_of_fit(sure, sure).p_value == 1
    assert goodness_of_fit(([0, 0], [Fraction(1, 2)] * 2), sure).p_value == 1


def test_samples_that_depend_on_each_other_are_tested_one_by_one() -> None:
    """Of two samples that are the same, the second says nothing that the first does not."""
    law = (Fraction(1, 5), Fraction(3, 10), Fraction(1, 2))
    drawn = np.random.default_rng(1).multinomial(100, list(map(float, law)), 2000).tolist()
    samples: list[CellSample] = [(counts, law) for counts in drawn]
    together = [goodness_of_fit(sample, sample).p_value <= 0.05 for sample in samples]
    one_by_one = [goodness_of_fit_of_each(sample, sample).p_value <= 0.05 for sample in samples]
    assert np.mean(together) > 0.08, "the test of independent samples is wrong of these"
    assert np.mean(one_by_one) < 0.05
