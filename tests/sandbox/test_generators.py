"""Draws from the generators that a process shares."""

from __future__ import annotations

import random

import numpy as np

from arena.sandbox.side_effects import GlobalGenerators


def test_a_look_names_the_generators_that_drew_since_the_last_one() -> None:
    generators = GlobalGenerators()
    assert generators.changed() == []
    random.Random(1).random()
    np.random.default_rng(1).random()
    assert generators.changed() == []
    random.random()
    assert generators.changed() == ["the global random"]
    np.random.random()
    assert generators.changed() == ["numpy.random"]
    assert generators.changed() == []
