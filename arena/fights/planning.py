"""Plan how many games you need for the confidence you want, from the counts of a trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from arena.errors import UsageError, counted
from arena.records.fights import FightResult
from arena.records.ratings import Plan, PlannedTest
from arena.records.sequential import Hypotheses
from arena.stats import grid
from arena.stats import plan as lengths
from arena.stats.elo import elo_of
from arena.stats.interval import AGRESTI_COULL
from arena.stats.plan_ranks import POWER, pairs_for_ranks


class Aims(NamedTuple):
    """The precision that is wanted of a fixed number of pairs."""

    #: The error in Elo that an estimate may have.
    error: float
    #: The loss rate to exclude of a player that never loses.
    loss_rate: float
    #: Number of entrants that are to have distinct ranks; None for no tournament.
    entrants: int | None = None
    #: The Elo from each of them to the next one.
    apart: float = 20.0


#: A law of pairs by their score, from both lost to both won, in a game of which some are drawn.
TYPICAL_LAW = (5, 25, 40, 25, 5)

#: Entrants that differ by less than WIDE Elo are the rule; those of a strong field by CLOSE.
WIDE, CLOSE = 400.0, 100.0

#: The half-widths whose games a plan has.
WIDTHS = (0.05, 0.02, 0.01)


def plan(
    counts: Sequence[int],
    hypotheses: Hypotheses,
    aims: Aims,
    *,
    players: tuple[str, str] | None = None,
    game: str | None = None,
    rate: float | None = None,
) -> Plan:
    """Plan longer fights from the pentanomial of a trial. ``rate`` is in games per second.

    The variance is that of the trial, regularised as in
    :func:`arena.stats.interval.score_interval`: a short trial errs on the wide side.
    """
    if hypotheses.model != "logistic":
        raise UsageError(f"model {hypotheses.model!r} cannot be planned, only 'logistic'")
    if not 0 < aims.loss_rate < 1:
        raise UsageError(f"loss rate {aims.loss_rate:g} is not between 0 and 1")
    if not sum(counts):
        raise UsageError("a plan needs a trial of at least one pair")
    _, score, _ = grid.moments(counts)
    _, mean, variance = grid.moments(grid.padded(counts, AGRESTI_COULL))
    elo = elo_of(mean)
    if elo is None:
        raise UsageError(f"counts {list(counts)} are beyond what a plan can be made from")
    tests = [
        *planned_tests(hypotheses, "Elo", elo, variance, lengths.expected_test),
        *_questions(grid.padded(counts, AGRESTI_COULL), hypotheses.alpha),
        *_estimates(aims.error, elo, variance, aims.loss_rate),
        *_ranks(aims, grid.padded(counts, AGRESTI_COULL)),
    ]
    return Plan(
        players=players,
        game=game,
        counts=tuple(counts),
        score=score,
        variance=variance,
        rate=rate,
        tests=tuple(timed(test, rate) for test in tests),
        settings={
            **{name: value for name, value in asdict(hypotheses).items() if name != "model"},
            "error": aims.error,
            "loss_rate": aims.loss_rate,
            **tournament_settings(aims),
        },
    )


def planned_tests(
    hypotheses: Hypotheses,
    unit: str,
    in_trial: float,
    variance: float,
    expect: Callable[..., lengths.ExpectedLength],
) -> Iterator[PlannedTest]:
    """Yield the sequential test under possible true differences, which have a unit.

    They are both hypotheses, their middle, and that of the trial. ``expect`` is
    :func:`arena.stats.plan.expected_test`, or what plans the test in another unit.
    """
    low, high = hypotheses.elo0, hypotheses.elo1
    truths = {f"{truth:g} {unit}": truth for truth in (low, (low + high) / 2, high)}
    for name, truth in {**truths, f"{in_trial:.0f} {unit}, as in the trial": in_trial}.items():
        rates = {"alpha": hypotheses.alpha, "beta": hypotheses.beta}
        expected = expect(low, high, truth, variance, **rates)
        pairs = expected.observations
        yield PlannedTest(
            aim=f"test, if it is {name}",
            pairs=None if pairs is None else max(1, ceil(pairs)),
            seconds=None,
            accepts_h1=expected.accepts_h1,
            reason=expected.reason,
        )


def _questions(counts: Sequence[float], alpha: float) -> Iterator[PlannedTest]:
    """Yield what ``--until`` is expected to need if the law is that of the trial."""
    for width in (None, *WIDTHS):
        pairs = lengths.pairs_until(counts, width, alpha)
        aim = "until better, as in the trial" if width is None else f"until ±{100 * width:g}%"
        yield PlannedTest(aim, pairs.number, None, None, pairs.reason)


def _estimates(
    error: float, elo: float, variance: float, loss_rate: float
) -> Iterator[PlannedTest]:
    """Yield a plan for a number of pairs that is fixed beforehand."""
    pairs = lengths.pairs_for_error(error, variance, elo=elo)
    yield PlannedTest(f"Elo to +- {error:g}", pairs.number, None, None, pairs.reason)
    games = lengths.games_without_loss(loss_rate)
    half = None if games.number is None else -(-games.number // 2)
    aim = f"fewer losses than {100 * loss_rate:g} %, by having none"
    yield PlannedTest(aim, half, None, None, games.reason)


def _ranks(aims: Aims, law: Sequence[float]) -> Iterator[PlannedTest]:
    """Yield the plan of a round robin whose entrants have distinct ranks."""
    if aims.entrants is None:
        return
    needed = pairs_for_ranks(aims.entrants, aims.apart, law)
    yield planned_ranks(aims.entrants, f"{aims.apart:g} Elo apart", needed)


def planned_ranks(entrants: int, distance: str, needed: lengths.SampleSize) -> PlannedTest:
    """Return the plan of a round robin that takes so many pairs per pairing."""
    pairings = entrants * (entrants - 1) // 2
    aim = f"ranks of {entrants}, {distance}"
    if needed.number is None:
        return PlannedTest(aim, None, None, None, needed.reason, pairings)
    each = f"{aim}: {counted(needed.number, 'pair')} per pairing"
    return PlannedTest(each, needed.number * pairings, None, None, "", pairings)


def tournament_settings(aims: Aims) -> dict[str, float]:
    """Return the settings of a plan of a round robin, if there is one."""
    if aims.entrants is None:
        return {}
    return {"entrants": aims.entrants, "apart": aims.apart, "power": POWER}


def priced(plan: Plan, trial: FightResult) -> Plan:
    """Return a plan with what its games cost, by those of the trial."""
    spent = [player.spent for player in trial.both if player.spent is not None]
    total = sum((each.cost for each in spent), Fraction(0))
    if not (total and trial.total.games):
        return plan
    cost = total / trial.total.games
    tests = (
        replace(test, cost=None if test.games is None else cost * test.games) for test in plan.tests
    )
    return replace(plan, cost=cost, tests=tuple(tests))


def timed(test: PlannedTest, rate: float | None) -> PlannedTest:
    """Return the plan with the seconds that it takes."""
    if rate is None or test.pairs is None:
        return test
    return PlannedTest(**{**asdict(test), "seconds": 2 * test.pairs / rate})


def too_few_pairs(entrants: int, pairs: int) -> str:
    """Say that a round robin has too few pairs per pairing for ranks, or return an empty text.

    Two entrants are a fight, which has an interval of its own.

    >>> too_few_pairs(4, 100)
    ''
    """
    wide, close = (pairs_for_ranks(entrants, elo, TYPICAL_LAW).number for elo in (WIDE, CLOSE))
    if entrants < 3 or wide is None or close is None or wide <= pairs:
        return ""
    return (
        f"{counted(pairs, 'pair')} per pairing will hardly tell {entrants} entrants apart: distinct"
        f" ranks take about {wide} pairs if each entrant is {WIDE:g} Elo above the next one, and"
        f" {close} if it is {CLOSE:g} (arena plan A B --entrants {entrants} plays a trial)"
    )
