"""Name the methods behind the numbers of a result, with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.model.defaults import DEFAULT_ALPHA
from arena.records.answers import Answered
from arena.records.base import Record
from arena.records.cycles import Cycles
from arena.records.fights import FightResult
from arena.records.intervals import ANYTIME, FIXED
from arena.records.methods import Method, WithMethods
from arena.records.proofs import CheckedFight
from arena.records.ranks import RankIntervals
from arena.records.ratings import RatingTable
from arena.records.sequential import SprtFight
from arena.records.tournaments import TournamentResult
from arena.records.until import UntilFight

RANKS = (
    "{what}, all together, in both directions, by Holm's tests; a player's ranks go from"
    " 1 + the players that are surely better to N - those that are surely worse"
)

#: The quantities that the ranks of ratings compare, by method.
COMPARED = {
    "likelihood ratio": "the penalised likelihood ratio of each two ratings, by Kent's factor",
    "wald": "the differences of each two ratings in standard errors, the model's or by pairs",
}

RANK_SOURCE = (
    "Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91 (2024); Holm, Scandinavian"
    " Journal of Statistics 6 (1979)"
)

#: How the intervals of ratings were found, with their source.
INTERVALS = {
    "profile": (
        "the profile of the penalised likelihood, its cut 3.84 times Kent's factor",
        "Heinze and Schemper, Statistics in Medicine 21 (2002); Kent, Biometrika 69 (1982)",
    ),
    "simulated": (
        "the profile of the penalised likelihood, cut where 95 % of its signed roots lie, by Kent's"
        " factor, in tournaments simulated by the schedule",
        "Heinze and Schemper, Statistics in Medicine 21 (2002); Kent, Biometrika 69 (1982); Chuang"
        " and Lai, Statistica Sinica 10 (2000)",
    ),
    "wald": (
        "1.96 standard errors, of the model or by pairs, whichever is larger",
        "White, Econometrica 50 (1982)",
    ),
}


#: How the interval of a score was found, with its source, by its kind.
SCORE_INTERVALS = {
    FIXED: (
        "the normal interval with z²/2 observations of the worst and the best score added",
        "Agresti and Coull, The American Statistician 52 (1998)",
    ),
    ANYTIME: (
        "the betting confidence sequence, which holds at every look at once",
        "Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024)",
    ),
}


def with_methods(record: Record) -> WithMethods:
    """Return the record with the methods behind its numbers, as ``--explain`` shows them.

    >>> from arena import fight
    >>> [method.shown for method in with_methods(fight("monkey", "lines", 5, seed=1)).methods]
    ['interval of the score', 'observations']
    """
    methods: tuple[Method, ...] = ()
    if isinstance(record, TournamentResult):
        methods = (*_tournament(record), *_ratings(record.ratings))
    elif isinstance(record, RatingTable):
        methods = tuple(_ratings(record))
    elif isinstance(record, SprtFight):
        methods = (_test(record), _observations([record.fight]))
    elif isinstance(record, (CheckedFight, UntilFight, FightResult)):
        fight = record if isinstance(record, FightResult) else record.fight
        methods = (*_score(record), _observations([fight]))
    return WithMethods(record, methods)


def _tournament(result: TournamentResult) -> Iterator[Method]:
    yield _observations(result.fights)
    if result.until is not None:
        yield _answer(result.until)
    if result.rank_intervals is not None:
        what = "the differences of each two mean scores against the opponents that all met"
        source = f"{RANK_SOURCE}; Price and Bonett, Computational Statistics 45 (2004)"
        yield _ranks("ranks of the standings", what, source, result.rank_intervals)
    if result.cycles is not None:
        yield _cycles(result.cycles)


def _observations(fights: Sequence[FightResult]) -> Method:
    counted = [fight for fight in fights if not fight.killed_workers]
    return Method(
        "observations",
        "a pair of games; all pairs of an opening are one, and so are pairs that only repeat",
        "",
        {
            "pairs": sum(fight.pairs for fight in counted),
            "observations": sum(sum(fight.observations.counts) for fight in counted),
        },
    )


def _test(played: SprtFight) -> Method:
    test = played.test
    return Method(
        "test",
        f"the generalised sequential probability ratio test, {test.model} Elo, by pairs",
        "Van den Bergh's notes on GSPRT, as in fishtest; Siegmund, Sequential Analysis (1985)",
        {"elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta},
    )


def _score(record: CheckedFight | UntilFight | FightResult) -> Iterator[Method]:
    """Yield how the interval of the score was found, if there is one."""
    interval = record.fight.interval if isinstance(record, CheckedFight) else record.interval
    if interval is not None:
        alpha = record.report.alpha if isinstance(record, UntilFight) else DEFAULT_ALPHA
        method, source = SCORE_INTERVALS[interval.kind]
        ends = {"low": interval.low, "score": interval.score, "high": interval.high}
        yield Method("interval of the score", method, source, {"error": alpha, **ends})


def _ranks(name: str, what: str, source: str, ranks: RankIntervals) -> Method:
    return Method(
        name,
        RANKS.format(what=what),
        source,
        {
            "error": ranks.error,
            "comparisons": ranks.comparisons,
            "critical value": ranks.critical_value,
            "decided": ranks.decided,
            "observations": ranks.observations,
        },
    )


def _answer(answered: Answered) -> Method:
    return Method(
        "answer",
        "rounds in which every entrant that may still change the answer plays its field, by"
        " intervals of the values that hold at every look",
        "Even-Dar, Mannor and Mansour, Journal of Machine Learning Research 7 (2006)",
        {
            "error": answered.alpha,
            "margin": answered.margin,
            "rounds": answered.rounds,
            "most pairs a pairing": answered.cap,
        },
    )


def _cycles(cycles: Cycles) -> Method:
    return Method(
        "cycles",
        "three results that exceed a half each, at an error shared out over all that could",
        "Berger, Technometrics 24 (1982), intersection-union tests",
        {
            "error": cycles.error,
            "triples": cycles.triples,
            "critical value": cycles.critical_value,
            "cycles": cycles.count,
        },
    )


def _ratings(ratings: RatingTable) -> Iterator[Method]:
    yield Method(
        "Elo",
        "the model of wins, draws and losses with an advantage of the first mover, by likelihood"
        " with Jeffreys' prior",
        "Davidson, JASA 65 (1970); Davidson and Beaver, Biometrics 33 (1977); Firth, Biometrika 80"
        " (1993)",
        {
            "players": len(ratings.players),
            "groups": len({row.group for row in ratings.players}),
            "prior draws": ratings.prior,
            "advantage": ratings.advantage.value,
            "nu": ratings.draws.value,
        },
    )
    if any(row.elo.low is not None or row.elo.high is not None for row in ratings.players):
        method, source = INTERVALS[ratings.method]
        yield Method("95 % interval of the Elo", method, source, {})
    if ratings.rank_intervals is not None:
        what = COMPARED[ratings.compared_by]
        yield _ranks("ranks of the ratings", what, RANK_SOURCE, ratings.rank_intervals)
    if ratings.scale is not None:
        scale = ratings.scale
        yield Method(
            "one scale",
            "the least sum of squared residuals of the pairings' scores, by their variances",
            "Neyman's minimum chi-square; Cox and Hinkley, Theoretical Statistics (1974), 9.3",
            {
                "chi-square": scale.chi_square,
                "degrees of freedom": scale.freedom,
                "p": scale.p_value,
                "unexplained": scale.unexplained,
            },
        )
