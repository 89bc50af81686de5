"""Fixtures for those who test a player with pytest; installed with arena.

A fixture is the assertion of the same name in :mod:`arena.testing`::

    def test_my_player(never_loses, scores_against):
        never_loses("my-player")
        scores_against("my-player", "monkey", at_least=0.95)
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

# Arena itself is imported when a fixture is used: this file is loaded in every run of pytest.


@pytest.fixture
def never_loses() -> Callable[..., None]:
    """``never_loses(player, game="tictactoe")``: proved by walking every line."""
    from arena.testing import assert_never_loses

    return assert_never_loses


@pytest.fixture
def scores_against() -> Callable[..., None]:
    """``scores_against(player, opponent, at_least=0.9)``: exactly, or by playing."""
    from arena.testing import assert_scores_against

    return assert_scores_against


@pytest.fixture
def at_least_as_strong_as() -> Callable[..., None]:
    """``at_least_as_strong_as(player, other)``: exactly, or by a sequential test."""
    from arena.testing import assert_at_least_as_strong_as

    return assert_at_least_as_strong_as
