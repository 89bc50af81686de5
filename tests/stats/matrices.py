"""Matrices of scores with bands, and matrices drawn from these bands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from arena.arrays import Floats

#: How near a linear program and a matrix come, with the rounding between them.
NEAR = 1e-6


class Between(NamedTuple):
    """Antisymmetric margins, and the ends of a band around them."""

    margins: Floats
    low: Floats
    high: Floats


def antisymmetric(upper: Floats) -> Floats:
    above = np.triu(upper, 1)
    margins: Floats = above - above.T
    return margins


def banded(margins: Floats, width: Floats) -> Between:
    """Return margins with a band this wide to both sides, within -1/2 and 1/2."""
    spread = np.triu(width, 1)
    spread = spread + spread.T
    return Between(margins, np.maximum(margins - spread, -0.5), np.minimum(margins + spread, 0.5))


def drawn(between: Between, rng: np.random.Generator) -> Floats:
    """Draw margins from a band, about half of their entries at its ends."""
    size = between.low.shape
    share = np.where(rng.random(size) < 0.5, rng.integers(0, 2, size), rng.random(size))
    return antisymmetric(between.low + share * (between.high - between.low))


@st.composite
def bands(draw: st.DrawFn, most: int = 5) -> Between:
    """Draw margins, of which some are 0 and others alike, and a band around them."""
    number = draw(st.integers(2, most))
    seed = draw(st.integers(0, 2**32 - 1))
    size = draw(st.sampled_from([0.02, 0.1, 0.3]))
    steps = draw(st.sampled_from([0, 4]))
    rng = np.random.default_rng(seed)
    margins = np.clip(rng.normal(0, size, (number, number)), -0.5, 0.5)
    if steps:
        margins = np.round(margins * steps) / steps
    width = draw(st.sampled_from([0.0, 0.01, 0.1])) * rng.random((number, number))
    return banded(antisymmetric(margins), width)


def transitive(number: int) -> Between:
    """Return players each of which surely beats those after it."""
    margins = antisymmetric(np.full((number, number), 0.3))
    return banded(margins, np.full((number, number), 0.1))


#: Each of three beats the next one by a margin from 0.2 to 0.4.
ROCK_PAPER_SCISSORS = banded(
    np.array([[0, 0.3, -0.3], [-0.3, 0, 0.3], [0.3, -0.3, 0]]), np.full((3, 3), 0.1)
)
