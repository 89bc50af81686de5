"""Play on clusters of 1, 2 and 4 workers: the same bytes, and what workers log and tell arrives."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

import arena
from arena.plugins.dask.cluster import LocalCluster
from tests.plugins.dask.players import bytes_of

pytestmark = [
    pytest.mark.outside,
    pytest.mark.needs("distributed"),
    pytest.mark.filterwarnings("default"),  # Dask's own
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module", params=[1, 2, 4])
def cluster(request: pytest.FixtureRequest) -> Iterator[LocalCluster]:
    """Yield a cluster as ``--executor dask`` starts one, of so many workers."""
    with closing(LocalCluster(request.param)) as made:
        yield made


@pytest.fixture
def there(cluster: LocalCluster) -> str:
    """Return the executor on that cluster."""
    return f"dask:{cluster.address}"


def test_a_fight_has_the_same_bytes_on_each(there: str) -> None:
    options: Any = {"n": 600, "seed": 5, "engine": "calls"}
    here = arena.fight("tictactoe3", "heuristic", executor="serial", **options)
    result = arena.fight("tictactoe3", "heuristic", executor=there, **options)
    assert bytes_of(result) == bytes_of(here)


def test_a_tournament_has_the_same_bytes_on_each(there: str) -> None:
    players = ["monkey", "triples", "heuristic"]
    options: Any = {"n": 40, "seed": 6}
    here = arena.tournament(players, executor="serial", **options)
    assert bytes_of(arena.tournament(players, executor=there, **options)) == bytes_of(here)


def test_exact_results_are_the_same_on_each(there: str) -> None:
    players = ["monkey", "triples", "heuristic"]
    here = arena.exact_tournament(players, executor="serial")
    assert bytes_of(arena.exact_tournament(players, executor=there)) == bytes_of(here)


def test_what_workers_log_and_how_far_they_are_arrives(
    there: str, caplog: pytest.LogCaptureFixture
) -> None:
    def choose(position: Any, rng: Any) -> Any:
        if position.ply == 0:
            logging.getLogger("bots").warning("%s pieces on the board", 0)
        return position.legal_moves()[0]

    pairs: list[int] = []

    def note(_: int, counts: Any, __: int) -> None:
        pairs.append(counts.pairs)

    arena.fight(choose, "monkey", 40, seed=1, executor=there, on_progress=note)
    lines = [record for record in caplog.records if record.name == "bots"]
    assert [record.getMessage() for record in lines] == ["0 pieces on the board"] * 40
    assert os.getpid() not in {record.process for record in lines}
    assert pairs == sorted(pairs)
    assert len(pairs) > 3
    assert pairs[-1] == 40


def test_workers_are_calm_while_their_helpers_play(cluster: LocalCluster) -> None:
    from distributed import Client

    def settings() -> Any:
        import dask

        names = "worker.profile.enabled", "admin.tick.interval"
        return [dask.config.get(f"distributed.{name}") for name in names]

    with Client(cluster.address, set_as_default=False) as client:
        assert list(client.run(settings).values()) == [[False, "500 ms"]] * len(client.nthreads())
