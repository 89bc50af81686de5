"""A limit of as many positions as there are is enough on any board, and one less is not."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

import arena
from arena.certificates.key_rules import key_rules_of
from arena.certificates.outcomes import exact_result as exact_in_arrays
from arena.certificates.queries import asker
from arena.certificates.tour import Tour, tour
from arena.errors import Undecided
from arena.game import Side
from arena.proof import limit
from arena.proof.certificate import certify
from arena.proof.limit import Limit
from arena.proof.outcome import exact_ends, exact_result
from arena.proof.policy import Policy
from tests.golden import Wording

GAMES = [
    *("mnk-5-1-3", "connect-4-2-3", "mnk-2-3-2", "mnk-4-2-3", "mnk-1-6-2"),
    *("connect-3-2-2", "connect-2-4-3", "connect-3-2-2-misere", "mnk-3-2-3-misere"),
]


def ends(position: arena.Position, rng: random.Random) -> int:
    """Take the first or the last free square."""
    moves = position.legal_moves()
    return moves[0] if len(moves) == 1 else rng.choice((moves[0], moves[-1]))


PLAYER = arena.PlayerInfo("ends", ends)


def require_exactly(positions: int, work: Callable[[Limit], object]) -> None:
    """So many positions are enough for the work, and one less is not."""
    work(Limit(positions))
    with pytest.raises(Undecided, match=f"more than {positions - 1:,} positions"):
        work(Limit(positions - 1))


def toured(player: arena.PlayerInfo, game: arena.Game, side: Side, limit: Limit) -> Tour:
    """Walk one side in arrays."""
    rules = key_rules_of(game)
    assert rules is not None
    return tour(game, rules, side, asker(player, rules), limit, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_limit_on_any_board_is_the_number_of_positions(name: str) -> None:
    game, players = arena.get_game(name), (PLAYER, arena.get_player("monkey"))
    whole = certify(PLAYER, game)
    require_exactly(
        max(whole.first.positions, whole.second.positions),
        lambda limit: certify(PLAYER, game, limit),
    )
    for side, own in zip(Side, (whole.first, whole.second), strict=True):
        walked = partial(toured, PLAYER, game, side)
        result = walked(Limit(10**6))
        assert (result.losing is None) is own.never_loses
        if own.never_loses:
            assert result.positions == own.positions
            require_exactly(own.positions, walked)
    a, b = (Policy(player, game) for player in players)
    by_positions = exact_result(a, b)
    require_exactly(max(by_positions.positions), lambda limit: exact_result(a, b, limit))
    in_arrays = exact_in_arrays(game, *players, Limit(10**6))
    require_exactly(max(in_arrays.positions), lambda limit: exact_in_arrays(game, *players, limit))
    assert in_arrays == by_positions
    for chances, own in ((in_arrays.first, whole.first), (in_arrays.second, whole.second)):
        assert 1 - chances.score <= own.best_reply
        assert not (own.never_loses and chances.loss)


@pytest.mark.slow
def test_a_calculation_takes_a_part_of_the_memory_alone(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(limit, "memory_of_process", lambda: 3 << 30)
    monkeypatch.setattr(limit, "memory_limit", lambda: 2.5 * (1 << 30))
    policy = Policy(arena.get_player("monkey"), arena.get_game("tictactoe-4"))
    with wording.raises(Undecided):
        exact_ends(policy, policy, Limit(10**6))


def test_the_memory_of_this_process_is_less_than_the_machine_has() -> None:
    assert 0 < limit.memory_of_process() < limit.memory_limit()
