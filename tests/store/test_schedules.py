"""Tournaments by rounds in a store: taken up in the middle of a round, they end with the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.executors.base import Executor
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.plugin.registry import ExecutorOffer
from arena.records.played import Played
from arena.records.tournaments import TournamentResult
from arena.runs.rounds import rounds_of
from arena.schedules import MAX_REMATCHES
from arena.stats import cutoffs
from arena.store.journal import StoreJournal
from arena.store.sql import Store
from tests.fights.executors import Interrupting
from tests.fights.test_dropouts import vanishing
from tests.fights.test_rounds import Idle
from tests.golden import Wording
from tests.samples import few
from tests.store.writing import resume

PLAYERS = ("monkey", "lines", "tree", "tictactoe1", "tictactoe2")
SCHEDULES = ("swiss:3", "knockout")


@pytest.fixture(autouse=True)
def _few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate few tournaments for the intervals, of which these tests say nothing."""
    monkeypatch.setattr(cutoffs, "MIN_SIMULATED_RATINGS", 50)
    monkeypatch.setattr(cutoffs, "MIN_TOURNAMENTS", 10)


def play(schedule: str, *players: str, **options: Any) -> TournamentResult:
    chosen: dict[str, Any] = {"seed": 3, "executor": "serial", "schedule": schedule, **options}
    return arena.tournament(players or PLAYERS, 3, **chosen)


def interrupt(path: Path, schedule: str, after: int, *players: str, **options: Any) -> None:
    """Play a tournament up to so many tasks."""
    catalogue = load_catalogue()
    catalogue.executors.add("interrupting", ExecutorOffer(lambda _: Interrupting(after)), "test")
    with pytest.raises(Interrupted):
        play(
            schedule, *players, store=path, executor="interrupting", catalogue=catalogue, **options
        )


@pytest.mark.slow
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("after", few([9, 0, 2, 14]))
def test_a_tournament_goes_on_in_the_middle_of_a_round(
    path: Path, schedule: str, after: int
) -> None:
    interrupt(path, schedule, after)
    partial = arena.show(path, 1)
    assert isinstance(partial, TournamentResult)
    whole = play(schedule)
    assert partial.state is not None
    assert whole.state is not None
    assert partial.state.rounds == whole.state.rounds[: len(partial.state.rounds)]
    assert resume(path) == whole
    assert arena.stored_runs(path).rows[0]["state"] == "complete"


@pytest.mark.slow
def test_openings_beyond_the_first_pairs_are_those_of_the_whole_run(path: Path) -> None:
    book = path.parent / "book.txt"
    book.write_text("\n".join("_" * one + "x" + "_" * (8 - one) for one in range(9)))
    options = {"openings": str(book)}
    interrupt(path, "knockout", 9, **options)
    assert resume(path) == play("knockout", **options)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("starts", few([6, 0, 3, 7, 13]))
def test_who_left_is_left_out_of_later_rounds_also_when_resumed(
    path: Path, schedule: str, starts: int, catalogue: Catalogue
) -> None:
    names = ("tree", "lines", "tictactoe1", "monkey")
    players = [catalogue.player(names[0]), vanishing(starts), *map(catalogue.player, names[1:])]
    game, setting = catalogue.game("tictactoe"), RunSetting(schedule)
    pairings = [Pairing(game, a, b, 3 * MAX_REMATCHES, 4) for a, b in combinations(players, 2)]
    engines = [CallsEngine(pairing) for pairing in pairings]

    def played_by(executor: Executor, journal: StoreJournal) -> Played:
        rounds = rounds_of(setting, pairings, catalogue)
        with journal:
            return runs.play(setting, engines, executor, journal=journal, rounds=rounds)

    store = Store(path, create=True)
    whole = played_by(SerialExecutor(), StoreJournal.begin(store, setting, pairings))
    assert isinstance(whole, TournamentResult)
    assert whole.state is not None
    assert [*whole.state.withdrawn] == ["bot"] * (not starts), "else it forfeits what is left"
    assert played_by(Idle(), StoreJournal(store, 1, pairings)) == whole
    assert arena.show(path, 1) == whole


@pytest.mark.slow
@pytest.mark.parametrize("after", few([4, 0, 2, 6, 9]))
def test_who_is_withdrawn_in_the_middle_counts_for_those_whom_it_has_met(
    path: Path, after: int
) -> None:
    interrupt(path, "swiss:3", after)
    before = arena.show(path, 1)
    assert isinstance(before, TournamentResult)
    assert before.state is not None
    over = before.state.rounds
    played = resume(path, withdraw=["lines"])
    assert played.state is not None
    assert played.state.rounds[: len(over)] == over
    withdrawn = played.state.withdrawn["lines"]
    assert withdrawn in (len(over), len(over) + 1)
    for number, each in enumerate(played.state.rounds):
        names = {name for result in each.pairings for name in result.both} | {*each.byes}
        assert ("lines" in names) == (number < withdrawn)
        assert len(names) == len(PLAYERS) - (number >= withdrawn)
    mine = [result for result in played.state.results() if "lines" in result.both]
    points = sum((result.by_player["lines"] for result in mine), Fraction(0))
    points += 6 * sum("lines" in each.byes for each in played.state.rounds)
    [row] = [row for row in played.standings if row.player == "lines"]
    assert row.marks["points"] == points
    assert arena.stored_runs(path).rows[0]["state"].startswith("complete")
    assert play("swiss:3", store=path) == play("swiss:3"), "the shorter run is not taken for it"


@pytest.mark.slow
def test_who_is_withdrawn_in_a_round_forfeits_what_is_left_of_it(path: Path) -> None:
    interrupt(path, "swiss:3", 1)
    shown = arena.show(path, 1)
    assert isinstance(shown, TournamentResult)
    [begun] = [fight for fight in shown.fights if fight.pairs]
    gone, other = begun.players
    played = resume(path, withdraw=[gone])
    [fight] = [fight for fight in played.fights if {*fight.players} == {gone, other}]
    forfeits = fight.a.forfeits if fight.players[0] == gone else fight.b.forfeits
    assert forfeits == {"unplayed": 2 * (3 - begun.pairs)}
    assert resume(path) == played


@pytest.mark.slow
@pytest.mark.parametrize("after", few([2, 0, 6]))
def test_who_enters_late_has_no_points_from_the_rounds_before(path: Path, after: int) -> None:
    interrupt(path, "swiss:3", after)
    played = resume(path, add=["triples"])
    assert played.state is not None
    assert played.state.entrants == (*PLAYERS, "triples")
    came = [
        number
        for number, each in enumerate(played.state.rounds)
        if any("triples" in result.both for result in each.pairings) or "triples" in each.byes
    ]
    assert came == list(range(came[0], 3))
    assert (came[0] > 0) == (after > 0)
    assert len(played.standings) == 6
    assert resume(path) == played


@pytest.mark.slow
def test_what_a_schedule_does_not_take_is_one_line(path: Path, wording: Wording) -> None:
    interrupt(path, "knockout", 2)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"add": ["triples"]}, "run 1 is a knockout: no player enters it after it began"),
        ({"replace": ["lines=triples"]}, "run 1 is a knockout: its rounds went by the results of"),
    ]
    for options, problem in wrong:
        with pytest.raises(UsageError, match=problem):
            resume(path, **options)
    played = resume(path, withdraw="tree")
    assert played.state is not None
    assert "tree" in played.state.withdrawn
    with wording.raises(UsageError):
        resume(path, withdraw="lines")
