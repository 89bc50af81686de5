"""Tournaments by rounds: the same for any number of workers, and whatever a schedule does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import PluginError, UsageError
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.schedules import PairingResult, TournamentState
from arena.schedules.knockout import bracket
from arena.schedules.named import ScheduleKind
from arena.schedules.swiss import standings
from tests.golden import Wording

PLAYERS = ("monkey", "lines", "tree", "tictactoe1", "tictactoe2")


def play(schedule: str, **options: Any) -> arena.records.TournamentResult:
    chosen: dict[str, Any] = {"n": 3, "seed": 1, "executor": "serial", **options}
    return arena.tournament(PLAYERS, schedule=schedule, **chosen)


def known_of(played: arena.records.TournamentResult) -> TournamentState:
    assert played.state is not None
    return played.state


@pytest.mark.slow
def test_a_swiss_tournament_has_the_games_of_its_fights() -> None:
    played = play("swiss:3")
    known = known_of(played)
    assert len(played.fights) == 6
    by_names = {frozenset(fight.players): fight for fight in played.fights}
    assert len(by_names) == 6
    for result in known.results():
        fight = by_names[frozenset(result.both)]
        assert fight == arena.fight(*fight.players, n=3, seed=1, executor="serial")
        assert result.by_player[fight.players[0]] == fight.total.points
    assert [row.player for row in played.standings] == [p.player for p in standings(known)]
    points = {row.player: row.marks["points"] for row in played.standings}
    byes = [name for each in known.rounds for name in each.byes]
    for row in played.standings:
        assert points[row.player] == row.tally.points + 6 * byes.count(row.player)


@pytest.mark.slow
def test_a_knockout_plays_a_drawn_match_on_in_its_fight() -> None:
    played = play("knockout")
    drawn = [match for level in bracket(known_of(played)) for match in level if match.pairs > 3]
    assert drawn
    for match in drawn:
        [fight] = [f for f in played.fights if {*f.players} == {match.a, match.b}]
        assert fight.pairs == fight.planned == match.pairs
        own = match.points if fight.players[0] == match.a else match.points[::-1]
        assert own[0] == fight.total.points


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["swiss:2", "knockout"])
def test_the_record_is_the_same_for_any_number_of_workers(schedule: str) -> None:
    alone = play(schedule)
    assert play(schedule, executor="processes", workers=3) == alone
    record = json.loads(json.dumps(alone.as_json()))
    assert len(record["rounds"]) == len(record["byes"]) == len(known_of(alone).rounds)
    first = record["rounds"][0][0]
    assert {*first} == {"players", "pairs", "points"}
    assert sum(first["points"]) == 2 * first["pairs"]


@pytest.mark.parametrize(
    "schedule",
    [
        "swiss:4",
        "swiss",
        "swiss:0",
        "swiss:-1",
        "swiss:²",
        "swis:3",
        "knockout:3",
        "fight",
    ],
)
def test_nonsense_is_one_line(schedule: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        play(schedule)
    wording(str(caught.value))
    assert caught.value.exit_code == 2


def test_rounds_have_no_tables(wording: Wording) -> None:
    with wording.raises(UsageError, match="'swiss:2'"):
        play("swiss:2", engine="table")


@pytest.mark.slow
def test_two_entrants_play_too() -> None:
    for schedule in ("swiss:1", "knockout"):
        played = arena.tournament(["monkey", "lines"], 3, schedule=schedule, seed=1)
        assert played.standings[0].player == "lines"


# -- schedules that break their contract -------------------------------------------------------


def offering(schedule: Callable[[TournamentState], Any]) -> Catalogue:
    catalogue = load_catalogue()
    catalogue.schedules.add("own", ScheduleKind("own", lambda text: schedule, plugin="it"), "it")
    return catalogue


@pytest.mark.parametrize(
    "second",
    [
        [("lines", "lines")],
        [("lines", "line")],
        [("lines", "tree"), ("lines", "monkey")],
        5,
        ValueError("none today"),
    ],
)
def test_the_games_before_a_fault_are_kept(second: Any, wording: Wording) -> None:
    def schedule(known: TournamentState) -> Any:
        if not known.rounds:
            return [("lines", "monkey")]
        if isinstance(second, Exception):
            raise second
        return second

    played = play("own", catalogue=offering(schedule))
    wording(played.fault)
    assert [fight.pairs for fight in played.fights] == [3]
    assert played.as_json()["fault"] == played.fault
    assert {row.player for row in played.standings} == {*PLAYERS}


def test_a_fault_before_any_game_raises(wording: Wording) -> None:
    with wording.raises(PluginError, match="'monkey'"):
        play("own", catalogue=offering(lambda known: [("monkey", "monkey")]))


def test_a_schedule_without_an_end_is_ended_with_its_games(wording: Wording) -> None:
    played = play("own", catalogue=offering(lambda known: [("tree", "monkey")]))
    wording(played.fault, "'tree'", "'monkey'", "27")
    [fight] = played.fights
    assert fight.pairs == 24
    assert [result.pairs for result in known_of(played).results()] == [3] * 8
    total = sum((result.points[0] for result in known_of(played).results()), Fraction(0))
    assert total == fight.total.reversed().points


def test_standings_that_fail_leave_the_usual_ones(wording: Wording) -> None:
    class Own:
        def __call__(self, known: TournamentState) -> list[tuple[str, str]]:
            return [] if known.rounds else [("tree", "monkey")]

        def standings(self, known: TournamentState) -> object:
            raise ValueError("no idea")

    played = play("own", catalogue=offering(Own()))
    wording(played.fault, "'own'", "ValueError")
    assert [row.player for row in played.standings][:2] == ["tree", "monkey"]


@pytest.mark.slow
def test_a_player_that_never_starts_loses_its_pairing_and_is_left_out_then(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("nonsense")
    names = ["./bot.py", "monkey", "lines", "tree"]
    played = arena.tournament(names, 2, schedule="swiss:2", seed=1, executor="serial")
    known = known_of(played)
    assert known.withdrawn == {"./bot.py": 1}
    [lost] = [result for result in known.results() if "./bot.py" in result.both]
    assert lost.by_player["./bot.py"] == 0
    assert [*played.withdrawn] == ["./bot.py"]
    second = known.rounds[1]
    assert len(second.pairings) == len(second.byes) == 1
    opponent = next(name for name in lost.both if name != "./bot.py")
    assert lost == PairingResult(*lost.both, 2, lost.points)
    assert replace(known, rounds=known.rounds[:1]).scores()[opponent] == 4
