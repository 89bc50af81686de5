"""Plan the games for a wanted result."""

from __future__ import annotations

from typing import Unpack

from arena.clock import now
from arena.errors import UsageError, quoted
from arena.features.fight.function import fight
from arena.features.plan.options import DEFAULT_TRIAL_PAIRS, TRIAL_PAIRS, PlanOptions
from arena.fights import planning, planning_paid
from arena.inputs.questions import hypotheses_of
from arena.inputs.resolve import PlayerLike, get_game, open_catalogue
from arena.kinds import check_value
from arena.records.paid import scale_of
from arena.records.ratings import Plan
from arena.signatures import complete, takes


@takes(PlanOptions)
def plan(
    a: PlayerLike,
    b: PlayerLike,
    n: int = DEFAULT_TRIAL_PAIRS,
    **options: Unpack[PlanOptions],
) -> Plan:
    """Plan the games and seconds of a sequential test, and of estimates, of A against B.

    A trial of n pairs tells how much their results vary and how fast they play. With ``entrants``
    it also plans the round robin in which this many players, each ``apart`` Elo from the next one
    and as drawish as A and B, have distinct ranks. Where games pay, the
    test is of normalised Elo, and ``apart`` is.
    """
    options = complete(plan, options)
    n = check_value("n", TRIAL_PAIRS, n)
    hypotheses = hypotheses_of(options)
    aims = planning.Aims(
        options["error"], options["loss_rate"], options["entrants"], options["apart"]
    )
    planning.plan([0, 0, 1, 0, 0], hypotheses, aims)  # to refuse early
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    game = get_game(options["game"], catalogue)
    if game.seats > 2:
        problem = f"has {game.seats} seats, and arena plan takes games for two"
        raise UsageError(f"game {quoted(game.name)} {problem}")
    if game.is_paid:
        planning_paid.refuse(game, aims)
    started_at = now()
    trial = fight(
        a,
        b,
        n,
        engine="calls",
        game=game,
        seed=options["seed"],
        workers=options["workers"],
        executor=options["executor"],
        in_flight=options["in_flight"],
        budget=options["budget"],
        record=options["record"],
        replay_only=options["replay_only"],
        catalogue=catalogue,
    )
    rate = trial.total.games / (now() - started_at)
    if game.is_paid:
        paid = planning_paid.plan_paid(trial, hypotheses, aims, scale_of(game.payoffs), rate)
        return planning.priced(paid, trial)
    planned = planning.plan(
        trial.observations.counts,
        hypotheses,
        aims,
        players=trial.players,
        game=trial.game,
        rate=rate,
    )
    return planning.priced(planned, trial)
