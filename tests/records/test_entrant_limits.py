"""What a tournament tells at every look, also one that plays all its pairs."""

from __future__ import annotations

from typing import Any

import pytest

import arena
from arena.records.entrant_limits import EntrantLimits, limits_of
from tests.samples import few

EQUAL = [f"{name}=monkey" for name in "abcd"]


def played(
    players: list[str], n: int, seed: int = 1, **more: Any
) -> arena.records.TournamentResult:
    return arena.tournament(players, n=n, seed=seed, engine="calls", executor="serial", **more)


@pytest.mark.parametrize("gauntlet", few([None, "a"], 0))
def test_equal_entrants_are_hardly_ever_told_apart_however_many_the_looks(
    gauntlet: str | None,
) -> None:
    wrong_ranks = wrong_values = entrants = 0
    for seed in range(8):
        looks = [limits_of(played(EQUAL, n, seed, gauntlet=gauntlet)) for n in (2, 4, 8, 16, 32)]
        field = list(looks[-1])
        assert set(field) == set("abcd") - {gauntlet}
        entrants += len(field)
        wrong_ranks += any(
            limits.ranks != (1, len(field)) for look in looks for limits in look.values()
        )
        for name in field:
            ends = [look[name].value for look in looks if name in look]
            wrong_values += any(not low <= 0.5 <= high for low, high in ends)
    assert wrong_ranks <= 2
    assert wrong_values <= 0.2 * entrants


@pytest.mark.slow
def test_limits_are_wider_than_those_at_the_end_and_narrow_down() -> None:
    strong = ["minimax", "triples", "monkey"]
    few, many = (limits_of(played(strong, n)) for n in (20, 100))
    for name in strong:
        assert width(many[name]) < width(few[name]) <= 1
    assert many["monkey"].ranks == (3, 3)
    assert many["monkey"].value[1] < 0.5 < many["minimax"].value[0]
    standings = {row.player: row for row in played(strong, 100).standings}
    for name, limits in many.items():
        row = standings[name]
        assert row.rank_low is not None
        assert row.rank_high is not None
        assert limits.ranks[0] <= row.rank_low <= row.rank_high <= limits.ranks[1]


def width(limits: EntrantLimits) -> float:
    return limits.value[1] - limits.value[0]


def test_a_gauntlet_ranks_all_but_the_challenger() -> None:
    result = played(["monkey", "minimax", "d=monkey"], 60, gauntlet="monkey")
    limits = limits_of(result)
    assert set(limits) == {"minimax", "d"}
    assert (limits["minimax"].ranks, limits["d"].ranks) == ((1, 1), (2, 2))
    assert limits["minimax"].value[0] > limits["d"].value[1]


def test_pairings_that_lack_games_leave_everything_open() -> None:
    result = played(EQUAL, 1)
    for limits in limits_of(result).values():
        assert limits == EntrantLimits((1, 4), (0.0, 1.0))
