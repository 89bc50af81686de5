"""Payoffs of pairs: their means, scores and savings, computed a second time from single games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from statistics import fmean, pvariance

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.game import Payoffs
from arena.model.codec import decode
from arena.records.intervals import ScoreInterval
from arena.records.paid import Paid, PairPayoffs, paid_of

CHIPS = Payoffs(Fraction(-5), Fraction(5), "chips", Fraction(0))
YEARS = Payoffs(Fraction(0), Fraction(5), "years", None)

amounts = st.integers(0, 10).map(lambda n: Fraction(n, 2))
pairs_of_chips = st.lists(st.tuples(amounts, amounts), min_size=1, max_size=12)
games_of_years = st.tuples(amounts, amounts)


def chips(won: list[tuple[Fraction, Fraction]]) -> list[PairPayoffs]:
    """Return pairs in which A won these, less 5/2, moving first and second."""
    shift = Fraction(5, 2)
    return [((a - shift, shift - a), (shift - b, b - shift)) for a, b in won]


@given(pairs_of_chips)
def test_means_and_scores_are_those_of_the_single_games(
    won: list[tuple[Fraction, Fraction]],
) -> None:
    ends = chips(won)
    paid = paid_of(CHIPS, Counter(ends))
    games = [float(payoff) for one, other in ends for payoff in (one[0], other[1])]
    assert paid.number == len(ends)
    assert float(paid.mean or 0) == pytest.approx(fmean(games))
    assert paid.opponents_mean == -(paid.mean or 0)
    scores = [(float(one[0] + other[1]) / 2 + 5) / 10 for one, other in ends]
    table = Counter({x: n for n, x in zip(*paid.observations, strict=True) if n})
    assert table == Counter(scores)
    assert paid.observations == paid.compared
    assert {0.0, 1.0} <= set(paid.observations.scores)


@given(pairs_of_chips)
def test_what_duplicates_saved_is_a_ratio_of_variances(
    won: list[tuple[Fraction, Fraction]],
) -> None:
    ends = chips(won)
    together = pvariance([one[0] + other[1] for one, other in ends]) / 4
    assume(together)
    first, second = ([float(end) for end in ends_of] for ends_of in zip(*won, strict=True))
    alone = (pvariance(first) + pvariance(second)) / 4
    assert paid_of(CHIPS, Counter(ends)).saved == pytest.approx(alone / float(together))


@given(st.lists(st.tuples(games_of_years, games_of_years), min_size=1, max_size=12))
def test_both_views_of_a_game_without_a_constant_sum(ends: list[PairPayoffs]) -> None:
    paid = paid_of(YEARS, Counter(ends))
    other = paid.reversed()
    assert other.reversed() == paid
    assert (paid.mean, paid.opponents_mean) == (other.opponents_mean, other.mean)
    assert other == paid_of(YEARS, Counter((second, first) for first, second in ends))
    mirrored = {round(1 - x, 12): n for n, x in zip(*paid.compared, strict=True)}
    assert mirrored == {round(x, 12): n for n, x in zip(*other.compared, strict=True)}
    own = [float(one[0] + two[1]) / 2 / 5 for one, two in ends]
    assert fmean(own) == pytest.approx(
        sum(n * x for n, x in zip(*paid.observations, strict=True)) / len(ends)
    )


@given(pairs_of_chips)
def test_the_record_comes_back_from_json(won: list[tuple[Fraction, Fraction]]) -> None:
    paid = paid_of(CHIPS, Counter(chips(won)))
    assert decode(Paid, paid.as_json()) == paid


def test_the_unit_of_an_interval() -> None:
    paid = paid_of(CHIPS, Counter(chips([(Fraction(5), Fraction(5))])))
    interval = paid.in_unit(ScoreInterval("fixed n", 0.75, 0.5, 1.0))
    assert interval is not None
    assert (interval.payoff, interval.low, interval.high) == (2.5, 0.0, 5.0)
    years = paid_of(YEARS, Counter([((Fraction(1), Fraction(2)),) * 2]))
    interval = years.in_unit(ScoreInterval("fixed n", 0.75, 0.5, 1.0))
    assert interval is not None
    assert (interval.payoff, interval.low, interval.high) == (3.75, 2.5, 5.0)


def test_nothing_was_paid() -> None:
    paid = paid_of(CHIPS, {})
    assert (paid.number, paid.mean, paid.saved) == (0, None, None)
    assert sum(paid.observations.counts) == 0
