"""Plan how many games you need in a game that pays: payoffs have no Elo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import sqrt

from arena.errors import UsageError
from arena.fights.planning import (
    WIDTHS,
    Aims,
    planned_ranks,
    planned_tests,
    timed,
    tournament_settings,
)
from arena.game import Game
from arena.records.fights import FightResult
from arena.records.paid import Scale
from arena.records.ratings import Plan, PlannedTest
from arena.records.sequential import Hypotheses
from arena.stats import grid
from arena.stats import plan as lengths
from arena.stats.elo import NELO, expected_score
from arena.stats.independence import Observations
from arena.stats.interval import AGRESTI_COULL
from arena.stats.plan_ranks import elo_of_normalized, pairs_for_ranks


def refuse(game: Game, aims: Aims) -> None:
    """Raise UsageError for what cannot be planned in a game that pays."""
    if aims.entrants is not None and game.payoffs.total is None:
        raise UsageError(
            f"the payoffs of {game.name} have no constant sum, so that what one entrant gets does"
            " not tell what the other gets: the ranks of entrants cannot be planned"
        )


def plan_paid(
    trial: FightResult, hypotheses: Hypotheses, aims: Aims, scale: Scale, rate: float
) -> Plan:
    """Plan longer fights from a trial, as :func:`arena.fights.planning.plan` does.

    The hypotheses are differences in normalised Elo, and so is that of entrants. ``rate`` is in
    games per second.
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
        *_ranks(aims, trial.compared, scale),
    ]
    return Plan(
        players=trial.players,
        game=trial.game,
        counts=trial.observations.counts,
        score=score,
        variance=grid.moments(counts, scores)[2],
        rate=rate,
        tests=tuple(timed(test, rate) for test in tests),
        settings={
            **{n: value for n, value in asdict(hypotheses).items() if n != "model"},
            **tournament_settings(aims),
        },
        scale=scale,
    )


def _padded(observed: Observations) -> tuple[list[float], tuple[float, ...]]:
    """Regularise the table of a trial, so that a short one errs on the wide side."""
    return grid.padded(observed.counts, AGRESTI_COULL), observed.scores


def _tests(hypotheses: Hypotheses, compared: Observations) -> Iterator[PlannedTest]:
    """Yield the sequential test under possible true differences."""
    _, mean, variance = grid.moments(*_padded(compared))

    in_trial = NELO * (mean - 0.5) / sqrt(2 * variance)
    return planned_tests(hypotheses, "nElo", in_trial, variance, lengths.expected_normalized_test)


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


def _ranks(aims: Aims, compared: Observations, scale: Scale) -> Iterator[PlannedTest]:
    """Yield the plan of a round robin whose entrants have distinct ranks."""
    if aims.entrants is None:
        return
    law, scores = _padded(compared)
    elo = elo_of_normalized(aims.apart, law, scores)
    if elo is None:
        needed, payoff = lengths.SampleSize(None, "no game pays so much more"), ""
    else:
        needed = pairs_for_ranks(aims.entrants, elo, law, scores=scores)
        gap = (expected_score(elo) - 0.5) * float(scale.width)
        payoff = f" ({gap:.3g} {scale.unit} per game)"
    yield planned_ranks(aims.entrants, f"{aims.apart:g} nElo{payoff} apart", needed)
