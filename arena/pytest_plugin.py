"""Offer fixtures for tests of a player with pytest; installed with arena.

A fixture is the assertion of the same name in :mod:`arena.testing`::

    def test_my_player(never_loses, scores_against):
        never_loses("my-player")
        scores_against("my-player", "monkey", at_least=0.95)
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

# A fixture imports arena on use: every run of pytest loads this file.


@pytest.fixture
def never_loses() -> Callable[..., None]:
    """Prove by walking every line: ``never_loses(player, game="tictactoe")``."""
    from arena.testing import assert_never_loses

    return assert_never_loses


@pytest.fixture
def scores_against() -> Callable[..., None]:
    """Assert exactly, or by playing: ``scores_against(player, opponent, at_least=0.9)``."""
    from arena.testing import assert_scores_against

    return assert_scores_against


@pytest.fixture
def at_least_as_strong_as() -> Callable[..., None]:
    """Assert exactly, or by a sequential test: ``at_least_as_strong_as(player, other)``."""
    from arena.testing import assert_at_least_as_strong_as

    return assert_at_least_as_strong_as
