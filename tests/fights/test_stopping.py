"""Test questions that end a fight, on fights that are made up and on real ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.fights.engines import CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.fights.play import result_of
from arena.fights.stopping import report_until
from arena.plugin.catalogue import Catalogue
from arena.records.fights import FightResult
from arena.records.joint import Joint
from arena.records.spending import Spending
from arena.records.until import Choice, Until, UntilFight
from tests.golden import Wording


@pytest.fixture
def fight(catalogue: Catalogue) -> Any:
    """Return a function that makes up a fight from pairs won, level and lost."""
    monkey = catalogue.player("monkey")
    engine = CallsEngine(Pairing(catalogue.game("tictactoe"), monkey, monkey, 10**6, 1))

    def made(won: int, level: int, lost: int) -> FightResult:
        counts = PairCounts(joint=Joint(ww=won, dd=level, ll=lost))
        counts.games = {bytes([i]) for i in range(9)}  # several different games
        counts.openings.add("", counts.joint, counts.joint)
        return result_of(counts, engine)

    return made


@pytest.mark.parametrize(
    ("pairs", "until", "decision", "answered"),
    [
        ((30, 10, 2), Until("better"), "better", True),
        ((2, 10, 30), Until("better"), "worse", True),
        ((5, 10, 5), Until("better"), "undecided", False),
        ((5, 900, 5), Until("better", margin=0.02), "undecided", True),
        ((50, 900, 5), Until("better", margin=0.05), "better", True),
        ((5, 10, 5), Until("width", 0.3), "undecided", True),
        ((5, 10, 5), Until("width", 0.1), "undecided", False),
        ((90, 10, 2), Until("width", 0.2), "better", True),
        ((0, 0, 0), Until("better"), "undecided", False),
    ],
)
def test_answer_a_question_by_the_interval(
    fight: Any, pairs: tuple[int, int, int], until: Until, decision: str, answered: bool
) -> None:
    report = report_until(fight(*pairs), until)
    assert (report.decision, report.answered) == (decision, answered)
    mirrored = report_until(fight(*pairs[::-1]), until)
    other = {"better": "worse", "worse": "better"}.get(decision, decision)
    assert (mirrored.decision, mirrored.answered) == (other, answered)


def test_an_error_that_must_be_rarer_makes_the_interval_wider(fight: Any) -> None:
    seen = [report_until(fight(9, 20, 3), Until("better", alpha=a)) for a in (0.2, 0.05, 0.001)]
    lows = [result.score_low or 0.0 for result in seen]
    assert lows == sorted(lows, reverse=True)
    assert len(set(lows)) == 3


@pytest.mark.parametrize(
    ("pairs", "taken"),
    [
        ((30, 10, 2), "a"),  # better and cheaper
        ((5, 900, 5), "a"),
        ((50, 600, 60), "a"),
        ((0, 10, 60), "b"),
        ((5, 10, 5), ""),
        ((0, 0, 0), ""),
    ],
)
def test_take_the_cheaper_player_unless_it_is_worse_by_more_than_the_margin(
    fight: Any, pairs: tuple[int, int, int], taken: str
) -> None:
    until = Until("cheapest", margin=0.1)
    cheap, dear = Spending(cost=Fraction(1)), Spending(cost=Fraction(4))
    made = fight(*pairs)
    report = report_until(renamed(made, cheap, dear), until)
    assert (report.choice, report.answered) == (Choice("a", Fraction(1, 4), taken), bool(taken))
    mirrored = report_until(renamed(fight(*pairs[::-1]), dear, cheap), until)
    other = {"a": "b", "b": "a"}.get(taken, "")
    assert mirrored.choice == Choice("b", Fraction(1, 4), other)
    free = report_until(renamed(made, None, dear), until)
    assert free.choice == Choice("a", Fraction(0), taken)
    same = report_until(renamed(made, dear, dear), until)
    assert (same.choice, same.answered) == (None, False)
    unknown = replace(dear, unpriced=1)
    assert report_until(renamed(made, cheap, unknown), until).choice is None


def renamed(fight: FightResult, *spent: Spending | None) -> FightResult:
    """Return a fight of a and b that cost this much."""
    a, b = (
        replace(player, name=name, spent=each)
        for player, name, each in zip(fight.both, "ab", spent, strict=True)
    )
    return replace(fight, a=a, b=b)


def played(**options: Any) -> UntilFight:
    return arena.until_fight("tictactoe3", "heuristic", seed=1, **options)


@pytest.mark.slow
def test_stop_at_the_same_pair_for_any_number_of_workers() -> None:
    one = played(until="better", executor="serial")
    assert one.report.decision == "better"
    assert one.stopped_early
    assert one.fight.pairs % 10 == 0
    assert played(until="better", workers=2) == one
    fixed = arena.fight("tictactoe3", "heuristic", one.fight.pairs, seed=1)
    assert fixed.joint == one.fight.joint
    before = arena.fight("tictactoe3", "heuristic", one.fight.pairs - 10, seed=1)
    assert not report_until(before, Until("better")).answered


def test_show_the_interval_of_the_rule_and_not_that_of_a_fixed_number() -> None:
    result = played(until=0.05)
    record = result.as_json()
    assert record["until"]["rule"] == "±5%"
    assert (record["until"]["score_high"] - record["until"]["score_low"]) / 2 <= 0.05
    assert record["interval"] == record["until"]["interval"] == "anytime"
    assert record["score_low"] == record["until"]["score_low"]
    assert record["decision"] == result.report.decision
    fixed = arena.fight("tictactoe3", "heuristic", result.fight.pairs, seed=1).as_json()
    assert fixed["interval"] == "fixed n"
    assert record["score_low"] < fixed["score_low"]
    assert fixed["score_high"] < record["score_high"]


def test_players_that_repeat_their_games_end_undecided() -> None:
    result = arena.until_fight("triples", "tree", until="better", seed=1)
    assert (result.fight.pairs, result.report.decision) == (10, "undecided")
    assert not result.is_decided


def test_the_cap_ends_what_is_not_answered() -> None:
    result = played(n=15, until="±1%")
    assert (result.fight.pairs, result.cap, result.is_decided) == (15, 15, False)


def test_the_choice_is_of_players_that_cost_something(wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.until_fight("monkey", "triples", until="cheapest")
    with wording.raises(UsageError):
        Until("cheapest")


@pytest.mark.parametrize("until", ["best", "±0", "60%", "nan", "", "betters"])
def test_refuse_what_a_fight_cannot_answer(until: str) -> None:
    with pytest.raises(UsageError):
        arena.until_fight("monkey", "triples", until=until)
