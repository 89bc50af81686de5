"""Reports of sequential tests: the state of the test, and estimates that hold with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import sqrt
from typing import NamedTuple

from arena.records.intervals import FIXED, STOPPED
from arena.records.sequential import Hypotheses, SprtReport
from arena.stats import grid, sequential_estimate
from arena.stats.elo import (
    NELO,
    Estimate,
    elo_estimate,
    expected_score,
    in_elo,
    likelihood_of_superiority,
    nelo_estimate,
    nelo_interval,
)
from arena.stats.independence import Observations
from arena.stats.interval import score_interval
from arena.stats.sprt import Sprt, SprtDesign, bounds, sprt


class StrengthEstimates(NamedTuple):
    """Estimates of who is stronger by how much."""

    #: ``FIXED`` or ``STOPPED``.
    kind: str
    score: Estimate
    elo: Estimate
    nelo: Estimate
    superiority: float | None


def report(counts: Sequence[int], hypotheses: Hypotheses) -> SprtReport:
    """Return the state of the test on counts of games (lost, drawn, won) or of pairs (LL to WW).

    The estimates take the number of games or pairs as chosen beforehand.
    """
    test = sprt(counts, **asdict(hypotheses))
    table = Observations(tuple(counts), tuple(grid.scores(counts)))
    return _report(table, hypotheses, test, _fixed(counts))


def report_stopped(
    table: Observations, hypotheses: Hypotheses, batch: int, seed: int
) -> SprtReport:
    """Return the state of a test of pairs that has stopped, with the estimates of its design.

    The test looked after every ``batch`` pairs. ``seed`` is for the simulation of a test of few
    looks (:mod:`arena.stats.sequential_estimate`).
    """
    test = sprt(table.counts, **asdict(hypotheses), scores=table.scores)
    design = _design(table, hypotheses, batch)
    if design is None:
        return _report(table, hypotheses, test, _fixed(table.counts, table.scores))
    return _report(table, hypotheses, test, _stopped(table, design, test.decision, seed))


def _fixed(counts: Sequence[int], scores: Sequence[float] | None = None) -> StrengthEstimates:
    interval = score_interval(counts, scores=scores)
    if interval is None:
        score = Estimate(None, reason="nothing was played")
    else:
        score = Estimate(grid.moments(counts, scores)[1], None, "", *interval)
    return StrengthEstimates(
        FIXED,
        score,
        elo_estimate(counts, scores=scores),
        nelo_estimate(counts, scores=scores),
        likelihood_of_superiority(counts, scores=scores),
    )


def _stopped(
    table: Observations, design: SprtDesign, decision: str, seed: int
) -> StrengthEstimates:
    estimate = sequential_estimate.estimate(
        table.counts, decision, design, scores=table.scores, seed=seed
    )
    three = estimate.mean, estimate.low, estimate.high
    if sum(map(bool, table.counts)) == 1:
        nelo = Estimate(None, reason="all results were the same")
    else:
        low, high = nelo_interval(*three, *table)
        value = NELO * (estimate.mean - 0.5) / sqrt(2 * _variance(table))
        nelo = Estimate(value, (high - low) / 2, low=low, high=high)
    score = Estimate(estimate.mean, None, "", estimate.low, estimate.high)
    superiority = min(1.0, max(0.0, estimate.superiority))  # rounding goes beyond
    return StrengthEstimates(STOPPED, score, in_elo(*three), nelo, superiority)


def _variance(table: Observations) -> float:
    """Return the variance of an observation, regularised."""
    return grid.moments(grid.padded(table.counts, grid.JEFFREYS), table.scores)[2]


def _design(table: Observations, hypotheses: Hypotheses, batch: int) -> SprtDesign | None:
    """Return the test as one of mean scores. None without results, or if both means are equal.

    Normalised Elo is turned into a score by the variance of the observations.
    """
    if not sum(table.counts):
        return None
    elos = hypotheses.elo0, hypotheses.elo1
    if hypotheses.model == "logistic":
        mean0, mean1 = map(expected_score, elos)
    else:
        unit = sqrt(2 * _variance(table)) / NELO
        mean0, mean1 = (min(max(0.5 + elo * unit, 1e-9), 1 - 1e-9) for elo in elos)
    if mean0 == mean1:
        return None
    return SprtDesign(mean0, mean1, bounds(hypotheses.alpha, hypotheses.beta), batch)


def _report(
    table: Observations, hypotheses: Hypotheses, test: Sprt, estimates: StrengthEstimates
) -> SprtReport:
    score, elo, nelo = estimates.score, estimates.elo, estimates.nelo
    reasons = {"llr": test.reason, "elo": elo.reason, "nelo": nelo.reason}
    return SprtReport(
        counts=table.counts,
        scores=table.scores,
        **asdict(hypotheses),
        llr=test.llr,
        lower=test.lower,
        upper=test.upper,
        decision=test.decision,
        estimate=estimates.kind,
        score=score.value,
        score_low=score.low,
        score_high=score.high,
        elo=elo.value,
        elo_low=elo.low,
        elo_high=elo.high,
        elo_error=elo.error,
        nelo=nelo.value,
        nelo_low=nelo.low,
        nelo_high=nelo.high,
        nelo_error=nelo.error,
        los=estimates.superiority,
        reasons={name: reason for name, reason in reasons.items() if reason},
    )
