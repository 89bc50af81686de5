"""The check of ``choose_batch``: each mistake has its finding, and what is right passes."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

import arena
from arena.features.check.record import Level
from arena.game import Position
from arena.player import PlayerInfo
from arena.player.batches import BatchRandom
from tests.golden import Wording
from tests.samples import few


def choose(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def right(positions: Any, rng: BatchRandom) -> Any:
    return rng.choice(positions.legal)


def by_place(positions: Any, rng: BatchRandom) -> Any:
    """Move by the place in the block."""
    rows = np.arange(len(positions))
    return np.where(rows < 40, rng.choice(positions.legal), positions.legal.argmax(axis=1))


def by_company(positions: Any, rng: BatchRandom) -> Any:
    """Move otherwise where every position of the block is the same."""
    if (positions.mine == positions.mine[0]).all():
        return positions.legal.argmax(axis=1)
    return rng.choice(positions.legal)


def first_free(positions: Any, rng: BatchRandom) -> Any:
    return positions.legal.argmax(axis=1)


def taken(positions: Any, rng: BatchRandom) -> Any:
    return np.where(positions.mine.any(axis=1), positions.mine.argmax(axis=1), 0)


def raising(positions: Any, rng: BatchRandom) -> Any:
    raise LookupError("no idea")


def loud(positions: Any, rng: BatchRandom) -> Any:
    print("here")
    return rng.choice(positions.legal)


def sampled(position: Position, rng: random.Random) -> int:
    """Choose as ``choose`` does, in a way that cannot be enumerated."""
    legal = position.legal_moves()
    return legal[int(rng.random() * len(legal))]


def findings(batch: Any, single: Any = choose) -> dict[str, tuple[Level, str]]:
    player = PlayerInfo("p", single, choose_batch=batch)
    report = arena.check(player, positions=150, seed=2)
    return {f.check: (f.level, f.message) for f in report.findings if f.check.startswith("batch")}


@pytest.mark.slow
@pytest.mark.parametrize(("batch", "single"), [(loud, choose), (right, choose), (right, sampled)])
def test_a_player_that_is_right_passes(batch: Any, single: Any) -> None:
    result = findings(batch, single)
    assert [*result] == ["batch: legal", "batch: company", "batch: moves"]
    assert {level for level, _ in result.values()} == {Level.PASS}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("batch", "single", "check"),
    few(
        [
            (by_place, choose, "batch: company"),
            (first_free, sampled, "batch: moves"),
            (raising, choose, "batch: legal"),
            (by_company, choose, "batch: company"),
            (first_free, choose, "batch: moves"),
            (taken, choose, "batch: legal"),
        ],
        1,
    ),
)
def test_each_mistake_has_its_finding(
    batch: Any, single: Any, check: str, wording: Wording
) -> None:
    level, message = findings(batch, single)[check]
    assert level == Level.FAIL
    wording(message)


def slow(positions: Any, rng: BatchRandom) -> Any:
    time.sleep(0.02)
    return rng.choice(positions.legal)


@pytest.mark.slow
def test_who_is_slower_by_batches_is_warned(wording: Wording) -> None:
    player = PlayerInfo("p", choose, choose_batch=slow)
    report = arena.check(player, positions=5, seed=2, timed=True)
    [finding] = [finding for finding in report.findings if finding.check == "batch: time"]
    assert finding.level == Level.WARNING
    wording(finding.message)
    assert report.conforms
