"""Exact results in arrays, and by positions."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from typing import Any

import pytest

import arena
from arena.certificates.outcomes import exact_result, is_in_arrays
from arena.errors import Undecided
from arena.proof.limit import Limit
from arena.proof.outcome import exact_result as exact_by_positions
from arena.proof.policy import Policy


def any_move(position: arena.Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def any_moves(positions: Any, rng: Any) -> Any:
    return rng.choice(positions.legal)


def last_move(position: arena.Position, rng: random.Random) -> int:
    return position.legal_moves()[-1]


def last_moves(positions: Any, rng: Any) -> Any:
    return positions.legal.shape[1] - 1 - positions.legal[:, ::-1].argmax(axis=1)


PLAYERS = (
    arena.PlayerInfo("any", any_move, choose_batch=any_moves),
    arena.PlayerInfo("last", last_move, choose_batch=last_moves),
)


@pytest.mark.parametrize("name", ["tictactoe", "tictactoe-misere", "mnk-4-2-2", "connect-3-3-3"])
def test_results_in_arrays_and_by_positions_agree(name: str) -> None:
    game = arena.get_game(name)
    for a, b in combinations_with_replacement(PLAYERS, 2):
        assert is_in_arrays(game, (a, b))
        found = exact_result(game, a, b, Limit(10**6))
        assert found == exact_by_positions(Policy(a, game), Policy(b, game))


def test_a_limit_ends_it() -> None:
    game, player = arena.get_game("tictactoe"), PLAYERS[0]
    with pytest.raises(Undecided, match="reaches more than 1,000 positions"):
        exact_result(game, player, player, Limit(1000))


def test_a_named_player_is_asked_in_one_process_of_its_own() -> None:
    found = arena.exact("lines", "lines", max_positions=1_000_001)
    assert found == arena.exact("lines", "lines")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_players_that_offer_choose_batch_are_exact_at_four_by_four() -> None:
    found = arena.exact(PLAYERS[0], "lines", game="mnk-4-4-4", max_positions=12_000_000)
    for chances in (found.first, found.second):
        assert chances.win + chances.draw + chances.loss == 1
    assert found.total.loss > found.total.win
