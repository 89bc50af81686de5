"""Players whose ratings nothing but the prior bounds are named, with what bounds them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.stats.comparable import Comparable
from arena.stats.pairings import PairingCounts

NAMES = ["ann", "bob", "cat", "dan"]


def comparable(results: Sequence[tuple[int, int]], players: int = 4) -> Comparable:
    """Return the network in which the first of each pair won ten games of the second."""
    pairings = [PairingCounts.of_games(a, b, (0, 0, 10)) for a, b in results]
    return Comparable(NAMES[:players], pairings)


def test_each_level_of_a_chain_is_named() -> None:
    chain = comparable([(0, 1), (1, 2), (0, 2)], 3)
    message = " ".join(chain.statements)
    assert all(name in message for name in NAMES[:3])
    assert len(chain.statements) == 3
    reasons = [chain.reason(player) for player in range(3)]
    assert all(reasons)
    assert len(set(reasons)) == 3


@pytest.mark.parametrize("winner", [0, 3])
def test_of_two_levels_the_smaller_is_named(winner: int) -> None:
    others = [player for player in range(4) if player != winner]
    circle = list(zip(others, [*others[1:], others[0]], strict=True))
    network = comparable([*((winner, other) for other in others), *circle])
    [message] = network.statements
    assert message.startswith(f"{NAMES[winner]} ")
    assert [bool(network.reason(player)) for player in range(4)] == [
        player == winner for player in range(4)
    ]


def test_nothing_is_said_of_one_level() -> None:
    network = comparable([(0, 1), (1, 2), (2, 3), (3, 0)])
    assert network.statements == ()
