"""Offer fixtures for tests of a player or a game with pytest. It is installed with arena.

Each fixture is the assertion of the same name in :mod:`arena.testing`::

    def test_my_player(check_player, never_loses, scores_against):
        check_player("my-player")
        never_loses("my-player")
        scores_against("my-player", "monkey", at_least=0.95)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

# A fixture imports arena on use: every run of pytest loads this file.


@pytest.fixture
def check_player() -> Callable[..., Any]:
    """Fail with what ``arena check`` finds: ``check_player(player, game="tictactoe")``."""
    from arena import testing

    return testing.check_player


@pytest.fixture
def check_game() -> Callable[..., Any]:
    """Fail with what ``arena check --game`` finds: ``check_game("nim")``."""
    from arena import testing

    return testing.check_game


@pytest.fixture
def never_loses() -> Callable[..., None]:
    """Prove it by walking every line: ``never_loses(player, game="tictactoe")``."""
    from arena import testing

    return testing.never_loses


@pytest.fixture
def scores_against() -> Callable[..., None]:
    """Assert it exactly, or by playing: ``scores_against(player, opponent, at_least=0.9)``."""
    from arena import testing

    return testing.scores_against


@pytest.fixture
def at_least_as_strong_as() -> Callable[..., None]:
    """Assert it exactly, or by a sequential test: ``at_least_as_strong_as(player, other)``."""
    from arena import testing

    return testing.at_least_as_strong_as
