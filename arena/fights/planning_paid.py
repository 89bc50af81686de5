"""Plan how many games you need in a game that pays: payoffs have no Elo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import sqrt

from arena.errors import UsageError
from arena.fights.planning import WIDTHS, Aims, planned_tests, timed
from arena.records.fights import FightResult
from arena.records.paid import NO_ELO, Scale
from arena.records.ratings import Plan, PlannedTest
from arena.records.sequential import Hypotheses
from arena.stats import grid
from arena.stats import plan as lengths
from arena.stats.elo import NELO
from arena.stats.independence import Observations
from arena.stats.interval import AGRESTI_COULL


def refuse(game: str, aims: Aims) -> None:
    """Raise UsageError for what cannot be planned in a game that pays."""
    if aims.entrants is not None:
        raise UsageError(f"{NO_ELO}, so the ranks of entrants at {game} cannot be planned")


def plan_paid(trial: FightResult, hypotheses: Hypotheses, scale: Scale, rate: float) -> Plan:
    """Plan longer fights from a trial, as :func:`arena.fights.planning.plan` does.

    The hypotheses are differences in normalised Elo. ``rate`` is in games per second.
    """
    paid = trial.paid
    assert paid is not None
    if not paid.pairs:
        raise UsageError("a plan needs a trial of at least one pair")
    _, score, _ = grid.moments(*trial.observations)
    counts, scores = _padded(trial.observations)
    tests = [
        *_tests(hypotheses, trial.compared),
        *_questions(trial, hypotheses.alpha, scale),
    ]
    return Plan(
        players=trial.players,
        game=trial.game,
        counts=trial.observations.counts,
        score=score,
        variance=grid.moments(counts, scores)[2],
        rate=rate,
        tests=tuple(timed(test, rate) for test in tests),
        settings={n: value for n, value in asdict(hypotheses).items() if n != "model"},
        scale=scale,
    )


def _padded(observed: Observations) -> tuple[list[float], tuple[float, ...]]:
    """Regularise the table of a trial, so that a short one errs on the wide side."""
    return grid.padded(observed.counts, AGRESTI_COULL), observed.scores


def _tests(hypotheses: Hypotheses, compared: Observations) -> Iterator[PlannedTest]:
    """Yield the sequential test under possible true differences."""
    _, mean, variance = grid.moments(*_padded(compared))

    def expect(truth: float) -> lengths.ExpectedLength:
        return lengths.expected_normalized_test(
            hypotheses.elo0,
            hypotheses.elo1,
            truth,
            variance,
            alpha=hypotheses.alpha,
            beta=hypotheses.beta,
        )

    in_trial = NELO * (mean - 0.5) / sqrt(2 * variance)
    return planned_tests(hypotheses, "nElo", in_trial, expect)


def _questions(trial: FightResult, alpha: float, scale: Scale) -> Iterator[PlannedTest]:
    """Yield what ``--until`` is expected to need if the law is that of the trial."""
    counts, scores = _padded(trial.compared)
    pairs = lengths.pairs_until(counts, None, alpha, scores=scores)
    yield PlannedTest("until better, as in the trial", pairs.number, None, None, pairs.reason)
    counts, scores = _padded(trial.observations)
    for width in WIDTHS:
        pairs = lengths.pairs_until(counts, width, alpha, scores=scores)
        aim = f"until ±{100 * width:g}%: {width * float(scale.width):g} {scale.unit} per game"
        yield PlannedTest(aim, pairs.number, None, None, pairs.reason)
