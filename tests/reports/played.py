"""Fixed records of fights, tournaments, tests and ratings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import arena
from arena.fights.standings import exact_tournament_of, tournament_of
from arena.fights.table_standings import result_of_tables
from arena.game import Payoffs
from arena.records.answers import Answered, TournamentPlan, Valued
from arena.records.base import Record, Tally
from arena.records.entrants import ForfeitedGame, PlayerResult
from arena.records.fights import FightResult
from arena.records.intervals import ANYTIME, FIXED, STOPPED
from arena.records.joint import Joint
from arena.records.luck import Corrected
from arena.records.methods import Method, WithMethods
from arena.records.paid import Paid, PairPayoffs, paid_of
from arena.records.proofs import Chances, CheckedFight, ExactResult
from arena.records.ranks import RankIntervals
from arena.records.ratings import Estimated, Plan, PlannedTest, RatedPlayer, RatingTable, ScaleFit
from arena.records.sequential import SprtFight, SprtReport
from arena.records.tables import (
    BlockEnd,
    RatedAtTables,
    SeatRating,
    TableRatingTable,
    TableResult,
)
from arena.records.until import UntilFight, UntilReport
from arena.records.void import VoidPairs

_ANNA = Fraction(1), Fraction(0), Fraction(0)


def a_fight(a: str | PlayerResult, b: str | PlayerResult, **changes: object) -> FightResult:
    lost = "tictactoe/anna/bert/7/4.2"
    fields: dict[str, object] = {
        "game": "tictactoe",
        "game_version": 1,
        "seed": 7,
        "engine": "calls",
        "a": PlayerResult(a, first_lost=lost) if isinstance(a, str) else a,
        "b": PlayerResult(b) if isinstance(b, str) else b,
        "planned": 10,
        "joint": Joint(dl=1, dd=2, dw=1, wl=1, wd=3, ww=2),
        "void": 0,
        "distinct_games": 17,
    }
    return FightResult(**{**fields, **changes})  # type: ignore[arg-type]


#: Three openings with the ten pairs of a fight.
BY_OPENING = (
    (Joint(wl=1, wd=3), 1),
    (Joint(dw=1, ww=2), 1),
    (Joint(dl=1, dd=2), 1),
)
SHORT = a_fight(
    "anna",
    PlayerResult(
        "./bot.py:play",
        forfeits={"illegal": 1, "exception": 2},
        first_forfeit=ForfeitedGame(
            "tictactoe/anna/.%2Fbot.py%3Aplay/7/2.1",
            "./bot.py:play",
            "exception",
            "KeyError: 'x________'",
            "bot.py:3 in play: return TABLE[str(position)]",
            "put a remedy here",
            "x________",
        ),
        forfeited_alone=Joint(dw=1, ww=1),
    ),
    joint=Joint(dw=1, ww=2),
    void=14,
    void_pairs=(VoidPairs(4, 10, "killed by SIGSEGV", killed=True),),
    forfeited_joint=Joint(dw=1, ww=1),
    count_forfeits="none",
    unfinished="workers died again and again while they played pairs 4 to 10: killed by SIGSEGV",
)
WITHDRAWN = a_fight(
    "anna",
    PlayerResult("./bot.py", withdrawn="ended with exit code 3"),
    joint=Joint(dw=1, ww=2),
    void=2,
    void_pairs=(VoidPairs(2, 2, "it waited 6.00 s for a processor, of 6 s"),),
    unfinished="./bot.py is withdrawn, it cannot be started: ended with exit code 3",
)
EXACT = ExactResult(
    game="tictactoe",
    game_version=1,
    players=("anna", "bert"),
    first=Chances(Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    second=Chances(Fraction(0), Fraction(7, 9), Fraction(2, 9)),
)


def _paid(least: int, most: int, *pairs: int) -> Paid:
    """Return what pairs paid A in both games together, and B less."""
    even = (Fraction(0), Fraction(0))
    ends: dict[PairPayoffs, int] = {((Fraction(n), Fraction(-n)), even): 1 for n in pairs}
    return paid_of(Payoffs(least, most, "chips", 0), ends)


CORRECTED = replace(
    a_fight("anna", "bert", joint=Joint(dw=3)),
    deals="duplicate",
    paid=_paid(-3, 3, 1, 2, 3),
    corrected=Corrected("cfr", "0123", ("luck", "anna"), _paid(-2, 2, -2, 1, 2), 2.5),
)

EXACT_PAID = ExactResult(
    game="kuhn",
    game_version=1,
    players=("anna", "bert"),
    first=Chances(Fraction(1, 2), Fraction(0), Fraction(1, 2), (Fraction(-1, 18), Fraction(1, 18))),
    second=Chances(
        Fraction(1, 3), Fraction(0), Fraction(2, 3), (Fraction(1, 24), Fraction(-1, 24))
    ),
    unit="chips",
)
#: Three players at a table. The bot forfeits in the first block.
TABLE = TableResult(
    game="mnk-4-4-3-x3",
    game_version=1,
    seed=7,
    engine="calls",
    seatings="rotations",
    facts=(
        PlayerResult("anna"),
        PlayerResult("bert"),
        PlayerResult(
            "./bot.py:play",
            forfeits={"illegal": 1},
            first_forfeit=ForfeitedGame(
                "mnk-4-4-3-x3/anna/bert/.%2Fbot.py%3Aplay/7/2.1",
                "./bot.py:play",
                "illegal",
                "bot returned 99",
                position="x_______________",
            ),
        ),
    ),
    planned=3,
    ends=(
        BlockEnd(((Fraction(0), Fraction(0), Fraction(1)), *[_ANNA] * 2), 1),
        BlockEnd((_ANNA,) * 3, 2),
    ),
    forfeited_blocks=1,
    unit="points",
    least=Fraction(0),
    most=Fraction(1),
    total=Fraction(1),
    void=0,
    void_pairs=(),
    distinct_games=8,
)
SPRT = SprtReport(
    counts=(1, 2, 3, 4, 5),
    scores=(0.0, 0.25, 0.5, 0.75, 1.0),
    model="logistic",
    elo0=0,
    elo1=5,
    alpha=0.05,
    beta=0.1,
    llr=3.25,
    lower=-2.25,
    upper=2.89,
    decision="H1",
    estimate=FIXED,
    score=0.625,
    score_low=0.5,
    score_high=1.0,
    elo=88.7,
    elo_low=0.0,
    elo_high=None,
    elo_error=None,
    nelo=None,
    nelo_low=None,
    nelo_high=None,
    nelo_error=None,
    los=0.875,
    reasons={"elo": "too few results for an error"},
)
RATINGS = RatingTable(
    players=(
        RatedPlayer("anna", Tally(9, 1, 0), Estimated(210.4, 99.5, None, "won"), 1, 1, 1, 1),
        RatedPlayer("bert", Tally(0, 1, 9), Estimated(-210.4, -300.2, -99.5), 1, 2, 2, 2),
        RatedPlayer("dora", Tally(1, 0, 1), Estimated(0.0, -90.1, 90.1, "compares"), 2, 1, 1, 2),
        RatedPlayer("emil", Tally(1, 0, 1), Estimated(0.0, -90.1, 90.1, "compares"), 2, 1, 1, 2),
        RatedPlayer("cleo", Tally(), Estimated(None, reason="did not play"), 3),
    ),
    advantage=Estimated(12.3, -3.2, 33.3),
    draws=Estimated(0.5, 0.25, 1.0, "few games"),
    statements=("cleo did not play: " + "there is nothing to say of such a player " * 3,),
    method="profile",
    rank_intervals=RankIntervals(0.05, 2, 2.2414, 1, 11),
    compared_by="likelihood ratio",
    scale=ScaleFit(12.3, 2, 0.0021, 0.034),
)

UNTIL = UntilReport(
    rule="better",
    margin=None,
    alpha=0.05,
    answered=True,
    decision="better",
    within_margin=False,
    interval=ANYTIME,
    score=0.625,
    score_low=0.5125,
    score_high=0.75,
    elo=88.74,
    elo_low=8.69,
    elo_high=190.85,
)

ANSWERED = Answered(
    rule="best",
    margin=0.02,
    alpha=0.05,
    cap=500,
    decision="decided",
    reason="",
    answer=("anna",),
    groups=(("anna",), (), ("bert", "carl")),
    repeating=(),
    out=(),
    rounds=12,
    games=3456,
    players=(
        Valued("anna", 0.7, 0.61, 0.78),
        Valued("bert", 0.5, 0.4, 0.6),
        Valued("carl", 0.3, 0.22, 0.39),
    ),
)


def scheduled(schedule: str) -> Record:
    """Return a tournament by rounds of three players who differ: with a bye."""
    names = ("minimax", "triples", "monkey")
    return arena.tournament(names, n=2, seed=7, schedule=schedule, engine="calls")


PLAYED: dict[str, Record] = {
    **{schedule.partition(":")[0]: scheduled(schedule) for schedule in ("swiss:2", "knockout")},
    "answered": ANSWERED,
    "tournament-plan": TournamentPlan(
        rule="best",
        margin=0.02,
        alpha=0.05,
        cap=500,
        elos=(60.0, 40.0, 0.0),
        draws=0.5,
        seed=7,
        tournaments=20,
        decided=19,
        games=2400,
        games_low=1200,
        games_high=4800,
        rounds=31,
    ),
    "volunteer-plan": arena.plan_volunteers(0.01),
    "exact-watched": replace(EXACT, watched=("anna", "bert"), games=200, declared=("bert",)),
    "fight": a_fight("anna", "bert"),
    "fight-in-trouble": SHORT,
    "fight-with-a-withdrawn-player": WITHDRAWN,
    "tournament": replace(
        tournament_of(
            [a_fight("anna", "bert"), a_fight("anna", "cleo"), a_fight("bert", "cleo")],
            "round robin",
        ),
        ratings=RATINGS,
    ),
    "exact": EXACT,
    "corrected": CORRECTED,
    "exact-paid": EXACT_PAID,
    "exact-paid-tournament": exact_tournament_of([EXACT_PAID]),
    "exact-tournament": exact_tournament_of(
        [EXACT, replace(EXACT, players=("anna", "cleo")), replace(EXACT, players=("bert", "cleo"))]
    ),
    "checked-fight": CheckedFight(a_fight("anna", "bert", sampler="counts"), EXACT, 0.25),
    "fight-that-repeats": a_fight("anna", "bert", joint=Joint(dw=10), distinct_games=2),
    "fight-from-openings": a_fight(
        "anna", "bert", openings="all:1", distinct_games=9, by_opening=BY_OPENING
    ),
    "fight-with-a-reason": a_fight("anna", "bert", engine_reason="the tree is too large"),
    "sprt": SPRT,
    "sprt-fight": SprtFight(a_fight("anna", "bert"), replace(SPRT, estimate=STOPPED), 20_000),
    "sprt-fight-undecided": SprtFight(
        a_fight("anna", "bert"), replace(SPRT, estimate=STOPPED, decision="continue"), 10
    ),
    "sprt-fight-repeated": SprtFight(
        a_fight("anna", "bert", joint=Joint(dd=10), distinct_games=2),
        replace(SPRT, estimate=STOPPED, decision="continue", los=None),
        10,
    ),
    "until-better": UntilFight(a_fight("anna", "bert"), UNTIL, 20_000),
    "until-width": UntilFight(
        a_fight("anna", "bert"), replace(UNTIL, rule="±20%", decision="undecided"), 20_000
    ),
    "until-cannot-be-told-apart": UntilFight(
        a_fight("anna", "bert"),
        replace(UNTIL, margin=0.1, within_margin=True, decision="undecided", alpha=0.01),
        20_000,
    ),
    "until-the-cap": UntilFight(
        a_fight("anna", "bert"), replace(UNTIL, answered=False, decision="undecided"), 10
    ),
    "tables": result_of_tables([TABLE, replace(TABLE, facts=TABLE.facts[::-1])], "round robin"),
    "tables-cut-short": result_of_tables(
        [
            replace(
                TABLE,
                planned=9,
                unfinished="interrupted",
                void=3,
                void_pairs=(VoidPairs(4, 4, "a worker ended", killed=False),),
            )
        ],
        "fight",
    ),
    "ratings": RATINGS,
    "table-ratings": TableRatingTable(
        players=(
            RatedAtTables("anna", 12, 4, 1.25, 210.4, 99.5, None),
            RatedAtTables("bert", 12, 4, 2.125, -10.2, -90.1, 80.3),
            RatedAtTables("cleo", 12, 4, 2.625, -200.2, None, -99.5),
            RatedAtTables("dora", 1, 1, 1.5, 0.0, -800.1, 800.1, 2),
            RatedAtTables("emil", 1, 1, 1.5, 0.0, -800.1, 800.1, 2),
        ),
        seats=(SeatRating(35.2, -20.5, 91.0), SeatRating(-35.2, -91.0, None)),
        games=13,
        blocks=5,
        statements=("cleo [0123ab] is earlier code of cleo: " + "it plays no more " * 5,),
    ),
    "with-methods": WithMethods(
        a_fight("anna", "bert"),
        (
            Method("score", "points per game", "", {}),
            Method("interval", "a normal one " * 8, "Wald (1943)", {"z": 1.96, "fit": None}),
        ),
    ),
    "plan": Plan(
        players=("anna", "bert"),
        game="tictactoe",
        counts=(0, 1, 2, 1, 0),
        score=0.5,
        variance=0.125,
        rate=1234.5,
        tests=(
            PlannedTest("test, if it is 0 Elo", 5000, 8.1, 0.05),
            PlannedTest("Elo to +- 0.001", 10**10, 1.7e7, None),
            PlannedTest("fewer losses than 0.1 %, by having none", None, None, None, "too many"),
        ),
        settings={"elo0": 0, "elo1": 10, "alpha": 0.05, "beta": 0.1, "error": 10, "loss_rate": 0.1},
    ),
}
