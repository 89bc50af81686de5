"""Cycles of a tournament, as its result and its page tell them."""

from __future__ import annotations

import re
from dataclasses import replace

from arena.fights.standings import tournament_of
from arena.plugin.manager import load_catalogue
from arena.records.fights import FightResult
from arena.records.joint import Joint
from arena.records.void import VoidPairs
from tests.fights.test_standings import a_fight

WON, LOST = Joint(ll=5, dd=10, ww=25), Joint(ll=25, dd=10, ww=5)


def met(a: str, b: str, joint: Joint) -> FightResult:
    fight = a_fight(a, b, 0, 0, 0)
    return replace(fight, joint=joint, planned=joint.pairs, distinct_games=joint.pairs)


def circle() -> list[FightResult]:
    return [met("rock", "scissors", WON), met("scissors", "paper", WON), met("rock", "paper", LOST)]


def test_a_tournament_tells_its_cycle() -> None:
    result = tournament_of(circle(), "round robin")
    assert result.cycles is not None
    (cycle,) = result.cycles.strongest
    assert cycle.scores == (0.75, 0.75, 0.75)
    text = " ".join(load_catalogue().reports.get("table")(result).split())
    assert re.search(r" paper \w+ rock \(75\.00 %\), rock \w+ scissors ", text)
    assert " 100.00 % of the variance " in text


def test_no_cycle_without_three_that_met() -> None:
    assert tournament_of(circle()[:2], "gauntlet").cycles is None
    killed = (VoidPairs(1, 1, "exit code 3", killed=True),)
    voided = [*circle()[:2], replace(circle()[2], void=2, void_pairs=killed)]
    assert tournament_of(voided, "round robin").cycles is None


def test_games_that_repeat_are_no_cycle() -> None:
    fights = [
        replace(met(a, b, Joint(ww=40)), distinct_games=2)
        for a, b in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
    ]
    result = tournament_of(fights, "round robin")
    assert result.cycles is not None
    assert result.cycles.count == 0


def test_fights_that_their_results_ended_make_no_cycle() -> None:
    fights = [replace(fight, is_sequential=True) for fight in circle()]
    assert tournament_of(fights, "round robin").cycles is None
    assert tournament_of(fights, "round robin").rank_intervals is None
