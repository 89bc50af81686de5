"""``--explain``: the methods, their sources, and the numbers that went in."""

from __future__ import annotations

import json

import pytest

import arena
from arena.plugin.manager import load_catalogue
from arena.records.base import Record
from tests.conftest import Run
from tests.fights.test_standings import a_fight
from tests.golden import Wording

PLAYERS = ("tictactoe1", "monkey", "tictactoe3")


@pytest.fixture(scope="module")
def played() -> arena.records.TournamentResult:
    return arena.tournament(PLAYERS, 20, seed=1)


def test_every_number_of_a_tournament_has_a_method_and_a_source(
    played: arena.records.TournamentResult,
    wording: Wording,
) -> None:
    methods = {method.shown: method for method in arena.with_methods(played).methods}
    wording(list(methods), "observations", "cycles", "Elo")
    assert all(method.source for name, method in methods.items() if name != "observations")
    assert [method.numbers.get("comparisons") for method in methods.values()].count(3) == 2
    assert methods["cycles"].numbers["triples"] == 1
    assert methods["observations"].numbers == {"pairs": 60, "observations": 60}


def test_pairs_that_repeat_are_one_observation() -> None:
    (result,) = [
        method
        for method in arena.with_methods(a_fight("anna", "bert", 50, 0, 0)).methods
        if method.shown == "observations"
    ]
    assert result.numbers == {"pairs": 50, "observations": 1}


def test_json_gains_the_methods_and_csv_stays(played: arena.records.TournamentResult) -> None:
    explained, reports = arena.with_methods(played), load_catalogue().reports
    with_them = json.loads(reports.get("json")(explained))
    assert with_them.pop("methods")[0]["shown"] == "observations"
    assert with_them == json.loads(reports.get("json")(played))
    assert reports.get("csv")(explained) == reports.get("csv")(played)


@pytest.mark.slow
def test_the_command_tells_the_methods_below_the_page(run: Run) -> None:
    words = ["fight", "monkey", "lines", "-n", "5", "--seed", "1"]
    ran, plain = run(*words, "--explain"), run(*words)
    assert (ran.code, ran.err) == (0, "")
    assert "Agresti" in ran.out
    assert set(plain.out.splitlines()) <= set(ran.out.splitlines())
    refused = run(*words, "--explain", "--table", "standings")
    assert refused.code == 2
    assert "--table" in refused.err


def first_source(record: Record) -> str:
    return arena.with_methods(record).methods[0].source


@pytest.mark.slow
def test_a_fight_names_the_interval_that_its_stop_allows() -> None:
    players = ("monkey", "lines", 20)
    assert "Agresti" in first_source(arena.fight(*players, seed=1))
    assert "Waudby-Smith" in first_source(arena.until_fight(*players, seed=1, until="±20%"))
    assert "Siegmund" in first_source(arena.sprt_fight(*players, seed=1))


def test_a_tournament_with_a_question_names_how_it_was_answered() -> None:
    played = arena.tournament(PLAYERS, 40, until="best", seed=1)
    shown = [method.shown for method in arena.with_methods(played).methods]
    assert shown == ["observations", "answer", "Elo"]
