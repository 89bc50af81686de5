"""Plan a tournament before a game of it is played."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Unpack

from arena.errors import UsageError
from arena.features.plan.options import TournamentPlanOptions
from arena.inputs.options import DEFAULT_CAP, PAIRS
from arena.kinds import check_value
from arena.records.answers import TournamentPlan
from arena.records.until import OF_TOURNAMENTS, ORDER, read_until
from arena.rng import fresh_seed
from arena.signatures import complete, takes

#: The tournaments that a plan simulates.
DEFAULT_TOURNAMENTS = 20


@takes(TournamentPlanOptions)
def plan_tournament(
    elos: Sequence[float],
    until: str,
    n: int = DEFAULT_CAP,
    **options: Unpack[TournamentPlanOptions],
) -> TournamentPlan:
    """Plan the games of a tournament of players with these ratings until a question is answered.

    The question is that of :func:`tournament`, with at most ``n`` pairs per pairing. Simulated
    tournaments of Davidson's model tell; ``draws`` is the share of drawn games between equal
    players, and pairs are taken as independent.

    >>> plan = plan_tournament([200, 0, 0], "best", seed=1)
    >>> plan.decided == plan.tournaments
    True
    """
    from arena.stats.forecast import Goal, lengths

    options = complete(plan_tournament, options)
    n = check_value("n", PAIRS, n)
    margin, alpha, draws = options["margin"], options["alpha"], options["draws"]
    question = read_until(until, OF_TOURNAMENTS, margin=margin, alpha=alpha)
    top = None if question.question == ORDER else int(question.number or 1)
    if top is not None and top >= max(2, len(elos)):
        raise UsageError(f"--until {question} needs more than {top} players")
    root = fresh_seed() if options["seed"] is None else options["seed"]
    simulated = lengths(elos, draws, Goal(top, margin, alpha, n), DEFAULT_TOURNAMENTS, root)
    games = sorted(2 * length.pairs for length in simulated)
    return TournamentPlan(
        rule=str(question),
        margin=margin,
        alpha=alpha,
        cap=n,
        elos=tuple(elos),
        draws=draws,
        seed=root,
        tournaments=len(simulated),
        decided=sum(length.is_decided for length in simulated),
        games=round(fmean(games)),
        games_low=games[len(games) // 10],
        games_high=games[-1 - len(games) // 10],
        rounds=round(fmean(length.rounds for length in simulated)),
    )
