"""Simulated tournaments: they go by the schedule, and only their intervals of ratings are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import arena
from arena.fights.designs import ScheduleDesign
from arena.plugin.manager import load_catalogue
from arena.records.ratings import RatingTable
from arena.schedules import RoundResult, Schedule, TournamentState
from arena.schedules.knockout import Knockout
from arena.schedules.named import NamedSchedule, ScheduleKind
from arena.schedules.swiss import Swiss
from arena.stats import cutoffs
from arena.stats.cutoffs import Law
from arena.stats.pairings import PairingCounts
from tests.golden import Wording

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
PLAYERS = ("monkey", "lines", "tree", "tictactoe1", "tictactoe2")


def simulated(
    schedule: Schedule,
    ratings: Sequence[float] = (0.0,) * 8,
    names: Sequence[str] = NAMES,
    state: TournamentState | None = None,
    entered: dict[str, int] | None = None,
) -> list[PairingCounts]:
    named = NamedSchedule("", schedule, "it")
    design = ScheduleDesign(named, state or TournamentState(tuple(names), 2), entered or {})
    places = {name: place for place, name in enumerate(names)}
    law = Law(tuple(ratings), 0.1, 0.5)
    return list(design.simulate(places, law, np.random.RandomState(1)))


def met(pairings: Sequence[PairingCounts]) -> Counter[int]:
    return Counter(player for pairing in pairings for player in (pairing.a, pairing.b))


def test_simulated_rounds_are_those_of_the_schedule() -> None:
    result = simulated(Swiss(3))
    assert met(result) == dict.fromkeys(range(8), 3)
    assert len({frozenset((each.a, each.b)) for each in result}) == 12
    assert {sum(times for _, times in each.cells) for each in result} == {2}


def test_the_strongest_wins_a_simulated_knockout() -> None:
    """The last seed wins three matches, and in every pairing the later player wins all games."""
    result = simulated(Knockout(), [20.0 * place for place in range(8)])
    assert met(result)[7] == 3
    for pairing in result:
        for cell, _ in pairing.cells:
            assert {game.points for game in cell} == {2 if pairing.a > pairing.b else 0}


def test_who_comes_late_or_leaves_does_so_in_a_simulation() -> None:
    three = (RoundResult(),) * 3
    state = TournamentState(NAMES, 2, rounds=three, withdrawn={"b": 1})
    result = met(simulated(Swiss(3), state=state, entered={"h": 2}))
    assert result[1] == 1
    assert result[7] <= 1


def test_a_schedule_that_fails_ends_a_simulation() -> None:
    def failing(state: TournamentState) -> list[tuple[str, str]]:
        return [("a", "b")] if not state.rounds else [("a", "a")]

    assert met(simulated(failing)) == {0: 1, 1: 1}


@pytest.fixture
def few_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutoffs, "MAX_TOURNAMENTS", 30)


def ends(table: RatingTable) -> set[bool]:
    return {row.elo.low is not None and row.elo.high is not None for row in table.players}


@pytest.mark.slow
@pytest.mark.usefixtures("few_tournaments")
@pytest.mark.parametrize("schedule", ["swiss:2", "knockout"])
def test_intervals_allow_for_the_schedule(schedule: str) -> None:
    table = arena.tournament(PLAYERS, 3, schedule=schedule, seed=1).ratings
    assert table.method == "simulated"
    assert ends(table) == {True}
    assert table == arena.tournament(PLAYERS, 3, schedule=schedule, seed=1, workers=2).ratings


def test_a_schedule_that_may_not_be_simulated_leaves_no_intervals(wording: Wording) -> None:
    catalogue = load_catalogue()
    catalogue.schedules.add(
        "own", ScheduleKind("own", lambda _: lambda state: Swiss(2)(state)), "it"
    )
    table = arena.tournament(PLAYERS, 3, schedule="own", seed=1, catalogue=catalogue).ratings
    wording(table.statements)
    assert {(row.elo.low, row.elo.high) for row in table.players} == {(None, None)}
    assert (table.advantage.low, table.draws.high) == (None, None)
    assert None not in {row.elo.value for row in table.players}


@pytest.mark.slow
@pytest.mark.usefixtures("few_tournaments")
def test_stored_runs_that_results_chose_have_no_intervals_together(
    tmp_path: Path, wording: Wording
) -> None:
    """The schedule explains one run, and a shown run is alone."""
    path = tmp_path / "swiss.db"
    played = arena.tournament(PLAYERS, 3, schedule="swiss:2", seed=1, store=path)
    table = arena.rate_stores([path])
    assert {(row.elo.low, row.elo.high) for row in table.players} == {(None, None)}
    wording(table.statements)
    assert arena.show(path) == played
