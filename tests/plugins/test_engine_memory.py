"""The memory of engines: how much they get, and what becomes of one that has used it up."""

import shlex
import sys
from functools import partial
from typing import Any

import pytest

import arena
from arena.player.clients import Demand
from arena.plugins.uci import Uci
from arena.testing import turn_at
from tests.golden import Wording
from tests.needs import python_of_all
from tests.observing import observed_by
from tests.plugins.test_uci import ENGINE, GAME, Plugin
from tests.sandbox.remotes import remote_of


@pytest.mark.parametrize(
    ("options", "demand"),
    [
        ({}, Demand(4096 + 64)),
        ({"hash": "256", "Threads": "4", "nodes": "9"}, Demand(4096 + 256 + 4 * 64, 4)),
        ({"Hash": "x", "Threads": "-3"}, Demand(4096 + 64)),
    ],
)
def test_an_engine_gets_memory_for_its_hash_and_threads(
    options: dict[str, str], demand: Demand
) -> None:
    assert Uci(options).demand() == demand


def limited(fault: str, **limits: Any) -> arena.PlayerInfo:
    name = f"any:{shlex.join([python_of_all(), str(ENGINE), fault])}"
    isolation = arena.Isolation(tier="process", **limits)
    return arena.get_player(name, catalogue=observed_by(Plugin()), isolation=isolation)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_an_engine_without_memory_does_not_lose_by_time(wording: Wording) -> None:
    result = arena.fight(limited("full", memory=100, move_time=1), "monkey", 1, seed=4)
    assert result.a.forfeits == {"memory": 2}
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message, "100 MiB", "--memory")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_an_engine_that_took_much_of_its_memory_starts_again_before_the_next_game() -> None:
    grows, modest = limited("grows", memory=100), limited("", memory=100)
    for player, is_kept in (grows, False), (modest, True):
        remote = remote_of(player)
        process = remote.take()
        assert process.client is not None
        for _ in range(3):
            process.converse(partial(process.client.choose, process.talk, turn_at(GAME.start())), 5)
        remote.give_back(process)
        following = remote.take()
        assert (following is process) == is_kept
        following.end()


@pytest.mark.slow
@pytest.mark.parametrize("memory", [None, 512, 700])
def test_a_memory_that_the_user_sets_is_the_engines(memory: int | None) -> None:
    process = remote_of(limited("", memory=memory)).start()
    assert process.memory == (memory or 4096 + 64)
    process.end()
