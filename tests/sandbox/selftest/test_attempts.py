"""The attempts at what a player must not do."""

from __future__ import annotations

from arena.sandbox.selftest.attempts import ATTEMPTS
from arena.sandbox.tiers.box import EVERYTHING


def test_the_walls_know_every_attempt() -> None:
    assert frozenset(ATTEMPTS) == EVERYTHING
