"""A Brownian motion in a strip, against a random walk on a fine lattice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.sequential_estimate import Strip

STRIPS = [
    Strip(0.0, 1.0, 1.0, 2.0),
    Strip(0.7, 1.0, 1.0, 3.0),
    Strip(-2.0, 0.5, 1.5, 2.0),
    Strip(0.3, 4.0, 0.5, 4.0),
]


def on_a_lattice(strip: Strip, time: float, height: float) -> tuple[float, float, float]:
    """Walk in steps of one cell: left above, left below, inside under ``height``."""
    cells = 400
    step = strip.width / cells
    tick = step**2 / strip.variance
    up = (1 + strip.drift * tick / step) / 2
    inside, above, below = np.zeros(cells + 1), 0.0, 0.0
    inside[round(strip.start / step)] = 1.0
    for _ in range(round(time / tick)):
        after = np.zeros(cells + 1)
        after[1:] += up * inside[:-1]
        after[:-1] += (1 - up) * inside[1:]
        above, below = above + after[-1], below + after[0]
        after[0] = after[-1] = 0
        inside = after
    places = np.arange(cells + 1) * step
    under = inside[places < height - step / 2].sum() + inside[abs(places - height) < step / 2] / 2
    return above, below, float(np.sum(under))


@pytest.mark.slow
@pytest.mark.parametrize("strip", STRIPS, ids=str)
@pytest.mark.parametrize("time", [0.1, 0.5, 2.0])
def test_the_motion_is_the_limit_of_a_walk_on_a_lattice(strip: Strip, time: float) -> None:
    height = 0.6 * strip.width
    above, below, under = on_a_lattice(strip, time, height)
    assert strip.leaves_above_by(time) == pytest.approx(above, abs=0.006)
    assert strip.mirrored().leaves_above_by(time) == pytest.approx(below, abs=0.006)
    assert strip.below(time, height) == pytest.approx(below + under, abs=0.006)


strips = st.builds(
    lambda drift, variance, share, width: Strip(drift, variance, share * width, width),
    st.floats(-5, 5),
    st.floats(0.01, 10),
    st.floats(0.05, 0.95),
    st.floats(0.5, 10),
)


@pytest.mark.slow
@given(strips, st.floats(0.01, 100))
def test_the_motion_is_above_or_below_or_inside(strip: Strip, time: float) -> None:
    above, below = strip.leaves_above_by(time), strip.mirrored().leaves_above_by(time)
    assert above + strip.below(time, strip.width) == pytest.approx(1, abs=1e-6)
    assert strip.below(time, 0.0) == pytest.approx(below, abs=1e-6)


@pytest.mark.slow
@given(strips)
def test_the_motion_leaves_sooner_or_later_by_one_end(strip: Strip) -> None:
    late = 100 * strip.width**2 / strip.variance
    assert strip.leaves_above_by(late) == pytest.approx(leaves_above(strip), abs=1e-9)


def leaves_above(strip: Strip) -> float:
    """Return the textbook's probability to reach the upper end first, by the scale function."""
    rate = -2 * strip.drift / strip.variance
    if abs(rate * strip.width) < 1e-9:
        return strip.start / strip.width
    if rate < 0:
        return math.expm1(rate * strip.start) / math.expm1(rate * strip.width)
    shift = math.exp(max(-700, rate * (strip.start - strip.width)))
    return shift * math.expm1(-rate * strip.start) / math.expm1(-rate * strip.width)


def test_wald_s_ratio_decides_wrongly_in_the_share_that_it_promises() -> None:
    """Under H0 the ratio has the drift -v/2, and passes ln 19 before -ln 19 in one case of 20."""
    bound = math.log(19)
    assert Strip(-0.5, 1.0, bound, 2 * bound).leaves_above_by(1e4) == pytest.approx(0.05)
