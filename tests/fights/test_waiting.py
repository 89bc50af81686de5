"""Games that wait for each other: ``--wait``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.fights.blocks import BlocksEngine
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.match.record import PlayedPair
from arena.plugin.catalogue import Catalogue
from arena.testing import FakeClock
from tests.fights.test_play import pairing
from tests.golden import Wording


def played(pairing: Pairing) -> tuple[list[PlayedPair], float]:
    """Return the pairs without their seconds, and the seconds that went by."""
    with FakeClock() as fake:
        pairs = list(CallsEngine(pairing).pairs(1, pairing.pairs + 1))
        assert all(seconds == 0 for pair in pairs for seconds in pair.seconds), "waiting counts"
        return [pair._replace(seconds=(0.0, 0.0)) for pair in pairs], fake.monotonic()


@pytest.mark.parametrize("game", ["tictactoe", "kuhn"])
def test_every_game_waits_and_is_the_same(game: str, catalogue: Catalogue) -> None:
    pairs, seconds = played(pairing(catalogue, "monkey", "monkey", 5, game=game))
    waited = played(pairing(catalogue, "monkey", "monkey", 5, game=game, wait=1.5))
    assert seconds == 0
    assert waited == (pairs, 10 * 1.5)


def test_the_games_of_a_block_wait() -> None:
    game, monkey = arena.get_game("snakes-3"), arena.get_player("monkey")
    block = Pairing(game, monkey, monkey, 2, 1, others=(monkey,), wait=2)
    with FakeClock() as fake:
        assert [pair.seconds for pair in BlocksEngine(block).pairs(1, 3)] == [(0.0,) * 3] * 2
        assert fake.monotonic() == 2 * 3 * 2


@pytest.mark.parametrize("engine", ["table", "batch"])
def test_what_does_not_play_game_by_game_cannot_wait(engine: str, wording: Wording) -> None:
    with wording.raises(arena.UsageError, f"{engine!r}"):
        arena.fight("monkey", "monkey", 2, wait=1, engine=engine)


@pytest.mark.slow
def test_a_long_fight_that_waits_has_no_table() -> None:
    with FakeClock():
        options: dict[str, Any] = {"executor": "serial", "seed": 1}
        assert arena.fight("triples", "lms", 6000, **options).engine == "table"
        assert arena.fight("triples", "lms", 6000, wait=0.001, **options).engine == "calls"


def test_a_run_goes_on_with_its_waiting(tmp_path: Path) -> None:
    def stop(_: int, counts: Any, __: int) -> None:
        if counts.pairs >= 2:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"executor": "serial", "store": tmp_path / "s.db", "seed": 1}
    with FakeClock() as fake:
        with pytest.raises(arena.Interrupted):
            arena.fight("monkey", "triples", 8, wait=3, on_progress=stop, **options)
        before = fake.monotonic()
        [run] = arena.export(tmp_path / "s.db").as_json()["runs"]
        assert run["options"] == {"wait": 3}
        done = sum(len(fight["games"]) for fight in run["fights"])
        assert 0 < done < 16
        arena.resume(tmp_path / "s.db", executor="serial")
        assert fake.monotonic() - before == 3 * (16 - done)


@pytest.mark.parametrize("wait", [-1, 3601, float("nan"), "1"])
def test_no_other_number_is_taken(wait: Any) -> None:
    with pytest.raises(arena.UsageError, match="0 to 3600"):
        arena.fight("monkey", "monkey", 1, wait=wait)
