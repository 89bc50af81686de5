"""One rule of tictactoe3 broken: the check says so at once, and says where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.features.regress.record import RegressionVerdict
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate_file import parse_certificate
from arena.proof.checker import check_certificate
from tests.golden import Wording

Mutate = Callable[[str], PlayerInfo]


@pytest.mark.slow
def test_a_broken_rule_is_found_with_a_losing_line_or_changed_positions(
    mutant: PlayerInfo, small_baseline: Path, catalogue: Catalogue, wording: Wording
) -> None:
    report = arena.regress(
        [mutant], game="tictactoe", baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    assert report.exit_code == 1
    (claim,), (comparison,) = report.claims, report.comparisons
    assert (
        claim.verdict == RegressionVerdict.BROKEN or comparison.verdict == RegressionVerdict.WEAKER
    )
    assert comparison.changed >= len(comparison.examples) > 0
    for example in comparison.examples:
        now = arena.distribution(mutant, example.position)
        assert {str(move + 1): chance for move, chance in now.items()} == example.after
        then = arena.distribution("tictactoe3", example.position, catalogue=catalogue)
        assert {str(move + 1): chance for move, chance in then.items()} == example.before
        assert example.before != example.after
    certificate = arena.certify(mutant, catalogue=catalogue)
    check_certificate(parse_certificate(certificate.with_moves(), catalogue.game), 10**6)
    assert (claim.verdict == RegressionVerdict.HOLDS) == certificate.never_loses
    if claim.line is not None:
        assert claim.line.steps[-1].picture.count("x") > 2
        wording(claim.line.command, "--game")


@pytest.mark.slow
def test_the_same_rules_in_other_words_are_the_same_policy(
    mutate: Mutate, small_baseline: Path, catalogue: Catalogue
) -> None:
    report = arena.regress(
        [mutate("none")],
        game="tictactoe",
        baseline=small_baseline,
        catalogue=catalogue,
        executor="serial",
    )
    assert [check.verdict for check in report.checks] == [
        RegressionVerdict.HOLDS,
        RegressionVerdict.SAME,
    ]
    assert report.exit_code == 0


@pytest.mark.slow
def test_a_change_that_costs_nothing_is_told_and_is_no_failure(
    mutate: Mutate, small_baseline: Path, catalogue: Catalogue
) -> None:
    report = arena.regress(
        [mutate("harmless")],
        game="tictactoe",
        baseline=small_baseline,
        catalogue=catalogue,
        executor="serial",
    )
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (0, RegressionVerdict.NO_WEAKER)
    assert (comparison.changed, comparison.before) == (8, comparison.after)


@pytest.mark.slow
def test_a_better_player_is_stronger(small_baseline: Path, catalogue: Catalogue) -> None:
    better = replace(catalogue.player("minimax"), name="tictactoe1")
    report = arena.regress(
        [better], game="tictactoe", baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (0, RegressionVerdict.STRONGER)
    assert comparison.exploitability == (Fraction(1, 4), Fraction(0))


@pytest.mark.slow
def test_exact_scores_are_those_of_the_pairings(
    mutate: Mutate, small_baseline: Path, catalogue: Catalogue
) -> None:
    mutant = mutate("no fork taken")
    report = arena.regress(
        [mutant], game="tictactoe", baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    for score in report.comparisons[0].panel:
        for player, expected in (("tictactoe3", score.before), (mutant, score.after)):
            exact = arena.exact(player, score.opponent, catalogue=catalogue)
            assert exact.total.score == expected


@pytest.mark.slow
def test_the_unchanged_tree_is_as_strong_every_time_with_any_workers(
    built_in: Path, catalogue: Catalogue
) -> None:
    reports = [
        arena.regress(baseline=built_in, workers=workers, catalogue=catalogue) for workers in (1, 2)
    ]
    assert {report.exit_code for report in reports} == {0}
    assert len({str(report.as_json()) for report in reports}) == 1
    assert {check.verdict for check in reports[0].checks} == {
        RegressionVerdict.HOLDS,
        RegressionVerdict.SAME,
    }


@pytest.mark.slow
def test_others_are_measured_against_the_panel_as_it_was(
    mutate: Mutate, small_baseline: Path, catalogue_with: Callable[..., Catalogue]
) -> None:
    """A player that got weaker makes nobody else stronger."""
    report = arena.regress(
        game="tictactoe",
        baseline=small_baseline,
        catalogue=catalogue_with(mutate("no block"), without=("lines", "minimax", "tree")),
        executor="serial",
    )
    assert {check.player for check in report.failures} == {"tictactoe3"}
    others = [c for c in report.comparisons if c.player != "tictactoe3"]
    assert {comparison.verdict for comparison in others} == {
        RegressionVerdict.SAME,
        RegressionVerdict.NEW,
    }


@pytest.mark.slow
@pytest.mark.parametrize("panel", [("tictactoe1",), ("triples", "heuristic")])
def test_a_part_of_the_panel(
    panel: tuple[str, ...], small_baseline: Path, catalogue: Catalogue
) -> None:
    report = arena.regress(
        ["triples"],
        game="tictactoe",
        baseline=small_baseline,
        panel=panel,
        catalogue=catalogue,
        executor="serial",
    )
    assert tuple(score.opponent for score in report.comparisons[0].panel) == panel
