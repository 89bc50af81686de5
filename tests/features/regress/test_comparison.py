"""The first step of a run: proofs, and faults that name their player."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import arena
from arena.features.regress.comparison import compare_job
from arena.features.regress.plan import PlayerExam
from arena.features.regress.policies import PolicyTable
from arena.features.regress.record import RegressionVerdict
from arena.game import Position
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording
from tests.simple import last, lowest

CLAIM = "never-loses:tictactoe"


def raising(position: Position, rng: random.Random) -> int:
    raise ZeroDivisionError("oh no")


def test_a_claim_that_is_proved_needs_no_games(catalogue: Catalogue) -> None:
    player = catalogue.player("triples")
    comparison = compare_job(PlayerExam(player, arena.get_game("tictactoe"), (CLAIM,)))
    (claim,) = comparison.claims
    assert (claim.player, claim.game, claim.claim) == ("triples", "tictactoe", CLAIM)
    assert (claim.verdict, claim.games, claim.method) == (RegressionVerdict.HOLDS, 0, "proof")
    assert comparison.comparison is None, "it was not asked for"
    assert (comparison.policy, comparison.is_fault) == (None, False)


@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_a_fault_is_that_of_the_player_at_the_game(wording: Wording) -> None:
    bad = PlayerInfo("bad", raising, games=("tictactoe",), claims=(CLAIM,))
    report = arena.regress([bad], game="tictactoe", executor="serial")
    (claim,) = report.claims
    assert (claim.player, claim.game, claim.verdict) == (
        "bad",
        "tictactoe",
        RegressionVerdict.FAULT,
    )
    wording(claim.message, "ZeroDivisionError")
    assert (report.comparisons, report.exit_code) == ((), 4)


@pytest.mark.parametrize("has_claim", [True, False])
def test_the_seconds_of_a_job_are_those_that_passed(has_claim: bool) -> None:
    job = PlayerExam(PlayerInfo("p", lowest), arena.get_game("mnk-3-2-3"), (CLAIM,) * has_claim)
    comparison = compare_job(job)
    assert all(0 < check.seconds < 60 for check in comparison.claims)


@pytest.mark.parametrize(
    ("before", "is_wanted", "is_compared"),
    [(None, False, False), (None, True, True), ({}, False, True), ({}, True, True)],
)
def test_a_player_that_plays_otherwise_is_compared_where_that_was_asked_for(
    before: PolicyTable | None, is_wanted: bool, is_compared: bool
) -> None:
    liar = PlayerInfo("liar", last, distribution=declared)
    job = PlayerExam(liar, arena.get_game("mnk-3-2-3"), (), before=before, is_wanted=is_wanted)
    comparison = compare_job(job)
    assert comparison.is_fault
    assert (comparison.comparison is not None) == is_compared
    if comparison.comparison is not None:
        assert comparison.comparison.verdict == RegressionVerdict.BROKEN


def declared(position: Position) -> dict[int, Fraction]:
    return {position.legal_moves()[0]: Fraction(1)}
